"""Whoever acts without being called: the sweep, and those who take messages from queues."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NoReturn

from forge.auth.tokens import SigningSecrets, Tokens
from forge.clock import new_id, random_between
from forge.context import Call, Caller, Context, Door, KeyKind, Services, Toolbox
from forge.contract.catalog import Catalog
from forge.outbound.outbound import Outbound
from forge.store.store import Store
from forge.store.table import Table
from forge.store.transactions import Origin, Transaction
from forge.work.workspace import workspaces
from forge.work.workspace.workspaces import WorkspaceItem

SWEEP = "sweep"
POST_SECONDS = 5.0


def nobody(workspace_id: str, name: str) -> Caller:
    return Caller(name, workspace_id, KeyKind.AGENT, frozenset(), name)


@dataclass(frozen=True, slots=True)
class Worker:
    """What such a worker works with; the log says by its name that it was no caller."""

    store: Store
    clock: Callable[[], datetime]
    new_id: Callable[[str], str] = new_id
    name: str = SWEEP
    outbound: Outbound = field(default_factory=Outbound)
    own_machine: bool = False
    """Whether receivers may be on this machine: only where all of it is somebody's own."""
    public_url: str = ""
    """Where people reach it, for links in what is posted."""
    seconds: float = POST_SECONDS
    """The longest that a receiver may take."""
    has_time: Callable[[], bool] = lambda: True
    """Asked before each thing. What is left is still due."""
    chance: Callable[[], float] = lambda: random_between(0, 1)

    @property
    def now(self) -> datetime:
        return self.clock()

    def begin(self, workspace_id: str) -> Transaction:
        """A transaction in this worker's own name, for no caller."""
        caller = nobody(workspace_id, self.name)
        origin = Origin(caller, self.name, self._request_id(), self.now, self.new_id)
        return Transaction(self.store.table.name, origin)

    def context(self, workspace_id: str) -> Context:
        """For what changes things as tools do, and is nobody's call."""
        return self.context_of(nobody(workspace_id, self.name), tool=self.name, request_id=self._request_id())

    def context_of(self, caller: Caller, *, tool: str, request_id: str) -> Context:
        """With nothing that tokens or other tools would need."""
        services = Services(
            self.clock,
            self.new_id,
            _Workspaces(self.store.table),
            self.store,
            Tokens(_no_secret),
            self.outbound,
        )
        return Context(caller, Call(request_id, Door.REST), tool, services, Catalog(()), _NO_TOOLS)

    def _request_id(self) -> str:
        return self.new_id(self.name[:3])


def worker_of(services: Services, name: str) -> Worker:
    """Of a process that serves calls, too."""
    return Worker(
        services.store,
        services.now,
        services.new_id,
        name,
        outbound=services.outbound,
        own_machine=services.own_machine,
        public_url=services.public_url,
    )


class _Workspaces:
    def __init__(self, table: Table) -> None:
        self._table = table

    def get(self, workspace_id: str) -> WorkspaceItem:
        return workspaces.get(self._table, workspace_id)


def _no_secret() -> SigningSecrets:
    raise LookupError("a worker signs no token")


def _no_tool(ctx: Context, name: str, arguments: Mapping[str, object]) -> NoReturn:
    raise LookupError(f"a worker does not call {name}")


_NO_TOOLS = Toolbox(_no_tool, _no_tool, lambda name: False, lambda *call: {})
