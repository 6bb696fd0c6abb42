"""Wakes: which agents must hear of what happens to an issue, and how the tries to reach them went."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum
from typing import NamedTuple, TypeVar

from forge.store.transactions import Transaction
from forge.work.issues.runs import runs, silence
from forge.work.issues.runs.modes import Engagement
from forge.work.issues.runs.runs import RunItem
from forge.work.record.log.kinds import EventKind
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.workspaces import WorkspaceItem

EventT = TypeVar("EventT")


class Reason(IntEnum):
    """Why an agent is called; of several in one change the strongest counts."""

    WATCHING = 1
    MENTIONED = 2
    ASSIGNED = 3


@dataclass(frozen=True, slots=True)
class WakeCall:
    """An agent that must be told of an event, and the mode of the run if one has to begin."""

    agent_id: str
    reason: Reason
    engagement: Engagement
    is_fresh: bool = False
    """A new assignment: it also changes the mode of a run that is live already."""
    ends_waiting: bool = False
    """It is spoken to: a run of its that waits for somebody goes on, and has to be read."""


def strongest(calls: Iterable[tuple[EventT, Iterable[WakeCall]]]) -> list[tuple[EventT, WakeCall]]:
    """One call for each agent, with the event that it belongs to, however many events call it."""
    found: dict[str, tuple[EventT, WakeCall]] = {}
    for event, called in calls:
        for call in called:
            known = found.get(call.agent_id)
            if known is None or call.reason > known[1].reason:
                found[call.agent_id] = (event, call)
    return list(found.values())


def those_who_hear(
    calls: Iterable[tuple[EventT, WakeCall]], agents: Mapping[str, AgentItem | None], *, caller_id: str | None
) -> list[tuple[EventT, WakeCall]]:
    """Without agents that are gone, and without whoever calls, unless it gives itself the work."""

    def hears(call: WakeCall) -> bool:
        agent = agents[call.agent_id]
        return (
            agent is not None and agent.archived_at is None and (call.agent_id != caller_id or call.is_fresh)
        )

    return [(event, call) for event, call in calls if hears(call)]


WAKE_DELIVERED = "WAKE_DELIVERED"


class WakeTry(NamedTuple):
    """The delivery that was tried, and the event that it tells of."""

    delivery_id: str
    event_id: str
    event_kind: str


def tried(
    tx: Transaction, run: RunItem, wake: WakeTry, *, is_delivered: bool, workspace: WorkspaceItem
) -> None:
    """Write down a try, and of one that succeeded what follows; a run that is over has no more events."""
    now = tx.origin.now
    after = with_try(run, wake, now)
    if is_delivered and run.is_live:
        after = with_ack_due(after, wake, now=now, seconds=workspace.required_ack_seconds)
        told = {"deliveryId": wake.delivery_id, "eventId": wake.event_id, "kind": wake.event_kind}
        runs.note(tx, run, WAKE_DELIVERED, told)
    tx.replace(after)


def with_try(run: RunItem, wake: WakeTry, now: datetime) -> RunItem:
    return run.changed(
        last_wake_at=now, wake_attempts=run.wake_attempts + 1, last_wake_delivery_id=wake.delivery_id
    )


def with_ack_due(run: RunItem, wake: WakeTry, *, now: datetime, seconds: int) -> RunItem:
    """An agent that was given work has so long to show a sign, from when it could know; 0 is no limit.

    Only of the assignment that counts: the post may be late, and tell of an earlier one.
    """
    is_its_assignment = (wake.event_kind, wake.event_id) == (
        EventKind.AGENT_ASSIGNED,
        run.assignment_event_id,
    )
    if not is_its_assignment or seconds == 0 or silence.has_answered(run):
        return run
    return run.changed(ack_due_at=now + timedelta(seconds=seconds))
