"""Who calls, and what a tool may reach: its clock, its ids, its data.

The router carries these values too, so nothing here imports pydantic or boto3, and none is a dataclass: those
would take the router 27 ms more to import, and three times as long to make.
"""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from enum import StrEnum
from time import sleep
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from forge import deadline
from forge.values import Value

if TYPE_CHECKING:
    from forge.auth.tokens import Tokens
    from forge.contract.catalog import Catalog
    from forge.contract.terms import ModePolicy
    from forge.outbound.outbound import Outbound
    from forge.store.store import Store
    from forge.store.table import Table
    from forge.store.transactions import Transaction
    from forge.work.workspace.workspaces import WorkspaceItem


class Role(StrEnum):
    OWNER = "OWNER"
    ADMIN = "ADMIN"
    MEMBER = "MEMBER"
    GUEST = "GUEST"


class KeyKind(StrEnum):
    AGENT = "AGENT"
    PERSONAL = "PERSONAL"
    SESSION = "SESSION"


class Door(StrEnum):
    """The two ways in. Each has a rate window of its own."""

    RPC = "rpc"
    REST = "rest"


class Narrowing(NamedTuple):
    """What a key is confined to. An empty set confines nothing."""

    project_ids: frozenset[str] = frozenset()
    label_ids: frozenset[str] = frozenset()
    initiative_ids: frozenset[str] = frozenset()
    issue_ids: frozenset[str] = frozenset()
    """Seen besides what is in one of the projects or under one of the labels."""


UNRESTRICTED = Narrowing()
NOTHING = "-"
"""No thing's id: what a key is confined to once all that it was confined to is gone."""


class Caller(Value):
    """The authenticated identity behind one call. Scopes are the effective ones."""

    key_id: str
    workspace_id: str
    kind: KeyKind
    scopes: frozenset[str]
    session_id: str
    user_id: str | None = None
    role: Role | None = None
    agent_id: str | None = None
    narrowing: Narrowing = UNRESTRICTED
    expires_at: datetime | None = None
    """When the key ends; None if never."""
    is_token: bool = False
    """Whether a token was sent in place of the key."""
    is_archived: bool = False
    """Whether the agent was archived: then it reads, and changes nothing."""
    log_shards: int = 1
    """Over how many partitions the log of the workspace may be spread: so many are read."""
    log_spread: int = 1
    """Over how many it is written. Never more than every key of the workspace knows of."""
    run_id: str | None = None
    """Of a key that was made for one run of its agent."""
    run_issue_id: str | None = None
    """The issue of that run: such a key changes nothing else."""


class Call(Value):
    """One call as it came in, apart from who made it and with which arguments."""

    request_id: str
    door: Door
    idempotency_key: str | None = None
    canonical_names: bool = True
    """Whether its door spells the names of tools with dots."""
    is_task: bool = False
    """Whether nobody waits for it: a worker makes the call, and keeps the answer."""
    takes_tasks: bool = False
    """Whether its client can be told to come back for the answer."""
    task: str | None = None
    """What its client came back for, where it was told so before."""
    can_ask: bool = False
    """Whether its client can ask somebody before it is carried out."""


class Workspaces(Protocol):
    def get(self, workspace_id: str) -> "WorkspaceItem":
        """Return the workspace or raise NotFound."""


class Repetition(Protocol):
    @property
    def claim(self) -> str:
        """The same for every time that the call is made, and for no other call."""

    def raise_if_done(self) -> None:
        """End the call with the answer that it got before, if it did."""


class Services(NamedTuple):
    """What a process offers to every call. Built once, on the first request."""

    now: Callable[[], datetime]
    new_id: Callable[[str], str]
    workspaces: Workspaces
    store: "Store"
    tokens: "Tokens"
    outbound: "Outbound"
    own_machine: bool = False
    """Whether all of it runs on one machine of somebody's own, which webhooks may reach, then."""
    public_url: str = ""
    """Where callers reach it, without a path; empty where that is not known."""
    pause: Callable[[float], object] = sleep
    """How a call waits for something to happen."""


CallTool = Callable[["Context", str, Mapping[str, object]], str]


class Toolbox(NamedTuple):
    """What a tool can do with others: call one, now or later, and see whether and where that would run."""

    call: CallTool
    check: Callable[["Context", str, Mapping[str, object]], None]
    runs_apart: Callable[[str], bool]
    written: Callable[[str, Mapping[str, object], Caller, Call], dict[str, Any]]
    """A call as a worker can make it later."""


class Context:
    """Everything a tool needs besides its arguments."""

    __slots__ = (
        "_memory",
        "at_end",
        "call",
        "caller",
        "catalog",
        "changes",
        "claims_sleep",
        "has_committed",
        "heard",
        "modes",
        "pending",
        "repetition",
        "services",
        "tool",
        "toolbox",
    )

    def __init__(
        self,
        caller: Caller,
        call: Call,
        tool: str,
        services: Services,
        catalog: "Catalog",
        toolbox: Toolbox,
    ) -> None:
        self.caller = caller
        self.call = call
        self.tool = tool
        self.services = services
        self.catalog = catalog
        self.toolbox = toolbox
        self.pending: Transaction | None = None
        """The last transaction that was planned: it waits for the answer."""
        self.has_committed = False
        self.heard: Collection[str] | None = None
        """The kinds of events that somebody outside hears of, from whoever has read the workspace."""
        self.claims_sleep = True
        """Whether somebody may sleep until there is an issue to claim, from the same."""
        self.changes = False
        """Whether the tool may change something."""
        self.modes: ModePolicy | None = None
        """The engagement modes in which an agent may call this tool; None where every mode may."""
        self._memory: dict[str, Any] | None = None
        self.at_end: tuple[Callable[[], None], ...] = ()
        """What has to be done when the call is over, however it ends."""
        self.repetition: Repetition | None = None
        """For a call that carries an idempotency key: whether it was made before."""

    @property
    def table(self) -> "Table":
        return self.services.store.table

    @property
    def memory(self) -> dict[str, Any]:
        """What a handler learned, for when it runs again in the same call."""
        if self._memory is None:
            self._memory = {}
        return self._memory

    @property
    def deadline(self) -> float:
        """When the call must be over, on the monotonic clock: no wait, retry or batch goes on after it."""
        return deadline.current()

    def now(self) -> datetime:
        return self.services.now()

    def new_id(self, prefix: str) -> str:
        return self.services.new_id(prefix)

    def call_tool(self, name: str, arguments: Mapping[str, object]) -> str:
        """Run another tool as this caller, all its checks included; returns its JSON."""
        return self.toolbox.call(self, name, arguments)

    def plan(self) -> "Transaction":
        """A transaction to collect writes in, which is not committed here.

        It is when the handler has returned, together with its answer; so a handler has no effect when it
        fails, and can run again when only our own version moved. An earlier plan of the same call is carried
        out first.
        """
        self.commit()
        self.pending = self.services.store.begin(self)
        return self.pending

    def commit(self) -> None:
        """Carry the plan out now; for the rare tool that needs more than one."""
        pending, self.pending = self.pending, None
        if pending is not None:
            self.services.store.commit(pending)
            self.has_committed = True
