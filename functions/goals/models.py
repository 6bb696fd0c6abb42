"""Goals as they come in and go out."""

from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from forge.contract.fields import CrewRef, Id, InitiativeRef, IssueId, LongText, PagedRows
from forge.contract.models import Model, Omittable, OmittableList
from forge.contract.questions import Confirm
from forge.work.issues.views import IssueBrief
from forge.work.plans.goals.goals import GoalStatus
from forge.work.plans.views import Described, DescriptionOffset, PlanRow, StepRow
from forge.work.workspace.crews.announcements import CrewRole

Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]
Usd = Annotated[float, Field(ge=0, le=1_000_000), AfterValidator(lambda cost: round(cost, 4))]
GoalId = Annotated[Id, Field(description="The goal.")]


class ListGoals(PagedRows, rare=["include_archived"]):
    status: Annotated[GoalStatus | None, Field(description="Only those in this status.")] = None
    include_archived: Annotated[bool, Field(description="Whether archived ones are shown too.")] = False


class GetGoal(Model, rare=["description_offset"]):
    id: GoalId
    description_offset: DescriptionOffset = 0


class CreateGoal(Model, rare=["initiative_id"]):
    title: Annotated[Title, Field(description="One line: what is to be true in the end.")]
    description: Annotated[LongText | None, Field(description="What a planner needs, as Markdown.")] = None
    issue_id: Annotated[IssueId | None, Field(description="The issue that its runs are for.")] = None
    initiative_id: Annotated[InitiativeRef | None, Field(description="The initiative it is for.")] = None
    crew_id: Annotated[CrewRef | None, Field(description="Who achieves it: a crew's id or name.")] = None
    max_total_cost_usd: Annotated[Usd | None, Field(description="What it may cost in all.")] = None
    max_wall_time_minutes: Annotated[
        int | None, Field(ge=1, le=525_600, description="How long an attempt may take.")
    ] = None


class AbandonGoal(Model, rare=["confirm"]):
    id: GoalId
    reason: Annotated[str | None, Field(max_length=2000, description="Why.")] = None
    confirm: Confirm = False


class AttachPlan(Model):
    goal_id: GoalId
    plan_id: Annotated[Id, Field(description="A plan without a goal: see executionPlans.list.")]
    make_active: Annotated[
        bool, Field(description="Whether it is the attempt that counts; the present one is canceled.")
    ] = False


class CreatedGoal(Model):
    id: str


class PlanCounts(Model):
    plans: int


class GoalRow(Model):
    id: str
    title: str
    status: GoalStatus
    issue_id: str | None
    initiative_id: str | None
    crew_id: str | None
    created_by_id: str | None
    created_by_agent_id: str | None
    max_total_cost_usd: float | None
    max_wall_time_minutes: int | None
    counts: Annotated[PlanCounts, Field(alias="_count")]
    started_at: datetime | None
    achieved_at: datetime | None
    created_at: datetime
    updated_at: datetime
    archived_at: Omittable[datetime] = None


class CrewMemberView(Model):
    agent_id: str
    role: CrewRole


class CrewBrief(Model):
    id: str
    name: str
    max_parallel: int
    members: list[CrewMemberView]


class Aggregate(Model):
    """Of the attempt that counts, else of the newest one."""

    active_plan_id: str | None
    total_steps: int
    done_steps: int
    blocked_steps: int


class AttemptView(PlanRow):
    """`steps` of the attempt that counts."""

    steps: OmittableList[StepRow] = []


class GoalView(Described, GoalRow):
    """`truncated` where steps are left out: executionPlans.get has all of them."""

    total_cost_usd: float
    plans: Annotated[list[AttemptView], Field(description="Every attempt, the newest first.")]
    crew: CrewBrief | None
    issue: IssueBrief | None
    aggregate: Aggregate
    truncated: Omittable[bool] = None
