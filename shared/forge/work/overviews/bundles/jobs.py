"""What a run is for beyond its issue: the step that is carried out or judged, or the plan to be made."""

from typing import NamedTuple

from forge.store.keys import Key
from forge.work.issues.desks import Desk
from forge.work.issues.issues import IssueItem, LiveRun
from forge.work.overviews.bundles.fitting import MAX_CHECKLIST, MAX_EXPECTATION, cut, those_within
from forge.work.overviews.bundles.views import BundledCheck, BundledPlan, BundledStep, CompletionContract
from forge.work.plans.plans import PlanItem, StepTextItem, ids_at

_MAX_BODY = 12_000
_MAX_FEEDBACK = 6_000


class RunPurpose(NamedTuple):
    step: BundledStep | None = None
    plan: BundledPlan | None = None
    contract: CompletionContract | None = None


def keys_of(issue: IssueItem, run: LiveRun | None) -> list[Key]:
    """What is read of it along with the issue."""
    if run is None:
        return []
    found = [StepTextItem.at(issue.workspace_id, run.step_id)] if run.step_id else []
    return [*found, PlanItem.at(issue.workspace_id, run.plan_id)] if run.plan_id else found


def job_of(desk: Desk, run: LiveRun | None) -> RunPurpose:
    """Read already but of a run from before its plan stood on it."""
    if run is None or (run.step_id is None and run.plan_id is None):
        return RunPurpose()
    desk.fetch(keys_of(desk.issue, run))
    workspace_id = desk.issue.workspace_id
    place = StepTextItem.at(workspace_id, run.step_id or "")
    text = desk.find(StepTextItem, place) if run.step_id else None
    plan_id = run.plan_id or (text.plan_id if text else None)
    if plan_id is None:
        return RunPurpose()
    desk.fetch([PlanItem.at(workspace_id, plan_id)])
    plan = desk.find(PlanItem, PlanItem.at(workspace_id, plan_id))
    if plan is None:
        return RunPurpose()
    if text is None:
        return RunPurpose(plan=BundledPlan.of(plan))
    return _of_step(desk, plan, text)


def _of_step(desk: Desk, plan: PlanItem, text: StepTextItem) -> RunPurpose:
    step = plan.step(text.step_id)
    body = cut(desk.ctx, text.body, most=_MAX_BODY)
    expected = cut(desk.ctx, text.expected_output, most=MAX_EXPECTATION)
    feedback = cut(desk.ctx, text.last_feedback, most=_MAX_FEEDBACK)
    checks = [BundledCheck.of(one, done=None) for one in text.verification]
    shown = those_within(checks, MAX_CHECKLIST)
    view = BundledStep(
        id=step.id,
        plan_id=plan.id,
        title=step.title,
        body=body.text,
        body_truncated=body.is_cut,
        expected_output=expected.text,
        verification=shown,
        depends_on=ids_at(plan, step.depends_on),
        feedback=feedback.text,
        retry_count=step.retry_count,
        source_run_id=step.source_run_id,
    )
    contract = CompletionContract(
        expected_output=expected.text,
        expected_output_truncated=expected.is_cut,
        verification_checklist=shown,
        verification_checklist_truncated=len(shown) < len(checks) or None,
        artifact_required=False,
    )
    return RunPurpose(step=view, contract=contract)
