"""Acting without a call: a context for workers that change issues as tools do, for nobody or for somebody."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, NoReturn, Protocol

from forge.auth.tokens import Tokens
from forge.context import Call, Caller, Context, Door, KeyKind, Services, Toolbox
from forge.contract.catalog import Catalog
from forge.outbound.outbound import Outbound
from forge.store.store import Store
from forge.store.table import Table
from forge.work.workspace import workspaces
from forge.work.workspace.workspaces import WorkspaceItem

if TYPE_CHECKING:
    from forge.work.background.sweep.sweep import Sweep

SWEEP = "sweep"


class Worker(Protocol):
    """Whoever acts without being called."""

    @property
    def store(self) -> Store: ...

    @property
    def now(self) -> datetime: ...

    @property
    def new_id(self) -> Callable[[str], str]: ...


class Acting(NamedTuple):
    """A worker that has nothing else to it."""

    store: Store
    now: datetime
    new_id: Callable[[str], str]


def context_of_nobody(sweep: "Sweep", workspace_id: str) -> Context:
    """The log says that the sweep did it."""
    return context_of(sweep, nobody(workspace_id), tool=SWEEP, request_id=sweep.new_id("swp"))


def context_of(worker: Worker, caller: Caller, *, tool: str, request_id: str) -> Context:
    """With nothing that tokens or other tools would need."""
    services = Services(
        lambda: worker.now,
        worker.new_id,
        _Workspaces(worker.store.table),
        worker.store,
        Tokens(_no_secret),
        Outbound(),
    )
    return Context(caller, Call(request_id, Door.REST), tool, services, Catalog(()), _NO_TOOLS)


def nobody(workspace_id: str, name: str = SWEEP) -> Caller:
    return Caller(name, workspace_id, KeyKind.AGENT, frozenset(), name)


class _Workspaces:
    def __init__(self, table: Table) -> None:
        self._table = table

    def get(self, workspace_id: str) -> WorkspaceItem:
        return workspaces.get(self._table, workspace_id)


def _no_secret() -> str:
    raise LookupError("a worker signs no token")


def _no_tool(ctx: Context, name: str, arguments: Mapping[str, object]) -> NoReturn:
    raise LookupError(f"a worker does not call {name}")


_NO_TOOLS = Toolbox(_no_tool, _no_tool, lambda name: False, lambda *call: {})
