"""Waiting for a plan to be approved, or a step to be judged: who is asked again, and who in the end."""

from forge.context import Context
from forge.store.transactions import Transaction
from forge.work.plans.announcements import PLAN_STALLED, PlanStalled
from forge.work.plans.approvals import approvals
from forge.work.plans.changes import PlanChange
from forge.work.plans.goals import roles
from forge.work.plans.opening import open_plan
from forge.work.plans.plans import PlanItem, PlanStatus, StepStatus
from forge.work.plans.requests import deciding
from forge.work.plans.requests.announcements import REQUEST_REMINDED, RequestReminded
from forge.work.plans.requests.requests import RequestItem, RequestStatus, RequestTextItem, keys_of_request
from forge.work.plans.saving import save, settled
from forge.work.plans.waits.waits import Stage, WaitItem, wait_id
from forge.work.record.log.events import record

NOBODY_DECIDED = "Nobody decided in a week. plans.requestApproval asks again."


class PlanApproval:
    """A person is reminded, and in the end asked no more."""

    def outcome(self, ctx: Context, wait: WaitItem) -> str | None:
        places = [
            RequestItem.at(wait.workspace_id, wait.subject_id),
            PlanItem.at(wait.workspace_id, wait.plan_id),
        ]
        known = ctx.table.read(places)
        request, plan = known.find(RequestItem, places[0]), known.find(PlanItem, places[1])
        return outcome_of(request, plan)

    def reach(self, ctx: Context, tx: Transaction, wait: WaitItem, stage: Stage) -> None:
        request, texts = _read(ctx, wait)
        if stage is Stage.REMINDED:
            told = RequestReminded(
                action="reminded", title=request.title, assigned_user_id=request.assigned_user_id
            )
            record(
                tx,
                REQUEST_REMINDED,
                told,
                subject_id=request.id,
                action="remind",
                issue_id=request.issue_id,
            )
            return
        status = RequestStatus.DISMISSED
        deciding.settle_alone(tx, request, texts, status, resolution=NOBODY_DECIDED, is_answer=True)


def outcome_of(request: RequestItem | None, plan: PlanItem | None) -> str | None:
    """What it came to; a plan that needs no approval any more is not waited for, either."""
    if request is None or plan is None:
        return "GONE"
    if not request.is_waiting:
        return {RequestStatus.RESOLVED: "ACCEPTED", RequestStatus.REJECTED: "DECLINED"}.get(
            request.status, request.status.value
        )
    return None if plan.status is PlanStatus.DRAFT and approvals.is_current(plan) else "SUPERSEDED"


def _read(ctx: Context, wait: WaitItem) -> tuple[RequestItem, RequestTextItem]:
    places = keys_of_request(wait.workspace_id, wait.subject_id)
    known = ctx.table.read(places)
    return known.get(RequestItem, places[0]), known.get(RequestTextItem, places[1])


SILENCE = "Nobody judged step {title!r} in an hour. Approve it if it is as it should be."


class StepJudging:
    """Its reviewer is called again, and then people."""

    def outcome(self, ctx: Context, wait: WaitItem) -> str | None:
        plan = ctx.table.find(PlanItem, PlanItem.at(wait.workspace_id, wait.plan_id))
        return outcome_of_step(plan, wait)

    def reach(self, ctx: Context, tx: Transaction, wait: WaitItem, stage: Stage) -> None:
        change = PlanChange(open_plan(ctx, wait.plan_id))
        step, desk = change.plan.step(wait.subject_id), change.desk
        desk.readings.fetch([*desk.keys_of_crew(), *change.keys_to_call(step)])
        if stage is Stage.REDISPATCHED:
            change.call_judge(step, roles.judge_of(change.plan, step, desk.crew, desk.agent))
        else:
            change.open_gate(step, SILENCE.format(title=step.title))
            told = PlanStalled(
                reason_code="review_without_reviewer",
                reason=f"Nobody judges step {step.title!r}.",
                goal_id=change.plan.goal_id,
            )
            change.announce(PLAN_STALLED, told, action="escalate", subject_id=change.plan.id)
        save(tx, settled(change))


def outcome_of_step(plan: PlanItem | None, wait: WaitItem) -> str | None:
    """What the step came to since this turn of its review began."""
    if plan is None or wait.subject_id not in {one.id for one in plan.steps}:
        return "GONE"
    step = plan.step(wait.subject_id)
    is_this_turn = wait.id == wait_id(step.id, step.reviews)
    return None if step.status is StepStatus.REVIEW and is_this_turn else step.status.value
