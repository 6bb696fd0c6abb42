"""How cycles and their issues are read for the tools, and how a rollover is written."""

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from forge import deadline
from forge.context import Context
from forge.contract.references import Kind
from forge.errors import Conflict, InvalidInput, NotFound
from forge.store.cursors import Cursors
from forge.store.pages import AskedPage, Found, page_among
from forge.store.readings import Readings
from forge.store.transactions import Transaction, VersionMoved, overtaken
from forge.store.walks import MAX_READ
from forge.work.background.continuations import rolled_over
from forge.work.content.cycles import cycles
from forge.work.content.cycles.cycles import CycleItem
from forge.work.issues.desks import Desk, may_see, open_issues
from forge.work.issues.issues import ISSUES_OF_CYCLE, IssueItem
from forge.work.record.continuations import continuations
from forge.work.record.continuations.continuations import ContinuationItem, ContinuationKind
from forge.work.workspace.meanings import unknown
from forge.work.workspace.people.names import how_many_fit, keys_of
from forge.work.workspace.projects.projects import CYCLE_COUNT
from forge.work.workspace.taken_names import NameItem
from functions.cycles import rules
from functions.cycles.models import MAX_NAME, RollOver
from functions.cycles.rules import CycleHandover

_TOO_MANY = f"Only {MAX_READ} issues of a cycle are looked at: issues.list with cycleId has all."


class CycleRead(NamedTuple):
    """A cycle with how many issues it has, and which one is current."""

    cycle: CycleItem
    issue_count: int
    active: NameItem | None


def get(ctx: Context, cycle_id: str) -> CycleRead:
    """One request; NotFound where there is no such cycle."""
    workspace_id = ctx.caller.workspace_id
    active = cycles.active_key(workspace_id)
    wanted = [CycleItem.at(workspace_id, cycle_id), CYCLE_COUNT(workspace_id, cycle_id)]
    readings = ctx.table.read([*wanted, active])
    cycle = cycles.get(readings, workspace_id, cycle_id)
    return CycleRead(cycle, cycles.count_in(readings, cycle), readings.find(NameItem, active))


def find_current(ctx: Context) -> CycleRead | None:
    active = ctx.table.find(NameItem, cycles.active_key(ctx.caller.workspace_id))
    return get(ctx, active.owner_id) if active else None


def issues_of(ctx: Context, cycle: CycleItem, asked: AskedPage) -> Found[IssueItem]:
    """The most urgent first and then the oldest; no index has this order, so all of them are read."""
    partition = ISSUES_OF_CYCLE(cycle.workspace_id, cycle.id)
    rows = ctx.table.query_all(partition, index="subject", most=MAX_READ, is_descending=True)
    is_cut = rows.next_position is not None
    page = page_among(
        (issue for issue in rows.of(IssueItem) if may_see(ctx, issue)),
        lambda issue: issue.precedence,
        asked,
        cursors=Cursors(cycle.workspace_id, "cycle", cycle.id),
    )
    fitting = page.first(how_many_fit([keys_of(issue) for issue in page.items]))
    return fitting.cut_short(_TOO_MANY) if is_cut else fitting


def open_named(ctx: Context, given: Iterable[str], *, field: str) -> list[Desk]:
    """Open the issues that a field names; one that is not there is a mistake in that field."""
    try:
        return open_issues(ctx, given)
    except NotFound as missing:
        raise InvalidInput(str(missing), issues={field: str(missing)}, hint=missing.hint) from None


MOST_CHUNKS = 50
"""Of one call: a thousand issues. The sweep goes on with what is left."""
_RESERVED_SECONDS = 5.0
_NAMES_AT_ONCE = 20


class Rollover(NamedTuple):
    """The two cycles of a rollover, which of all is current, and what is under way of it already."""

    source: CycleItem
    target: CycleItem
    is_new: bool
    active: NameItem | None
    under_way: ContinuationItem | None
    done: ContinuationItem | None = None
    """An earlier one that has moved everything, and would only have looked once more for latecomers."""


def read_rollover(ctx: Context, request: RollOver) -> Rollover:
    """Which cycles are meant: those of a rollover under way, else what is given or suggests itself."""
    workspace_id, active_key = ctx.caller.workspace_id, cycles.active_key(ctx.caller.workspace_id)
    given = [one for one in (request.from_cycle_id, request.target_cycle_id) if one]
    readings = ctx.table.read([active_key, *(CycleItem.at(workspace_id, one) for one in given)])
    active = readings.find(NameItem, active_key)
    source, under_way = _source(ctx, request, readings, active)
    if under_way is not None:
        target = _read_cycle(ctx, str(under_way.target_id))
        if _is_walking(ctx, under_way) or not rules.goes_another_way(target, request.target_cycle_id):
            rules.require_same_way(target, request.target_cycle_id)
            return Rollover(source, target, False, active, under_way)
    target, is_new = _target(ctx, request, readings, source)
    return Rollover(source, target, is_new, active, None, done=under_way)


