"""Plans that were left for later: canceled ones whose steps end, and those that get a place or go on."""

from forge.context import Context
from forge.store.transactions import decided_again
from forge.work.plans import moves, saving
from forge.work.plans.changes import PlanChange
from forge.work.plans.opening import open_plan
from forge.work.record.continuations import continuations
from forge.work.record.continuations.continuations import ContinuationItem

_TRIES = 5


def reap_next(ctx: Context, item: ContinuationItem) -> tuple[ContinuationItem, bool]:
    """Cancel the next steps of plans that were; the continuation as it became, and whether none are left.

    Each chunk is one transaction that also moves the place, so whoever dies in between repeats nothing.
    """
    place = int(item.position or 0)
    if place >= len(item.words):
        return item, True
    return decided_again(lambda: _reap(ctx, item, place), tries=_TRIES), False


def _reap(ctx: Context, item: ContinuationItem, place: int) -> ContinuationItem:
    tx = ctx.plan()
    change = PlanChange(open_plan(ctx, item.words[place]))
    reaped = moves.reap(change, most=moves.STEPS_AT_ONCE)
    saving.save(tx, saving.settled(change))
    is_last = reaped < moves.STEPS_AT_ONCE
    after = item.further(str(place + is_last), settled=reaped, left=0)
    tx.replace(after)
    ctx.commit()
    return after.changed(version=item.version + 1)


def resume(ctx: Context, item: ContinuationItem) -> None:
    """Let begin what can, and be done; a place that the plan has no use for goes to the next one."""

    def resumed() -> None:
        tx = ctx.plan()
        saving.save(tx, saving.settled(PlanChange(open_plan(ctx, item.subject_id))))
        continuations.finish(tx, item)
        ctx.commit()

    decided_again(resumed, tries=_TRIES)
