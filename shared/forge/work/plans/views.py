"""Plans and steps as they are shown."""

from datetime import datetime
from typing import Annotated, TypeVar

from pydantic import Field

from forge.context import Context
from forge.contract.models import Model, Omittable, OmittableList
from forge.store.blobs import Blobs
from forge.work.issues.views import CheckView
from forge.work.plans.plans import (
    PlanItem,
    PlanStatus,
    Step,
    StepStatus,
    StepTextItem,
    ids_at,
    status_of,
)
from forge.work.record import texts
from forge.work.record.texts import KeptText
from forge.work.workspace.crews.announcements import CrewRole

DescribedT = TypeVar("DescribedT", bound="Described")

SHORT = 400
"""Characters of a text where many steps are shown."""


DescriptionOffset = Annotated[
    int, Field(ge=0, le=50_000, description="nextDescriptionOffset of the answer before.")
]


class Described(Model):
    """What has a description that may be too long for one answer."""

    description: str | None
    next_description_offset: Annotated[
        Omittable[int], Field(description="Where the description goes on: pass it as descriptionOffset.")
    ] = None


def described(ctx: Context, kept: KeptText | None, *, offset: int, most: int) -> dict[str, object]:
    """The fields of what is described, with the part of the text that begins there."""
    text = texts.read(ctx.services.store.blobs, kept) if kept else ""
    part, rest = texts.part_of(text, offset=offset, limit=most, field="descriptionOffset")
    return {"description": part or None, "next_description_offset": rest}


def with_less_description(view: DescribedT, excess: int, *, offset: int) -> DescribedT:
    """Shorter by so many characters; in an answer, each takes at least one."""
    text = view.description or ""
    shown = text[: max(0, len(text) - excess)]
    return view.model_copy(update={"description": shown, "next_description_offset": offset + len(shown)})


class StepCounts(Model):
    steps: int


class PlanRow(Model):
    id: str
    title: str
    status: PlanStatus
    issue_id: str | None
    project_id: str | None
    crew_id: str | None
    goal_id: str | None
    is_active_attempt: bool
    counts: Annotated[StepCounts, Field(alias="_count")]
    done_steps: int
    blocked_steps: int
    started_at: datetime | None
    created_at: datetime
    updated_at: datetime
    archived_at: Omittable[datetime] = None


class StepRow(Model):
    id: str
    title: str
    position: int
    status: StepStatus
    depends_on_step_ids: OmittableList[str] = []
    assigned_agent_id: str | None
    assigned_user_id: Omittable[str] = None
    assigned_role: Omittable[CrewRole] = None
    retry_count: int
    source_run_id: Omittable[str] = None
    gate_id: Annotated[Omittable[str], Field(description="The review gate that is open for it.")] = None


class VerdictView(Model):
    verdict: str
    feedback: str
    score: Omittable[float] = None
    judged_by_agent_id: Omittable[str] = None
    judged_by_id: Omittable[str] = None
    self_judged: Annotated[Omittable[bool], Field(description="Who did the step judged it, too.")] = None
    judged_at: datetime


class StepView(StepRow):
    """`truncated` where a text is cut; executionPlans.get with stepId and `textOffset` shows the rest."""

    body: Omittable[str] = None
    expected_output: Omittable[str] = None
    verification: OmittableList[CheckView] = []
    judge_verdict: Omittable[VerdictView] = None
    last_feedback: Annotated[Omittable[str], Field(description="Why it failed last: for the next try.")] = (
        None
    )
    truncated: Omittable[bool] = None
    next_text_offset: Annotated[Omittable[int], Field(description="Where the texts go on.")] = None


def plan_fields(plan: PlanItem) -> dict[str, object]:
    """What a row says of the steps."""
    statuses = [status_of(plan, one) for one in plan.steps]
    return {
        "counts": StepCounts(steps=len(statuses)),
        "done_steps": statuses.count(StepStatus.DONE),
        "blocked_steps": statuses.count(StepStatus.BLOCKED),
    }


def plan_row(plan: PlanItem) -> PlanRow:
    return PlanRow.of(plan, **plan_fields(plan))


def step_row(plan: PlanItem, position: int) -> StepRow:
    return StepRow.of(plan.steps[position], **_fields(plan, position))


def step_view(
    plan: PlanItem, position: int, text: StepTextItem | None, *, blobs: Blobs, part: slice
) -> StepView:
    """With that part of its texts."""
    step = plan.steps[position]
    if text is None:
        text = StepTextItem(workspace_id=plan.workspace_id, step_id=step.id, plan_id=plan.id)
    said = {"body": text.body, "expected_output": text.expected_output, "last_feedback": text.last_feedback}
    whole = {name: _read(blobs, one) for name, one in said.items()}
    feedback = _read(blobs, text.judge_feedback) or ""
    verdict = text.judge_verdict
    judged = {"feedback": feedback[part], "self_judged": verdict.is_of_worker or None} if verdict else {}
    is_cut = any(len(one) > part.stop for one in (*whole.values(), feedback) if one)
    return StepView.of(
        step,
        **_fields(plan, position),
        **{name: one[part] or None if one else None for name, one in whole.items()},
        verification=[CheckView.of(one) for one in text.verification],
        judge_verdict=VerdictView.of(verdict, **judged) if verdict else None,
        truncated=is_cut or None,
        next_text_offset=part.stop if is_cut else None,
    )


def _fields(plan: PlanItem, position: int) -> dict[str, object]:
    step: Step = plan.steps[position]
    return {
        "position": position,
        "status": status_of(plan, step),
        "depends_on_step_ids": ids_at(plan, step.depends_on),
    }


def _read(blobs: Blobs, kept: KeptText | None) -> str | None:
    return texts.read(blobs, kept) if kept else None
