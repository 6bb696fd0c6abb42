"""Review gates as they come in and go out."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from forge.contract.fields import CrewRef, Id, PagedRows
from forge.contract.models import Model, Omittable
from forge.work.plans.goals.gates import GateStatus

_Word = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40)]
_Prose = Annotated[str, StringConstraints(strip_whitespace=True, max_length=10_000)]


class GateDecision(StrEnum):
    APPROVED = "APPROVED"
    REJECTED = "REJECTED"
    CANCELED = "CANCELED"


class ListGates(PagedRows, rare=["cursor", "fields"]):
    id: Annotated[Id | None, Field(description="Only this one.")] = None
    status: Annotated[GateStatus | None, Field(description="Only those in this status.")] = None
    target_type: Annotated[_Word | None, Field(description="Only those for such things.")] = None


class OpenReviewGate(Model):
    target_type: Annotated[
        _Word, Field(description="What waits: execution-step, execution-plan, issue, or any word.")
    ]
    target_id: Annotated[_Word, Field(description="Its id; of an issue also e.g. DEMO-12.")]
    prompt: Annotated[_Prose, Field(min_length=1, description="What somebody has to decide, as Markdown.")]
    required_role: Annotated[
        _Word | None,
        Field(description="Who decides: a role in the crew or, without a crew, in the workspace."),
    ] = None
    crew_id: Annotated[
        CrewRef | None, Field(description="The crew, by id or name; of a plan, else its own.")
    ] = None


class ResolveGate(Model):
    id: Annotated[Id, Field(description="The gate.")]
    decision: Annotated[GateDecision, Field(description="CANCELED takes the question back.")]
    resolution: Annotated[_Prose | None, Field(description="Why, as Markdown.")] = None


class GateView(Model):
    id: str
    target_type: str
    target_id: str
    status: GateStatus
    prompt: str
    required_role: str | None
    crew_id: str | None
    issue_id: Omittable[str] = None
    goal_id: Omittable[str] = None
    plan_id: Omittable[str] = None
    workflow: Annotated[Omittable[str], Field(description="Of the run of the gateway that waits.")] = None
    run_id: Annotated[Omittable[str], Field(description="The run of the gateway that waits.")] = None
    resolution: str | None
    requested_by_id: Omittable[str] = None
    requested_by_agent_id: Omittable[str] = None
    resolved_by_id: Omittable[str] = None
    resolved_by_agent_id: Omittable[str] = None
    created_at: datetime
    resolved_at: datetime | None


class GateRow(GateView):
    requested_by: Annotated[
        Omittable[str], Field(description="What whoever opened it is called; none where it opened by itself.")
    ] = None
