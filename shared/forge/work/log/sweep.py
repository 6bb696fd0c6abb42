"""The minute sweep: looks at whatever is due, and lets the rule for it decide again on the state as it is.

Its cost follows the number of things that are due, never the size of a workspace. Every rule is repeatable: a
sweep that dies halfway, or two at once, do no harm.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from forge.context import Caller, KeyKind
from forge.errors import DomainError
from forge.store import keys
from forge.store.answers import Refused
from forge.store.keys import Key
from forge.store.store import Store
from forge.store.table import SortRange
from forge.store.transactions import Origin, Transaction, VersionMoved
from forge.work.continuations.going_on import go_on
from forge.work.log import outbox
from forge.work.log.events import LogItem, record, record_change
from forge.work.people import agents, api_keys, people_keys
from forge.work.people.agents import AgentItem, AgentStatus, PulseItem
from forge.work.people.announcements import AGENT_STATUS_CHANGED, AgentStatusChanged
from forge.work.people.api_keys import ApiKeyItem
from forge.work.workspaces import workspaces

MAX_PER_PARTITION = 500


@dataclass(frozen=True, slots=True)
class Sweep:
    store: Store
    now: datetime
    new_id: Callable[[str], str]
    on_failure: Callable[[Key, Exception], object] = lambda key, reason: None
    """Told of everything that is left for the next sweep."""

    def begin(self, workspace_id: str) -> Transaction:
        """A transaction of nobody's: the log says that the sweep did it."""
        nobody = Caller("sweep", workspace_id, KeyKind.AGENT, frozenset(), "sweep")
        return Transaction(
            self.store.table.name, Origin(nobody, "sweep", self.new_id("swp"), self.now, self.new_id)
        )


Rule = Callable[[Sweep, Key], bool]


def run(sweep: Sweep) -> int:
    """Settle everything that is due; how many things really changed."""
    return sum(settle(sweep, key) for key in due(sweep))


def go_offline(sweep: Sweep, key: Key) -> bool:
    """An agent that has not been heard of for its workspace's idle time is OFFLINE.

    The rule is applied as the settings are now; what was written down with the last heartbeat only says when
    to look.
    """
    pulse = sweep.store.table.find(PulseItem, key)
    if pulse is None or pulse.idle_at is None or pulse.last_heartbeat_at is None:
        return False
    workspace = workspaces.get(sweep.store.table, pulse.workspace_id)
    minutes = workspace.agent_idle_timeout_minutes
    idle_at = pulse.last_heartbeat_at + timedelta(minutes=minutes)
    if minutes == 0 or idle_at > sweep.now:
        look_at = idle_at if minutes else sweep.now + timedelta(minutes=15)
        agents.keep_alive(sweep.store.table, pulse.changed(idle_at=look_at), seen=pulse)
        return False
    _announce_offline(sweep, pulse, minutes)
    return True


def _announce_offline(sweep: Sweep, pulse: PulseItem, minutes: int) -> None:
    agent = sweep.store.table.find(AgentItem, people_keys.agent(pulse.workspace_id, pulse.agent_id))
    tx = sweep.begin(pulse.workspace_id)
    # On the heartbeat it saw: one that came meanwhile leaves the version alone, but counts.
    tx.replace(
        pulse.changed(status=AgentStatus.OFFLINE, idle_at=None),
        unchanged={"last_heartbeat_at": pulse.last_heartbeat_at},
    )
    told = AgentStatusChanged(
        profile_key=agent.profile_key if agent else None,
        from_=pulse.status,
        to=AgentStatus.OFFLINE,
        reason="heartbeat-timeout",
        last_heartbeat_at=pulse.last_heartbeat_at,
        timeout_minutes=minutes,
    )
    record(tx, AGENT_STATUS_CHANGED, told, subject_id=pulse.agent_id, action="sweep")
    sweep.store.commit(tx)


def send_unsent(sweep: Sweep, key: Key) -> bool:
    row = sweep.store.table.find(LogItem, key)
    return row is not None and outbox.relay(sweep.store, row)


def purge_session(sweep: Sweep, key: Key) -> bool:
    """A session's key is of no use once it has expired, and is not kept."""
    item = sweep.store.table.find(ApiKeyItem, key)
    if item is None or not item.is_over_session(sweep.now):
        return False
    tx = sweep.begin(item.workspace_id)
    api_keys.purge(tx, item)
    record_change(tx, "key", item.id, action="purge", before=item)
    sweep.store.commit(tx)
    return True


RULES: Mapping[str, Rule] = {
    "AGENTS": go_offline,
    "LOG": send_unsent,
    "KEYS": purge_session,
    "CONTINUATIONS": go_on,
}
"""By the last part of the partition: `WS#{workspace}#AGENTS`. Leases need none: their expiry is compared."""


def due(sweep: Sweep) -> list[Key]:
    until = keys.sortable_time(sweep.now)
    found = []
    for partition in keys.DUE_PARTITIONS:
        found += sweep.store.table.query_all(
            partition, index="due", sort=SortRange(last=until), most=MAX_PER_PARTITION
        ).keys
    return found


def settle(sweep: Sweep, key: Key) -> bool:
    rule = RULES.get(key.partition.rpartition("#")[2])
    if rule is None:
        return False
    try:
        return rule(sweep, key)
    except (VersionMoved, DomainError, ValueError, Refused) as reason:
        # Somebody else changed it, the table is busy, or this build can't read it: it is still due, the next
        # sweep looks again, and what comes after it must not wait.
        sweep.on_failure(key, reason)
        return False
