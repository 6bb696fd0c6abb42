"""The sweep's look at a parked run: while its question is open its claim holds, and then it goes on."""

from forge.context import Context
from forge.work.issues import heads
from forge.work.issues.desks import Desk
from forge.work.issues.neglect import deadlines
from forge.work.issues.runs import silence
from forge.work.issues.runs.announcements import RUN
from forge.work.issues.runs.runs import RunItem
from forge.work.plans.requests.requests import RequestItem
from forge.work.record.log import events


def tend(ctx: Context, desk: Desk, run: RunItem) -> bool:
    """Whether the run goes on: what it waited for was decided, or is gone, and nobody called its agent."""
    request = ctx.table.find(RequestItem, RequestItem.at(run.workspace_id, str(run.request_id)))
    now, tx = ctx.now(), ctx.plan()
    if request is not None and request.as_of(now).is_waiting:
        deadlines.watch_run(tx, run.changed(watch_at=now + silence.LOOKED_AT_PARKED))
        kept = silence.with_claim_of_parked(desk.issue, run.agent_id, now)
        if kept != desk.issue:
            heads.replace(tx, desk.issue, kept)
        ctx.commit()
        return False
    active = silence.watched(run.resumed(now).changed(called_at=now), desk.workspace)
    tx.replace(active)
    events.record_change(tx, RUN, run.id, action="resume", before=run, after=active, issue_id=run.issue_id)
    ctx.commit()
    return True
