"""Plans in the loop, as they come in and go out."""

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from forge.contract.awaiting import Waits
from forge.contract.fields import AgentRef, Id, PersonRef, SomeText
from forge.contract.models import Model, Omittable
from forge.work.plans.drafting import StepDraft
from forge.work.plans.goals.goals import GoalStatus
from forge.work.plans.rules import Verdict, VerdictOutcome

PlanId = Annotated[Id, Field(description="The plan.")]
Score = Annotated[float, Field(ge=0, le=1), AfterValidator(lambda score: round(score, 4))]
StepId = Annotated[Id, Field(description="The step.")]


class Decompose(Model):
    goal_id: Annotated[Id, Field(description="The goal.")]
    planner_agent_id: Annotated[
        AgentRef | None,
        Field(description="Who plans; else the crew's PLANNER, else you."),
    ] = None


class AddSteps(Model):
    plan_id: PlanId
    steps: Annotated[
        list[StepDraft], Field(min_length=1, max_length=100, description="In the order of the plan.")
    ]


class RequestApproval(Model, rare=["wait"]):
    plan_id: PlanId
    assigned_user_id: Annotated[PersonRef | None, Field(description="Who shall decide.")] = None
    wait: Annotated[bool, Field(description="Answer with the decision, where tasks are taken.")] = False


class Activate(Model):
    plan_id: PlanId


class Judge(Model):
    step_id: StepId
    judge_agent_id: Annotated[
        AgentRef | None, Field(description="Who judges, by id or profileKey; else the crew's REVIEWER.")
    ] = None


class RecordVerdict(Model):
    step_id: StepId
    verdict: Annotated[Verdict, Field(description="Whether what was expected came of it.")]
    feedback: Annotated[
        SomeText,
        StringConstraints(strip_whitespace=True),
        Field(description="Why; for a FAIL, what to change."),
    ]
    score: Annotated[Score | None, Field(description="How good it is.")] = None


class PlannerView(Model):
    id: str
    profile_key: str
    name: str


class Decomposed(Model):
    """`dispatchable`: whether the planner can be reached by webhook."""

    plan_id: str
    status: GoalStatus
    planner_agent_id: str | None
    planner: PlannerView | None
    dispatchable: bool


class AddedSteps(Model):
    step_ids: list[str]


class ApprovalRequested(Model):
    action_request_id: str
    waits: Omittable[Waits] = None


class Judging(Model):
    judge_agent_id: str | None


class VerdictRecorded(Model):
    outcome: VerdictOutcome
    retry_count: int
    self_judged: Annotated[
        Omittable[bool], Field(description="You judged your own work, as nobody else of the crew can.")
    ] = None
