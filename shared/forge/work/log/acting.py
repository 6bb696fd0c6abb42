"""Acting without a call: a context for workers that change issues as tools do, for nobody or for somebody."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NoReturn

from forge.auth.tokens import Tokens
from forge.context import Call, Caller, Context, Door, KeyKind, Services
from forge.contract.catalog import Catalog
from forge.outbound.outbound import Outbound
from forge.store.table import Table
from forge.work.workspaces import workspaces
from forge.work.workspaces.workspaces import WorkspaceItem

if TYPE_CHECKING:
    from forge.work.log.sweep import Sweep

SWEEP = "sweep"


def context_of_nobody(sweep: "Sweep", workspace_id: str) -> Context:
    """The log says that the sweep did it."""
    return context_of(sweep, nobody(workspace_id), tool=SWEEP, request_id=sweep.new_id("swp"))


def context_of(sweep: "Sweep", caller: Caller, *, tool: str, request_id: str) -> Context:
    """With nothing that tokens or other tools would need."""
    services = Services(
        lambda: sweep.now,
        sweep.new_id,
        _Workspaces(sweep.store.table),
        sweep.store,
        Tokens(_no_secret),
        Outbound(),
    )
    return Context(caller, Call(request_id, Door.REST), tool, services, Catalog(()), _no_tool)


def nobody(workspace_id: str) -> Caller:
    return Caller(SWEEP, workspace_id, KeyKind.AGENT, frozenset(), SWEEP)


class _Workspaces:
    def __init__(self, table: Table) -> None:
        self._table = table

    def get(self, workspace_id: str) -> WorkspaceItem:
        return workspaces.get(self._table, workspace_id)


def _no_secret() -> str:
    raise LookupError("a worker signs no token")


def _no_tool(ctx: Context, name: str, arguments: Mapping[str, object]) -> NoReturn:
    raise LookupError(f"a worker does not call {name}")
