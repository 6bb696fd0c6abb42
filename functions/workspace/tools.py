"""The workspace's tools."""

from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.models import Model, NoArguments
from forge.contract.terms import Effect, Scope
from forge.contract.tools import Namespace


class WorkspaceView(Model):
    id: str
    slug: str
    key: str
    name: str
    cycle_length_days: int
    cycle_cooldown_days: int
    time_tracking_enabled: bool
    attachment_quota_mb: int
    required_ack_seconds: int
    auto_dispatch: bool
    auto_dispatch_mode: str
    plans_need_a_person: bool
    checkpoints_need_a_person: bool
    move_on_start: bool
    move_on_complete: bool


namespace = Namespace("workspace", "See the workspace you work in and its settings.")


@namespace.tool(
    scopes=[Scope.READ_ISSUES],
    effect=Effect.READ_ONLY,
    costs=Cost(reads=1),
    asks=["where do I work", "the workspace's settings", "which workspace is this"],
)
def get(request: NoArguments, ctx: Context) -> WorkspaceView:
    """Show the workspace this key belongs to: its name, key prefix of issue identifiers, and settings.

    Example: {}
    """
    workspace = ctx.services.workspaces.get(ctx.caller.workspace_id)
    return WorkspaceView.of(workspace, key=workspace.key_prefix)
