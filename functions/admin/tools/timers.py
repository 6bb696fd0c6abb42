"""Timers: what was due, could not be settled, and waits for an operator."""

from forge.context import Context
from forge.contract.effects import FILTERED, Cost
from forge.contract.models import Page
from forge.store.keys import workspace_prefix
from forge.store.pages import read_page
from forge.store.walks import one_partition
from forge.work.background.sweep import timers
from forge.work.background.sweep.timers import TIMERS, TimerItem
from forge.work.issues.pages.listing import Pager
from forge.work.record.log import events
from functions.admin.models.timers import ListTimers, RetriedTimer, RetryTimer, TimerView
from functions.admin.tools import namespace


@namespace.reads(name="timers.list", costs=Cost(reads=1).up_to(reads=3, because=FILTERED))
def list(request: ListTimers, ctx: Context) -> Page[TimerView]:
    """List what was due and could not be settled: what, how often it was tried, the last error, since when.

    It is tried again later and later, and in the end given up: DEAD. Example: {"state": "DEAD"}
    """
    found = read_page(
        ctx.table,
        TimerItem,
        one_partition(TIMERS(ctx.caller.workspace_id)),
        request,
        accepts=lambda timer: request.state in (None, timer.state),
    )
    return Pager(Page[TimerView]).page(found, lambda timer: TimerView.of(timer, subject=_subject(timer)))


@namespace.writes(name="timers.retry", costs=Cost(reads=2, writes=1, items=4))
def retry(request: RetryTimer, ctx: Context) -> RetriedTimer:
    """Have something that failed tried again by the next sweep, as if it never had.

    Mend the cause first. `isDue` is false for what is gone meanwhile. Example: {"id": "tmr_0123…"}
    """
    timer = timers.get(ctx.table, ctx.caller.workspace_id, request.id)
    is_there = ctx.table.read([timer.subject]).has(timer.subject)
    tx = ctx.plan()
    timers.retry(tx, timer, is_there=is_there)
    events.record_change(tx, "timer", timer.id, action="retry", before=timer)
    return RetriedTimer(id=timer.id, subject=_subject(timer), is_due=is_there)


def _subject(timer: TimerItem) -> str:
    """Where it is stored in its workspace: `LOG 2026-07-28T12:00:00.000Z#evt_…`."""
    return (
        f"{timer.subject_partition.removeprefix(workspace_prefix(timer.workspace_id))} {timer.subject_sort}"
    )
