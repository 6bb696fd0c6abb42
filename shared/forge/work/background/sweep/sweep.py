"""The minute sweep: looks at whatever is due, and lets the rule for it decide again on the state as it is.

Its cost follows the number of things that are due, never the size of a workspace. Every rule is repeatable: a
sweep that dies halfway, or two at once, do no harm.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from itertools import starmap, zip_longest
from typing import NamedTuple

from forge.errors import DomainError
from forge.store import keys
from forge.store.answers import Refused
from forge.store.keys import Key
from forge.store.ranges import SortRange
from forge.store.transactions import VersionMoved
from forge.work.background.continuations.going_on import go_on
from forge.work.background.deliveries.deliveries import DeliveryItem
from forge.work.background.purges import purge
from forge.work.background.sweep import outbox, timers
from forge.work.background.sweep.timers import Due, TimerItem, TimerState
from forge.work.background.watchdogs import (
    counted_days,
    expired_locks,
    neglected_issues,
    recounting,
    running_plans,
    silent_runs,
    waiting_issues,
)
from forge.work.backlog.trackers.errands import ErrandItem
from forge.work.overviews.exports.orders import ExportItem
from forge.work.plans.gateway.tasks import TaskItem
from forge.work.plans.requests import deciding
from forge.work.plans.waits.waits import WaitItem
from forge.work.record.log.events import record, record_change
from forge.work.workspace import workspaces
from forge.work.workspace.erasures import ErasureItem
from forge.work.workspace.jobs import resend
from forge.work.workspace.people import agents
from forge.work.workspace.people.agents import LOAD, AgentItem, AgentStatus, PulseItem
from forge.work.workspace.people.announcements import AGENT_STATUS_CHANGED, AgentStatusChanged
from forge.work.workspace.people.api_keys import ApiKeyItem
from forge.work.workspace.workers import Worker

MOST_READ = 25_000
"""Rows of one partition, which hold nothing but keys: some five megabytes."""
MOST_OF_ONE = 2_000
"""Things of one workspace that are settled before the sweep looks again."""
_STRETCH = 1_000
_AT_THE_END = frozenset({"ERASURE", "CONTINUATIONS"})
"""All that is done in a workspace that is being deleted."""


@dataclass(frozen=True, slots=True)
class Sweep:
    worker: Worker
    on_failure: Callable[[Due, Exception, TimerItem | None], object]
    """Told of everything that failed, and of what is known of its failures."""
    counts: Counter[str] = field(default_factory=Counter)
    """`due`, `swept`, `failed`, `dead`, `overtaken` by somebody else, and `unknown` to this build."""


Rule = Callable[[Worker, Key], bool]


def run(sweep: Sweep) -> int:
    """Settle everything that is due, as long as there is time; how many things really changed."""
    seen: set[Due] = set()
    known: set[str] = set()
    while True:
        found, is_everything = look(sweep)
        fresh = [one for one in found if one not in seen]
        counted_days.begin_where_missing(sweep.worker, {one.workspace_id for one in fresh} - known)
        known |= {one.workspace_id for one in fresh}
        seen.update(fresh)
        for one in fresh:
            if not sweep.worker.has_time():
                return sweep.counts["swept"]
            sweep.counts["due"] += 1
            sweep.counts["swept"] += settle(sweep, one)
        if is_everything or not fresh:
            return sweep.counts["swept"]


def examine_agent(worker: Worker, key: Key) -> bool:
    is_load = key.sort.startswith(LOAD.prefix())
    return recounting.look(worker, key) if is_load else go_offline(worker, key)


def go_offline(worker: Worker, key: Key) -> bool:
    """An agent that has not been heard of for its workspace's idle time is OFFLINE.

    The rule is applied as the settings are now; what was written down with the last heartbeat only says when
    to look.
    """
    pulse = worker.store.table.find(PulseItem, key)
    if pulse is None or pulse.idle_at is None or pulse.last_heartbeat_at is None:
        return False
    workspace = workspaces.get(worker.store.table, pulse.workspace_id)
    minutes = workspace.agent_idle_timeout_minutes
    idle_at = pulse.last_heartbeat_at + timedelta(minutes=minutes)
    if minutes == 0 or idle_at > worker.now:
        look_at = idle_at if minutes else worker.now + timedelta(minutes=15)
        agents.keep_alive(worker.store.table, pulse.changed(idle_at=look_at), seen=pulse)
        return False
    _announce_offline(worker, pulse, minutes)
    return True


def _announce_offline(worker: Worker, pulse: PulseItem, minutes: int) -> None:
    agent = worker.store.table.find(AgentItem, AgentItem.at(pulse.workspace_id, pulse.agent_id))
    tx = worker.begin(pulse.workspace_id)
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
    worker.store.commit(tx)


def purge_session(worker: Worker, key: Key) -> bool:
    """A session's key is not listed once it has expired; what refuses it is kept for a while."""
    item = worker.store.table.find(ApiKeyItem, key)
    if item is None or not item.is_over_session(worker.now):
        return False
    tx = worker.begin(item.workspace_id)
    tx.delete(item)
    record_change(tx, "key", item.id, action="purge", before=item)
    worker.store.commit(tx)
    return True


