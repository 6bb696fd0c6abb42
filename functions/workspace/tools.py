"""The workspace's tools."""

from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.models import NoArguments
from forge.contract.terms import Effect, Scope
from forge.contract.tools import Namespace
from functions.workspace.views import WorkspaceView, workspace_view

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
    return workspace_view(ctx.services.workspaces.get(ctx.caller.workspace_id))
