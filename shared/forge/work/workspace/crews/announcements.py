"""What is told of crews, of goals, and of the gates at which a plan waits."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

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


class GoalCreated(Told):
    goal_title: str
    issue_id: str | None
    crew_id: str | None


class GoalMoved(Told):
    """`planId` where an attempt at it began or came to its end; `reason` where it was given up."""

    from_: Annotated[str, Field(alias="from")]
    to: str
    reason: str | None = None
    plan_id: str | None = None


class GateChanged(Told):
    """`decision` where somebody decided."""

    action: str
    gate_target_type: str
    gate_target_id: str
    status: str
    decision: str | None = None


GOAL_CREATED = Emission(EventKind.GOAL_CREATED, "goal", GoalCreated)
GOAL_MOVED = Emission(EventKind.GOAL_STATUS_CHANGED, "goal", GoalMoved)
GATE_CHANGED = Emission(EventKind.ISSUE_UPDATED, "review-gate", GateChanged)
