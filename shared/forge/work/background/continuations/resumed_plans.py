"""Looking at a plan once more: a place got free for it, or more could begin than one transaction holds."""

from forge.context import Context
from forge.store.transactions import VersionMoved
from forge.work.plans import saving
from forge.work.plans.changes import PlanChange
from forge.work.plans.opening import open_plan
from forge.work.record.continuations import continuations
from forge.work.record.continuations.continuations import ContinuationItem

_MOST_TRIES = 5


def resume(ctx: Context, item: ContinuationItem) -> None:
    """Let begin what can, and be done; a place that the plan has no use for goes to the next one."""
    for tries_left in range(_MOST_TRIES - 1, -1, -1):
        tx = ctx.plan()
        saving.save(tx, saving.settled(PlanChange(open_plan(ctx, item.subject_id))))
        continuations.finish(tx, item)
        try:
            ctx.commit()
        except VersionMoved:
            if not tries_left:
                raise
            continue
        return
