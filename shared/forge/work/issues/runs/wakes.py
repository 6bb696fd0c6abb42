"""Wakes: which agents must hear of what happens to an issue, why, and in which mode they would begin."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeVar

from forge.work.issues.runs.modes import Engagement
from forge.work.workspace.people.agents import AgentItem

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