RULES: Mapping[str, Rule] = {
    "AGENTS": examine_agent,
    "LOG": lambda worker, key: outbox.relay_row(worker.store, key),
    "OUTBOX": lambda worker, key: outbox.relay_unless_sent(worker.store, [key]) > 0,
    "KEYS": purge_session,
    "CONTINUATIONS": go_on,
    "ISSUE": neglected_issues.look,
    "RUN": silent_runs.look,
    "ATTACHMENTS": purge,
    "DELIVERIES": partial(resend, DeliveryItem),
    "WORKFLOW": expired_locks.look,
    "WAIT": partial(resend, WaitItem),
    "PLAN": running_plans.look,
    "TASK": partial(resend, TaskItem),
    "EXPORT": partial(resend, ExportItem),
    "ERASURE": partial(resend, ErasureItem),
    "ERRAND": partial(resend, ErrandItem),
    "LINE": waiting_issues.look,
    "ACTION": deciding.come_back,
    "FIGURES": counted_days.look,
}
"""By what the partition is of: `WS#{workspace}#AGENTS`."""


def settle(sweep: Sweep, due: Due) -> bool:
    """Let the rule decide about one thing; whether it changed. Nothing that happens here stops the others."""
    rule = RULES.get(due.kind)
    if rule is None:
        # A newer build's, which settles it.
        sweep.counts["unknown"] += 1
        return False
    try:
        is_changed = rule(sweep.worker, due.key)
        if due.has_failed:
            _forget_failures(sweep, due)
    except VersionMoved:
        # Somebody else changed it, as whoever gets a message that was sent here does at once: it is due when
        # they said, and looked at then. That is no failure.
        sweep.counts["overtaken"] += 1
        return False
    except Exception as reason:  # noqa: BLE001 - whatever it is, it is told, counted, and tried again later
        sweep.counts["failed"] += 1
        _put_off(sweep, due, reason)
        return False
    return is_changed


def _forget_failures(sweep: Sweep, due: Due) -> None:
    known = timers.find(sweep.worker.store.table, due.workspace_id, due.key)
    if known is not None:
        tx = sweep.worker.begin(due.workspace_id)
        tx.delete(known)
        sweep.worker.store.commit(tx)


def _put_off(sweep: Sweep, due: Due, reason: Exception) -> None:
    try:
        known = timers.find(sweep.worker.store.table, due.workspace_id, due.key)
        timer = timers.failed(known, due, reason, now=sweep.worker.now, chance=sweep.worker.chance())
        tx = sweep.worker.begin(due.workspace_id)
        timers.put_off(tx, known, timer, due)
        sweep.worker.store.commit(tx)
    except (VersionMoved, DomainError, ValueError, Refused) as second:
        # It stays due, and the next sweep looks again.
        reason.add_note(f"It could not be put off, either: {second!r}")
        sweep.on_failure(due, reason, None)
        return
    sweep.counts["dead"] += timer.state is TimerState.DEAD
    sweep.on_failure(due, reason, timer)


class Looked(NamedTuple):
    due: list[Due]
    """By turns of the workspaces, so that one with much to do keeps none of the others waiting."""
    is_everything: bool


def look(sweep: Sweep) -> Looked:
    """What is due, oldest first in each workspace.

    Where a workspace has more than its share, the rest is passed over, to find what lies behind it.
    """
    waiting: dict[str, list[Due]] = {}
    is_everything = True
    for partition in keys.DUE_PARTITIONS:
        read, after = 0, None
        while read < MOST_READ:
            rows = sweep.worker.store.table.query(
                partition,
                index="due",
                sort=SortRange(last=keys.sortable_time(sweep.worker.now)),
                limit=_STRETCH,
                after=after,
                because="all that is due is looked at, as long as there is time",
            )
            after = rows.next_position
            for one in starmap(Due, rows.places_in("due")):
                queue = waiting.setdefault(one.workspace_id, [])
                is_everything &= len(queue) < MOST_OF_ONE
                if len(queue) < MOST_OF_ONE:
                    queue.append(one)
            read += len(rows)
            if after is None or not sweep.worker.has_time():
                break
        is_everything &= after is None
    for workspace_id in workspaces.which_end(sweep.worker.store.table, filter(None, waiting)):
        waiting[workspace_id] = [one for one in waiting[workspace_id] if one.kind in _AT_THE_END]
    for queue in waiting.values():
        queue.sort(key=lambda one: one.place)
    return Looked(by_turns(waiting.values()), is_everything)


def by_turns(queues: Iterable[Sequence[Due]]) -> list[Due]:
    """The first of each, then the second of each, and so on."""
    return [one for turn in zip_longest(*queues) for one in turn if one is not None]
