"""Waiting for a plan to be approved: a person is reminded, and in the end asked no more."""

from forge.context import Context
from forge.store.transactions import Transaction
from forge.work.plans.goals import approvals
from forge.work.plans.plans import PlanItem, PlanStatus
from forge.work.plans.requests import deciding
from forge.work.plans.requests.announcements import REQUEST_REMINDED, RequestReminded
from forge.work.plans.requests.requests import RequestItem, RequestStatus, RequestTextItem, keys_of_request
from forge.work.plans.waits.waits import Stage, WaitItem
from forge.work.record.log.events import record

NOBODY_DECIDED = "Nobody decided in a week. plans.requestApproval asks again."


class PlanApproval:
    """For `forge.work.waiting`."""

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
