"""The greetings' tools."""

from forge.context import Context
from forge.contract.terms import Effect, Scope
from forge.contract.tools import Namespace
from functions.greetings.models import Greeting, SayHello

namespace = Namespace("greetings", "Be polite.")


@namespace.tool(scopes=[Scope.READ_ISSUES], effect=Effect.READ_ONLY)
def hello(request: SayHello, ctx: Context) -> Greeting:
    """Greet somebody in the name of this workspace.

    It stores nothing and tells nobody. Example: {"name": "Ada", "isFormal": true}
    """
    opening = "Good day" if request.is_formal else "Hello"
    workspace = ctx.services.workspaces.get(ctx.caller.workspace_id)
    return Greeting(text=f"{opening}, {request.name}.", workspace=workspace.name)
