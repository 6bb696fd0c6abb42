"""Finding what a run waits for, and keeping its claim meanwhile."""

from forge.context import Context
from forge.store.transactions import Transaction
from forge.work.issues import heads
from forge.work.issues.desks import Desk
from forge.work.issues.runs import runs, silence
from forge.work.issues.runs.runs import RunItem
from forge.work.plans.requests.requests import RequestItem
from functions.runs.models.waiting import SetWaiting
from functions.runs.repository.reporting import open_own
from functions.runs.rules import waiting as rules


def open_waiting(ctx: Context, request: SetWaiting) -> tuple[RunItem, Desk, RequestItem | None]:
    """The caller's own live run, and the request that it waits for, if it names one; two requests."""
    asked = RequestItem.at(ctx.caller.workspace_id, request.request_id) if request.request_id else None
    run, desk = open_own(ctx, request.run_id, lambda _: [asked] if asked else [])
    runs.require_live(run)
    if asked is None:
        return run, desk, None
    found = desk.find(RequestItem, asked)
    return run, desk, rules.awaited(found, run, given=str(request.request_id), now=ctx.now())


def keep_meanwhile(tx: Transaction, desk: Desk, run: RunItem, asked: RequestItem | None) -> None:
    """What waits for a request keeps its claim until that is answered; an answer that comes now is first."""
    if asked is None:
        heads.keep_claim(tx, desk.issue)
        return
    tx.check(asked)
    kept = silence.with_claim_of_parked(desk.issue, run.agent_id, tx.origin.now)
    if kept != desk.issue:
        heads.replace(tx, desk.issue, kept)
