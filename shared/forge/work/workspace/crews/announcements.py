"""What is told of crews."""

from enum import StrEnum

from forge.contract.effects import Emission, Told
from forge.work.record.log.kinds import EventKind


class CrewRole(StrEnum):
    PLANNER = "PLANNER"
    WORKER = "WORKER"
    REVIEWER = "REVIEWER"
    OBSERVER = "OBSERVER"
    OPERATOR_PROXY = "OPERATOR_PROXY"


class CrewChanged(Told):
    """What was done; of a member, who it is."""

    action: str
    name: str
    max_parallel: int | None = None
    member_id: str | None = None
    agent_id: str | None = None
    role: CrewRole | None = None


CREW_CHANGED = Emission(EventKind.ISSUE_UPDATED, "agent-crew", CrewChanged)
