"""What runs tell of themselves: the events of a run, and the payload of each."""

from forge.contract.effects import Emission, Told
from forge.work.record.log.kinds import EventKind

RUN = "agent-run"


class OfRun(Told):
    """What every event about a run says of it."""

    run_id: str
    issue_id: str
    agent_id: str


class RunStarted(OfRun):
    assignment_event_id: str | None


class RunEnded(OfRun):
    final_status: str
    summary: str | None


class RunBlocked(OfRun):
    reason: str


class RunKicked(OfRun):
    idle_ms: int
    current_step: str | None
    via: str


RUN_STARTED = Emission(EventKind.AGENT_RUN_STARTED, RUN, RunStarted)
RUN_ENDED = Emission(EventKind.AGENT_RUN_COMPLETED, RUN, RunEnded)
RUN_STALLED = Emission(EventKind.AGENT_RUN_STALLED, RUN, RunEnded)
RUN_BLOCKED = Emission(EventKind.AGENT_RUN_BLOCKED, RUN, RunBlocked)
RUN_KICKED = Emission(EventKind.AGENT_RUN_KICKED, RUN, RunKicked)
