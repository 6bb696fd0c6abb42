"""Execution plans as they come in and go out."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from forge.contract.fields import Id, IssueId, LongText, PagedRows, ProjectRef
from forge.contract.models import Model, Omittable
from forge.work.plans.drafting import StepDraft
from forge.work.plans.plans import PlanStatus, StepStatus
from forge.work.plans.views import Described, DescriptionOffset, PlanRow, StepRow, StepView

Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]
PlanId = Annotated[Id, Field(description="The plan.")]


class ListPlans(PagedRows, rare=["include_archived", "project_id"]):
    status: Annotated[PlanStatus | None, Field(description="Only those in this status.")] = None
    issue_id: Annotated[IssueId | None, Field(description="Only those of this issue.")] = None
    project_id: Annotated[ProjectRef | None, Field(description="Only those of this project.")] = None
    include_archived: Annotated[bool, Field(description="Whether archived ones are shown too.")] = False


class GetPlan(Model, rare=["offset", "text_offset", "description_offset"]):
    id: PlanId
    step_id: Annotated[Id | None, Field(description="Only this step, with whole texts.")] = None
    offset: Annotated[int, Field(ge=0, le=300, description="nextOffset of the answer before.")] = 0
    text_offset: Annotated[
        int, Field(ge=0, le=50_000, description="With stepId: nextTextOffset of the step, where it was cut.")
    ] = 0
    description_offset: DescriptionOffset = 0


class CreatePlan(Model, rare=["status", "project_id"]):
    title: Annotated[Title, Field(description="One line.")]
    description: Annotated[LongText | None, Field(description="What the plan is for, as Markdown.")] = None
    issue_id: Annotated[IssueId | None, Field(description="The issue that its runs are for.")] = None
    project_id: Annotated[ProjectRef | None, Field(description="The project it belongs to.")] = None
    goal_id: Annotated[
        Id | None, Field(description="The goal it is an attempt at, not the one that counts.")
    ] = None
    status: Annotated[
        Literal["DRAFT", "APPROVED"], Field(description="To let it run, use plans.activate.")
    ] = "DRAFT"
    steps: Annotated[list[StepDraft], Field(max_length=50, description="In the order of the plan.")] = []


class TransitionPlan(Model):
    id: PlanId
    status: Annotated[PlanStatus, Field(description="How it stands from now on.")]


class TransitionStep(Model):
    step_id: Annotated[Id, Field(description="The step.")]
    status: Annotated[StepStatus, Field(description="How it stands from now on.")]
    source_run_id: Annotated[Id | None, Field(description="The run that brought it there.")] = None


class PlanView(Described, PlanRow):
    """`nextOffset` where more steps follow."""

    max_step_retries: int
    max_total_cost_usd: float | None
    max_wall_time_minutes: int | None
    total_cost_usd: float
    auto_judge: bool
    gate_id: Annotated[Omittable[str], Field(description="The review gate that is open for all of it.")] = (
        None
    )
    steps: list[StepView]
    next_offset: Omittable[int] = None


class CreatedPlan(PlanRow):
    steps: list[StepRow]
