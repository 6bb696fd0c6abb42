"""What follows from rolling a cycle over: its open issues move, twenty in a transaction.

The transaction that moves them also moves the place, so that each issue is counted once, whoever dies in
between and however many go on with it at once. A transaction that is refused because of one of them is made
again for each.
"""

from collections.abc import Iterable
from typing import NamedTuple

from forge.context import Context
from forge.errors import NotFound
from forge.store.ranges import SortRange
from forge.store.transactions import Transaction, VersionMoved
from forge.work.content.cycles import cycles, placing
from forge.work.issues.changes import IssueChange
from forge.work.issues.desks import open_issues
from forge.work.issues.issues import ISSUES_OF_CYCLE, IssueItem
from forge.work.issues.saving import save
from forge.work.record.continuations import continuations
from forge.work.record.continuations.continuations import ContinuationItem

CHUNK = 20
_MOST_READ = 100
_MOST_COUNTED = 500
_MOST_TRIES = 3
# The next of all texts: a walk goes on after what it has seen.
_NEXT = "\0"


class Batch(NamedTuple):
    """Issues that are to move, and where the walk goes on after them."""

    issue_ids: list[str]
    position: str
    is_last: bool


class RolloverStep(NamedTuple):
    """The continuation as it became, or None where it is over; and how many could not be moved."""

    item: ContinuationItem | None
    left: int


def look(ctx: Context, item: ContinuationItem) -> Batch:
    """The next issues that are to move; one request."""
    position, issue_ids = item.position, list[str]()
    rows = ctx.table.query(
        ISSUES_OF_CYCLE(item.workspace_id, item.subject_id),
        limit=_MOST_READ,
        sort=_after(position),
        index="subject",
    )
    is_last = rows.next_position is None
    for sort, issue in rows.placed(IssueItem, index="subject"):
        if len(issue_ids) == CHUNK:
            return Batch(issue_ids, position, is_last=False)
        position = sort
        if _is_taken_along(issue, item):
            issue_ids.append(issue.id)
    return Batch(issue_ids, position, is_last=is_last)


def count_waiting(ctx: Context, item: ContinuationItem) -> int:
    """How many issues are still to move, counted as far as one looks at once."""
    partition = ISSUES_OF_CYCLE(item.workspace_id, item.subject_id)
    rows = ctx.table.query_all(partition, most=_MOST_COUNTED, sort=_after(item.position), index="subject")
    return sum(_is_taken_along(issue, item) for issue in rows.first_ones().of(IssueItem))


def add_moves(tx: Transaction, ctx: Context, item: ContinuationItem, issue_ids: Iterable[str]) -> int:
    """Put these moves into a transaction; of how many issues, for what moved meanwhile is left alone."""
    settled = 0
    for desk in open_issues(ctx, issue_ids):
        if not _is_taken_along(desk.issue, item):
            continue
        change = IssueChange(desk)
        placing.put(change, item.target_id, action="rollover", is_quiet=True)
        save(tx, change)
        settled += 1
    return settled


def passed(
    ctx: Context, item: ContinuationItem, batch: Batch, *, settled: int, left: int = 0
) -> RolloverStep:
    """The continuation after a batch."""
    if batch.is_last:
        return RolloverStep(item.walked(ctx.now(), again_from="", settled=settled, left=left), left)
    return RolloverStep(item.further(batch.position, settled=settled, left=left), left)


def move_next(ctx: Context, item: ContinuationItem) -> RolloverStep:
    """Move the next issues and the place with them; VersionMoved where somebody else has moved the place."""
    batch = look(ctx, item)
    try:
        tx = ctx.plan()
        settled = add_moves(tx, ctx, item, batch.issue_ids)
        return _commit(ctx, tx, item, passed(ctx, item, batch, settled=settled))
    except (VersionMoved, NotFound):
        ctx.pending = None
    left = 0
    for issue_id in batch.issue_ids:
        after = _move_one(ctx, item, issue_id)
        left, item = left + (after is None), after or item
    return _commit(ctx, ctx.plan(), item, passed(ctx, item, batch, settled=0, left=left))


def _move_one(ctx: Context, item: ContinuationItem, issue_id: str) -> ContinuationItem | None:
    """The continuation as it became; None where others were quicker each time."""
    for _ in range(_MOST_TRIES):
        try:
            tx = ctx.plan()
            settled = add_moves(tx, ctx, item, [issue_id])
            return _commit(
                ctx, tx, item, RolloverStep(item.further(item.position, settled=settled, left=0), 0)
            ).item
        except NotFound:
            ctx.pending = None
            return item
        except VersionMoved:
            known = ctx.table.find(ContinuationItem, item.key)
            if known is None or known.version != item.version:
                raise
    return None


def _commit(ctx: Context, tx: Transaction, item: ContinuationItem, step: RolloverStep) -> RolloverStep:
    if step.item is None:
        continuations.finish(tx, item)
        ctx.commit()
        return step
    tx.replace(step.item)
    ctx.commit()
    return step._replace(item=step.item.changed(version=item.version + 1))


def _is_taken_along(issue: IssueItem, item: ContinuationItem) -> bool:
    return cycles.is_taken_along(issue, source_id=item.subject_id, decided_at=item.begun_at)


def _after(position: str) -> SortRange:
    return SortRange(first=position + _NEXT if position else "")
