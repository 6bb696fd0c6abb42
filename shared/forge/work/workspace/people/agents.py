"""Agents of a workspace: who they are, and apart from that how they are."""

from datetime import datetime, timedelta
from enum import StrEnum

from forge.contract.terms import EngagementMode
from forge.errors import NotFound
from forge.store.items import Item
from forge.store.keys import At, Partition, Shared
from forge.store.places import DueAt, due_attributes
from forge.store.ranges import SortRange
from forge.store.readings import Rows
from forge.store.table import Table
from forge.store.transactions import Transaction
from forge.work.workspace import taken_names
from forge.work.workspace.signing import NextSecret

MAX_AGENTS = 500
FEW_AGENTS = "a workspace has few agents, and each has a pulse and a load"
RECOUNTED_EVERY = timedelta(days=7)
_NEVER_IDLE_BUT_LOOK = timedelta(minutes=15)


class AgentStatus(StrEnum):
    ONLINE = "ONLINE"
    OFFLINE = "OFFLINE"
    BUSY = "BUSY"


class AgentRole(StrEnum):
    WORKER = "WORKER"
    COACH = "COACH"
    OBSERVER = "OBSERVER"


class AgentProvider(StrEnum):
    HERMES = "HERMES"
    CLAUDE = "CLAUDE"
    CODEX = "CODEX"
    CUSTOM = "CUSTOM"


class RuntimeMode(StrEnum):
    PERSISTENT = "PERSISTENT"
    EPHEMERAL = "EPHEMERAL"


class RuntimeKind(StrEnum):
    LOCAL_DAEMON = "LOCAL_DAEMON"
    REMOTE_HTTP = "REMOTE_HTTP"
    CLOUD = "CLOUD"


AGENTS = Partition("WS#{workspace_id}#AGENTS")
LOAD = Shared(AGENTS, "LOAD#{agent_id}")
"""How many open issues an agent has: apart from the agent, because it changes with issues."""
RULE = At(AGENTS, "RULE#{id}")
"""A dispatch rule: beside the agents, because auto-dispatch reads them together."""


class AgentItem(Item):
    stored = At(AGENTS, "AGENT#{id}")

    workspace_id: str
    id: str
    profile_key: str
    name: str
    provider: AgentProvider = AgentProvider.HERMES
    runtime_mode: RuntimeMode = RuntimeMode.PERSISTENT
    role: AgentRole = AgentRole.WORKER
    capabilities: list[str] = []
    max_concurrent: int = 1
    webhook_url: str | None = None
    webhook_secret: str | None = None
    next_secret: NextSecret | None = None
    engagement_mode: EngagementMode | None = None
    template_markdown: str | None = None
    auto_dispatch_eligible: bool = True
    runtime_id: str | None = None
    runtime_name: str | None = None
    runtime_kind: RuntimeKind | None = None
    """Both as the runtime has them, for good."""
    created_at: datetime
    archived_at: datetime | None = None


class PulseItem(Item):
    """Status and last heartbeat. Until it is offline, the sweep looks when it may have gone idle."""

    stored = At(AGENTS, "PULSE#{agent_id}")
    indexed = (DueAt("idle_at"),)

    workspace_id: str
    agent_id: str
    status: AgentStatus = AgentStatus.OFFLINE
    last_heartbeat_at: datetime | None = None
    idle_at: datetime | None = None

    def beaten(self, status: AgentStatus, *, now: datetime, idle_after: timedelta) -> "PulseItem":
        # Looked at again even where agents never go idle: the setting may have changed by then.
        look_after = idle_after if idle_after > timedelta(0) else _NEVER_IDLE_BUT_LOOK
        if status is AgentStatus.OFFLINE:
            return self.changed(status=status, last_heartbeat_at=now, idle_at=None)
        # A timer that is set stays where it is: the sweep looks then, and finds that the silence was shorter.
        is_set = self.idle_at is not None and now < self.idle_at <= now + look_after
        idle_at = self.idle_at if is_set else now + look_after
        return self.changed(status=status, last_heartbeat_at=now, idle_at=idle_at)


class LoadItem(Item):
    """How many open issues are assigned to an agent, and when it was last given one.

    Its numbers change with issues and without a version, so nobody may replace it.
    """

    stored = LOAD
    indexed = (DueAt("recount_at"),)

    workspace_id: str
    agent_id: str
    open: int = 0
    last_dispatched_at: datetime | None = None
    recount_at: datetime | None = None
    """When the sweep counts the issues themselves."""
    suspected: int = 0
    """By how much the last count differed; what a second one finds again is put right."""


