"""The statuses' tools."""

from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.models import FullList
from forge.contract.tools import Namespace
from forge.work.workspace import statuses
from functions.statuses.models import ListStatuses, StatusView

namespace = Namespace("statuses", "See the statuses that issues move through.")


@namespace.reads(
    costs=Cost(reads=1),
    asks=["what states can an issue have", "columns of the board", "workflow"],
)
def list(request: ListStatuses, ctx: Context) -> FullList[StatusView]:
    """List the workspace's statuses in board order, with the category of each.

    Use the ids wherever a tool takes statusId. Example: {"category": "IN_PROGRESS"}
    """
    found = statuses.list_all(ctx.table, ctx.caller.workspace_id)
    wanted = [one for one in found if request.category in (None, one.category)]
    return FullList[StatusView](data=[StatusView.of(one) for one in wanted])
