"""Going on with a continuation: a few chunks at a time, its place written down after each."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from forge.context import Caller, Context, KeyKind
from forge.store.keys import Key
from forge.work.background.continuations import (
    deadlines_moved,
    departures,
    followed_by_keys,
    many_mentioned,
    rebuilt_issues,
    revoked_keys,
    rolled_over,
    unfinished_plans,
)
from forge.work.record.continuations import continuations
from forge.work.record.continuations.continuations import ContinuationItem, ContinuationKind, Stretch, walk
from forge.work.workspace.workers import Worker

CHUNKS_AT_ONCE = 10
"""The sweep has other things to do, and comes again in a minute."""

Stretches = Callable[[Context, ContinuationItem], Sequence[Stretch[Any]]]

STRETCHES: Mapping[ContinuationKind, Stretches] = {
    ContinuationKind.AGENT_ARCHIVED: departures.of_agent,
    ContinuationKind.BACKLOG_PLACED: rebuilt_issues.in_their_places,
    ContinuationKind.DEADLINES_MOVED: deadlines_moved.stretches,
    ContinuationKind.KEY_REVOKED: revoked_keys.stretches,
    ContinuationKind.KEYS_FOLLOW: followed_by_keys.stretches,
    ContinuationKind.LABEL_DELETED: rebuilt_issues.without_a_label,
    ContinuationKind.MEMBER_REMOVED: departures.of_person,
}

ONE_BY_ONE: Mapping[
    ContinuationKind, Callable[[Context, ContinuationItem], tuple[ContinuationItem, bool]]
] = {
    ContinuationKind.MANY_MENTIONED: many_mentioned.call_next,
    ContinuationKind.PLANS_CANCELED: unfinished_plans.reap_next,
}
"""Those that go through their words, and write down how far with each of them."""


def go_on(worker: Worker, key: Key) -> bool:
    """Do the next chunks of what is due; whether anything was changed by that.

    Whoever dies in between repeats a chunk, which finds what it did as done. Two at once are harmless, too:
    each change has its own condition, and the place of the second is refused.
    """
    item = worker.store.table.find(ContinuationItem, key)
    before = item.settled if item else 0
    for _ in range(CHUNKS_AT_ONCE):
        if item is None or item.due_at > worker.now:
            break
        item = _one_chunk(worker, item)
    return item is None or item.settled != before


def _one_chunk(worker: Worker, item: ContinuationItem) -> ContinuationItem | None:
    ctx = _context(worker, item)
    if item.kind in ONE_BY_ONE:
        after, is_done = ONE_BY_ONE[item.kind](ctx, item)
        if not is_done:
            return after
        _finish(ctx, after)
        return None
    if item.kind is ContinuationKind.PLAN_GOES_ON:
        unfinished_plans.resume(ctx, item)
        return None
    if item.kind is ContinuationKind.CYCLE_ROLLED_OVER:
        return rolled_over.move_next(ctx, item).item
    chunk = walk(ctx.table, STRETCHES[item.kind](ctx, item), item.position)
    if not chunk.is_last:
        after = item.further(chunk.position, settled=chunk.settled, left=chunk.left)
    else:
        ended = item.walked(worker.now, again_from=chunk.position, settled=chunk.settled, left=chunk.left)
        if ended is None:
            _finish(ctx, item)
            return None
        after = ended
    ctx.plan().replace(after)
    ctx.commit()
    return after.changed(version=item.version + 1)


def _finish(ctx: Context, item: ContinuationItem) -> None:
    continuations.finish(ctx.plan(), item)
    ctx.commit()


def _context(worker: Worker, item: ContinuationItem) -> Context:
    """The context of the caller whose decision is carried on, so that the log names them."""
    caller = Caller(
        item.key_id,
        item.workspace_id,
        KeyKind.AGENT,
        frozenset(),
        "continuation",
        user_id=item.user_id,
        agent_id=item.agent_id,
    )
    return worker.context_of(caller, tool=item.tool, request_id=item.request_id)