def find(table: Table, workspace_id: str, agent_id: str) -> tuple[AgentItem, PulseItem] | None:
    """An agent and its pulse, in one request."""
    wanted, pulse = AgentItem.at(workspace_id, agent_id), PulseItem.at(workspace_id, agent_id)
    known = table.read([wanted, pulse])
    agent = known.find(AgentItem, wanted)
    return (agent, known.find(PulseItem, pulse) or _no_pulse(agent)) if agent else None


def get(table: Table, workspace_id: str, agent_id: str) -> tuple[AgentItem, PulseItem]:
    found = find(table, workspace_id, agent_id)
    if found is None:
        raise _unknown(agent_id)
    return found


def get_with_load(table: Table, workspace_id: str, agent_id: str) -> tuple[AgentItem, PulseItem, LoadItem]:
    """An agent with its pulse and its load, in one request."""
    wanted, pulse = AgentItem.at(workspace_id, agent_id), PulseItem.at(workspace_id, agent_id)
    load = LOAD(workspace_id, agent_id)
    known = table.read([wanted, pulse, load])
    agent = known.find(AgentItem, wanted)
    if agent is None:
        raise _unknown(agent_id)
    return (
        agent,
        known.find(PulseItem, pulse) or _no_pulse(agent),
        known.find(LoadItem, load) or _no_load(agent),
    )


def list_all(table: Table, workspace_id: str) -> list[tuple[AgentItem, PulseItem]]:
    """Every agent, archived ones included, by name; one request."""
    return with_pulses(_rows(table, workspace_id))


def list_with_loads(table: Table, workspace_id: str) -> list[tuple[AgentItem, PulseItem, LoadItem]]:
    """The same with what each has to do, in the same request."""
    return with_loads(_rows(table, workspace_id))


def _rows(table: Table, workspace_id: str) -> Rows:
    # Some more than there may be: two who add the last one at once both succeed.
    most, among = 3 * (MAX_AGENTS + 100), SortRange(last=RULE.prefix())
    return table.query_all(AGENTS(workspace_id), most=most, sort=among, because=FEW_AGENTS)


def with_pulses(rows: Rows) -> list[tuple[AgentItem, PulseItem]]:
    """The agents among what was read, by name, and how they are."""
    pulses = {pulse.agent_id: pulse for pulse in rows.of(PulseItem)}
    agents = sorted(rows.of(AgentItem), key=lambda one: (one.name, one.profile_key))
    return [(agent, pulses.get(agent.id, _no_pulse(agent))) for agent in agents]


def with_loads(rows: Rows) -> list[tuple[AgentItem, PulseItem, LoadItem]]:
    """The same with what each has to do."""
    loads = {load.agent_id: load for load in rows.of(LoadItem)}
    return [(agent, pulse, loads.get(agent.id, _no_load(agent))) for agent, pulse in with_pulses(rows)]


def add(tx: Transaction, agent: AgentItem) -> None:
    tx.create(agent)
    tx.create(PulseItem(workspace_id=agent.workspace_id, agent_id=agent.id))
    counted = agent.created_at + RECOUNTED_EVERY
    tx.create(LoadItem(workspace_id=agent.workspace_id, agent_id=agent.id, recount_at=counted))
    taken_names.take(
        tx, taken_names.Owner(agent.workspace_id, "AGENT", agent.id, field="profileKey"), agent.profile_key
    )


def keep_alive(table: Table, pulse: PulseItem, *, seen: PulseItem | None = None) -> None:
    """Store a heartbeat that changes no status: a plain write, because it is frequent and harmless.

    `seen` is what it was decided on, where an older decision must not undo a newer heartbeat.
    """
    heard = {"last_heartbeat_at": seen.last_heartbeat_at} if seen else {}
    table.assign(pulse.key, _sign_of(pulse), only_if={"status": pulse.status, **heard})


def keep_alive_in(tx: Transaction, pulse: PulseItem) -> None:
    """The same together with other writes; a status that moved meanwhile has all of it decided again."""
    tx.adjust(pulse.key, assign=_sign_of(pulse), equal={"status": pulse.status})


def _sign_of(pulse: PulseItem) -> dict[str, object]:
    return {
        "last_heartbeat_at": pulse.last_heartbeat_at,
        "idle_at": pulse.idle_at,
        **due_attributes(pulse.key, pulse.idle_at),
    }


def _no_pulse(agent: AgentItem) -> PulseItem:
    """One request may read the pulse just before an agent is made, and the agent after."""
    return PulseItem(workspace_id=agent.workspace_id, agent_id=agent.id)


def _no_load(agent: AgentItem) -> LoadItem:
    return LoadItem(workspace_id=agent.workspace_id, agent_id=agent.id)


def _unknown(agent_id: str) -> NotFound:
    return NotFound(f"There is no agent {agent_id[:60]!r}.", hint="agents.list shows them.")
