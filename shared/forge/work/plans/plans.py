"""The plan aggregate: its spine, which decides everything, and the texts of its steps apart from it."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum

from forge.errors import Conflict, NotFound, PreconditionFailed
from forge.store.items import Item, Part
from forge.store.keys import REFERENCES, At, Partition
from forge.store.places import DueAt, In
from forge.work.issues.issues import ChecklistItem
from forge.work.record.texts import KeptText
from forge.work.workspace.crews.announcements import CrewRole

MOST_STEPS = 300
MOST_BYTES_OF_TITLES = 100_000
"""All of them are in one item, which every change of a step writes."""


class PlanStatus(StrEnum):
    DRAFT = "DRAFT"
    APPROVED = "APPROVED"
    RUNNING = "RUNNING"
    BLOCKED = "BLOCKED"
    COMPLETED = "COMPLETED"
    CANCELED = "CANCELED"


class StepStatus(StrEnum):
    TODO = "TODO"
    READY = "READY"
    RUNNING = "RUNNING"
    BLOCKED = "BLOCKED"
    REVIEW = "REVIEW"
    DONE = "DONE"
    CANCELED = "CANCELED"


NOT_BEGUN = frozenset({PlanStatus.DRAFT, PlanStatus.APPROVED})
OVER = frozenset({PlanStatus.COMPLETED, PlanStatus.CANCELED})
AT_WORK = frozenset({StepStatus.READY, StepStatus.RUNNING})
"""A step in one of these holds a place of its crew."""
SETTLED = frozenset({StepStatus.DONE, StepStatus.CANCELED})


class Step(Part):
    """A step as the spine knows it."""

    id: str
    title: str
    status: StepStatus = StepStatus.TODO
    depends_on: list[int] = []
    """Positions in the plan: ids would make the spine several times as long."""
    assigned_agent_id: str | None = None
    assigned_user_id: str | None = None
    assigned_role: CrewRole | None = None
    retry_count: int = 0
    source_run_id: str | None = None
    """The run whose end brought it to review."""
    gate_id: str | None = None
    """The review gate that is open for this step."""
    reviews: int = 0
    """How often it came to its review."""
    texts_digest: str | None = None
    """Of its texts, which never change: so the spine tells all that the plan is."""
    judge_agent_id: str | None = None
    judge_called_at: datetime | None = None
    """Who was called to judge it, until that is done."""


OF_PLAN = Partition("WS#{workspace_id}#PLAN#{plan_id}")
PLANS_LISTED = Partition("WS#{workspace_id}#UPDATED#PLAN")
PLANS_OF_ISSUE = Partition("WS#{workspace_id}#ISSUE#{issue_id}#PLANS")


class PlanItem(Item):
    stored = At(OF_PLAN, "META", plan_id="id")
    indexed = (
        In("updated", PLANS_LISTED, "{updated_at}#{id}"),
        In("subject", PLANS_OF_ISSUE, "{updated_at}#{id}"),
        DueAt("look_at"),
    )

    workspace_id: str
    id: str
    title: str
    status: PlanStatus = PlanStatus.DRAFT
    issue_id: str | None = None
    project_id: str | None = None
    crew_id: str | None = None
    goal_id: str | None = None
    max_step_retries: int = 2
    max_total_cost_usd: float | None = None
    max_wall_time_minutes: int | None = None
    is_active_attempt: bool = True
    auto_judge: bool = True
    created_by_id: str | None = None
    created_by_agent_id: str | None = None
    planner_agent_id: str | None = None
    """Who was called to break the goal into steps."""
    approved_by_id: str | None = None
    """Who said that it may run, of the steps that it has: adding some takes another yes."""
    planner_called_at: datetime | None = None
    """Since when that is owed: until people are asked to let it run, or nobody wants it any more."""
    approval_id: str | None = None
    """The request by which people are asked to let it run; perhaps settled since."""
    created_at: datetime
    updated_at: datetime
    started_at: datetime | None = None
    archived_at: datetime | None = None
    granted_cost_usd: float = 0
    """How much of its cap was added by people who let it go on."""
    wall_time_from: datetime | None = None
    """When somebody last let it go on: its time counts anew from there."""
    gate_id: str | None = None
    """The gate that is open for all of it."""
    look_at: datetime | None = None
    """When the sweep has to see whether it is within its budget, and gets on."""
    stalled_at: datetime | None = None
    """When the plan was last changed when it was reported as stalled, so that it is reported once."""
    steps: list[Step] = []
    """By position."""

    @property
    def is_over(self) -> bool:
        return self.status in OVER

    @property
    def is_planned(self) -> bool:
        """Whether it is still worth adding steps to."""
        return self.status is PlanStatus.DRAFT and self.is_active_attempt

    @property
    def can_begin(self) -> bool:
        """Whether a yes could let it run: it has not begun, and no other attempt took its place."""
        return self.status in NOT_BEGUN and (self.goal_id is None or self.is_active_attempt)

    @property
    def as_of_gate(self) -> dict[str, str | None]:
        """What a gate of the plan, or of a step of it, says of where it belongs."""
        return {
            "crew_id": self.crew_id,
            "issue_id": self.issue_id,
            "goal_id": self.goal_id,
            "plan_id": self.id,
        }

    def position_of(self, step_id: str) -> int:
        found = next((place for place, one in enumerate(self.steps) if one.id == step_id), None)
        if found is None:
            raise no_such_step(step_id)
        return found

    def step(self, step_id: str) -> Step:
        """As it reads: what belongs to a plan that was canceled is canceled, before anybody wrote that."""
        step = self.steps[self.position_of(step_id)]
        return step.model_copy(update={"status": status_of(self, step)})

    def with_step(self, step_id: str, **fields: object) -> "PlanItem":
        place = self.position_of(step_id)
        changed = self.steps[place].model_copy(update=fields)
        return self.changed(steps=[*self.steps[:place], changed, *self.steps[place + 1 :]])


class PlanTextItem(Item):
    """What is long about a plan; apart from the spine."""

    stored = At(OF_PLAN, "TEXT")

    workspace_id: str
    plan_id: str
    description: KeptText


class PlanCostItem(Item):
    # Apart from the plan, because many runs add to it at once.
    stored = At(OF_PLAN, "COST")

    workspace_id: str
    plan_id: str
    total_cost_usd: float = 0


class JudgeVerdict(Part):
    """How a step was judged last; the judge's words are its text's."""

    verdict: str
    score: float | None = None
    judged_by_id: str | None = None
    judged_by_agent_id: str | None = None
    is_of_worker: bool = False
    """Whether who did the step judged it, too."""
    judged_at: datetime


class StepTextItem(Item):
    """What is long about a step, and which plan it is of: steps are named by their own id alone.

    Written before the spine takes the step up; until then nobody finds it.
    """

    stored = At(REFERENCES, "REF", name="step_id")

    workspace_id: str
    step_id: str
    plan_id: str
    body: KeptText | None = None
    expected_output: KeptText | None = None
    verification: list[ChecklistItem] = []
    judge_verdict: JudgeVerdict | None = None
    judge_feedback: KeptText | None = None
    has_failed: bool = False
    """Whether the last verdict sent it back: then its feedback is for the next try."""

    @property
    def last_feedback(self) -> KeptText | None:
        return self.judge_feedback if self.has_failed else None


def status_of(plan: PlanItem, step: Step) -> StepStatus:
    is_reaped = plan.status is PlanStatus.CANCELED and step.status is not StepStatus.DONE
    return StepStatus.CANCELED if is_reaped else step.status


def extended(plan: PlanItem, steps: Iterable[Step]) -> PlanItem:
    """The plan with more steps behind all others."""
    longer = [*plan.steps, *steps]
    if len(longer) > MOST_STEPS:
        raise PreconditionFailed(
            f"A plan has at most {MOST_STEPS} steps.", hint="Join some of them, or make another plan."
        )
    if sum(len(one.title.encode()) for one in longer) > MOST_BYTES_OF_TITLES:
        raise PreconditionFailed(
            f"The titles of a plan's steps have at most {MOST_BYTES_OF_TITLES} bytes together.",
            hint="Say in a few words what each step does, and the rest in its body.",
        )
    return plan.changed(steps=longer)


def require_draft(plan: PlanItem, *, to: str) -> None:
    if plan.status is not PlanStatus.DRAFT or plan.archived_at is not None:
        raise Conflict(
            f"This plan is {plan.status}; {to} only while it is DRAFT.",
            hint="plans.decompose {goalId} begins a new attempt.",
        )


def ids_at(plan: PlanItem, positions: Sequence[int]) -> list[str]:
    return [plan.steps[place].id for place in positions]


def no_such_plan(plan_id: str) -> NotFound:
    return NotFound(
        f"There is no plan {plan_id[:60]!r}.", hint="executionPlans.list shows those that this key can see."
    )


def no_such_step(step_id: str) -> NotFound:
    return NotFound(
        f"No plan has a step {step_id[:60]!r}.", hint="executionPlans.get shows the steps of a plan."
    )