def begin(ctx: Context, rollover: Rollover, after: CycleHandover) -> ContinuationItem:
    """Write the decision, and with it the first issues; it is committed with the answer or the next chunk."""
    tx, workspace_id = ctx.plan(), ctx.caller.workspace_id
    known = rollover.under_way
    item = known.anew(ctx.now()) if known else _new_item(tx, rollover)
    source = after.source.changed(emptied_by=item.id)
    target = after.target.changed(filled_by=item.id)
    cycles.save(tx, rollover.source, source, action="rollover")
    if rollover.is_new:
        cycles.add(tx, target, name_taken=overtaken)
    else:
        cycles.save(tx, rollover.target, target, action="rollover")
    cycles.save_active(tx, workspace_id, rollover.active, after.active_id)
    batch = rolled_over.look(ctx, item)
    settled = rolled_over.add_moves(tx, ctx, item, batch.issue_ids)
    begun = rolled_over.passed(ctx, item, batch, settled=settled).item or item
    if known:
        tx.replace(begun)
        return begun.changed(version=known.version + 1)
    tx.create(begun)
    if rollover.done:
        tx.delete(rollover.done)
    return begun


class RolloverProgress(NamedTuple):
    item: ContinuationItem
    remaining: int


def go_on(ctx: Context, item: ContinuationItem) -> RolloverProgress:
    """Move the rest, as far as there is time for it."""
    left = 0
    for _ in range(MOST_CHUNKS):
        if not _is_walking(ctx, item) or deadline.seconds_left() < _RESERVED_SECONDS:
            break
        ctx.commit()
        try:
            step = rolled_over.move_next(ctx, item)
        except VersionMoved:
            # Somebody else goes on with it: so do we, from where they are.
            step = rolled_over.RolloverStep(ctx.table.find(ContinuationItem, item.key), 0)
        left += step.left
        if step.item is None:
            break
        item = step.item
    return RolloverProgress(item, rolled_over.count_waiting(ctx, item) if _is_walking(ctx, item) else left)


def _is_walking(ctx: Context, item: ContinuationItem) -> bool:
    """Whether its walk has not come to its end; the next one is due later."""
    return item.due_at <= ctx.now()


def _new_item(tx: Transaction, rollover: Rollover) -> ContinuationItem:
    item = continuations.new(tx, ContinuationKind.CYCLE_ROLLED_OVER, rollover.source.id)
    return item.changed(target_id=rollover.target.id)


def _source(
    ctx: Context, request: RollOver, readings: Readings, active: NameItem | None
) -> tuple[CycleItem, ContinuationItem | None]:
    """The cycle to empty, and the continuation that is at it already.

    Who says nothing means the current one. While a rollover fills that, it means the same rollover once more:
    a call that is repeated because its answer was lost must not empty the next cycle, too.
    """
    if request.from_cycle_id:
        source = cycles.get(readings, ctx.caller.workspace_id, request.from_cycle_id)
        return source, _find_continuation(ctx, source.emptied_by)
    if active is None:
        raise Conflict(
            "No cycle is ACTIVE, so there is none to roll over.",
            hint='Say which with fromCycleId; cycles.list {"status": "PLANNED"} shows what is to come.',
        )
    current = _read_cycle(ctx, active.owner_id)
    under_way = _find_continuation(ctx, current.emptied_by)
    filling = None if under_way else _find_continuation(ctx, current.filled_by)
    if filling is None:
        return current, under_way
    if not _is_walking(ctx, filling) and request.target_cycle_id not in (None, current.id):
        return current, None
    return _read_cycle(ctx, filling.subject_id), filling


def _target(ctx: Context, request: RollOver, readings: Readings, source: CycleItem) -> tuple[CycleItem, bool]:
    """Where the issues go, and whether it has to be made."""
    workspace_id, given = ctx.caller.workspace_id, request.target_cycle_id
    if given:
        found = readings.find(CycleItem, CycleItem.at(workspace_id, given))
        if found is None:
            raise unknown(Kind.CYCLE, "targetCycleId", given)
        return found, False
    planned = rules.next_planned(source, cycles.newest(ctx.table, workspace_id))
    if planned is not None:
        return planned, False
    new = rules.successor(source, id=ctx.new_id("cyc"), name=_free_name(ctx, source), now=ctx.now())
    caller = ctx.caller
    return new.changed(created_by_id=caller.user_id, created_by_agent_id=caller.agent_id), True


def _free_name(ctx: Context, source: CycleItem) -> str:
    names = rules.successor_names(source.name, longest=MAX_NAME)
    while True:
        some = list(islice(names, _NAMES_AT_ONCE))
        places = [NameItem.of_name(source.workspace_id, cycles.KIND, name) for name in some]
        readings = ctx.table.read(places)
        for name, place in zip(some, places, strict=True):
            if not readings.has(place):
                return name


def _read_cycle(ctx: Context, cycle_id: str) -> CycleItem:
    place = CycleItem.at(ctx.caller.workspace_id, cycle_id)
    return cycles.get(ctx.table.read([place]), ctx.caller.workspace_id, cycle_id)


def _find_continuation(ctx: Context, continuation_id: str | None) -> ContinuationItem | None:
    if continuation_id is None:
        return None
    place = ContinuationItem.at(ctx.caller.workspace_id, continuation_id)
    return ctx.table.find(ContinuationItem, place)
