"""What follows from canceling plans: their steps are canceled, and the runs of these end.

Each chunk is one transaction that also moves the place, so whoever dies in between repeats nothing.
"""

from forge.context import Context
from forge.store.transactions import VersionMoved
from forge.work.plans import moves, saving
from forge.work.plans.changes import PlanChange
from forge.work.plans.opening import open_plan
from forge.work.record.continuations.continuations import ContinuationItem

_MOST_TRIES = 3


def reap_next(ctx: Context, item: ContinuationItem) -> tuple[ContinuationItem, bool]:
    """Cancel the next steps; the continuation as it became, and whether there are none left."""
    place = int(item.position or 0)
    if place >= len(item.words):
        return item, True
    for tries_left in range(_MOST_TRIES - 1, -1, -1):
        try:
            return _reap(ctx, item, place), False
        except VersionMoved:
            if not tries_left:
                raise
    raise AssertionError("the last try returns or raises")


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
