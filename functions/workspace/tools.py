"""The workspace's tools."""

from forge.context import Context, Role
from forge.contract.effects import Cost
from forge.contract.models import Model, NoArguments, Omittable
from forge.contract.tools import Namespace

# What the first call reads is loaded when the function starts, while nobody waits.
from forge.work.workspace.workspaces import WorkspaceItem


class Viewer(Model):
    """Whoever asks, and what their key may do."""

    user_id: Omittable[str] = None
    agent_id: Omittable[str] = None
    role: Omittable[Role] = None
    scopes: list[str]


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
    viewer: Viewer


namespace = Namespace("workspace", "See the workspace you work in and its settings.")


@namespace.reads(
    costs=Cost(reads=1),
    asks=["where do I work", "the workspace's settings", "which workspace is this"],
)
def get(request: NoArguments, ctx: Context) -> WorkspaceView:
    """Show the workspace this key belongs to: name, key prefix of issues, settings, and what the key may.

    Example: {}
    """
    workspace: WorkspaceItem = ctx.services.workspaces.get(ctx.caller.workspace_id)
    viewer = Viewer.of(ctx.caller, scopes=sorted(ctx.caller.scopes))
    return WorkspaceView.of(workspace, key=workspace.key_prefix, viewer=viewer)
