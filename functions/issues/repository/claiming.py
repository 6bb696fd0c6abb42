"""Reading the queue: what is free now, and the first of it that really is."""

from collections.abc import Iterator, Sequence

from forge.context import Context
from forge.store import keys
from forge.store.keys import Key
from forge.store.table import EVERYTHING, HIGHEST, SortRange
from forge.store.transactions import VersionMoved
from forge.store.walks import MAX_READ
from forge.work.bundles.bundles import read_for_bundle
from forge.work.dispatching import turns
from forge.work.issues import issue_keys
from forge.work.issues.desks import Desk, Reference, look_at, no_such_issue, settings_key
from forge.work.issues.heads import QueueItem
from forge.work.issues.whole import WholeIssue
from forge.work.people import people_keys
from forge.work.people.names import keys_of
from forge.work.runs.modes import require_mode_anywhere
from functions.issues.models.claiming import Unclaimed
from functions.issues.rules import claiming

_QUEUE = "queue"
_FEW = 100
_LOOKED_AT = 8


def waiting(ctx: Context) -> list[QueueItem]:
    """What the caller may take now, in its order; from another place on when somebody was quicker before."""
    place = turns.place_in_line(ctx, _QUEUE)
    if place is None:
        require_mode_anywhere(ctx)
    line = sorted(_free(ctx), key=lambda row: row.order)
    return line if place is None else turns.in_turn(line, place)


def why_nothing(ctx: Context) -> Unclaimed:
    """Looked up only where nothing is free: whether others have it all, or something stands in the way."""
    workspace_id = ctx.caller.workspace_id
    held = SortRange(first=keys.sortable_time(ctx.now()))
    return claiming.reason_for_none(
        has_claimed=bool(_rows(ctx, issue_keys.held_queue(workspace_id), held)),
        has_blocked=bool(_rows(ctx, issue_keys.blocked_queue(workspace_id))),
    )


def open_first_free(ctx: Context, line: Sequence[QueueItem]) -> Desk | None:
    """The first issue of the line that is free, with what it is shown with."""
    for start in range(0, len(line), _LOOKED_AT):
        looked_at = line[start : start + _LOOKED_AT]
        reach = look_at(ctx, [row.issue_id for row in looked_at], also=_beside(ctx, looked_at[0]))
        for row in looked_at:
            issue = reach.find(row.issue_id)
            if issue is not None and claiming.is_free(issue, ctx.caller, ctx.now()):
                return reach.open(Reference(issue.id), missing=no_such_issue(issue.id))
    return None


def read_whole_again(ctx: Context, desk: Desk) -> WholeIssue:
    """All of an issue that was found to be free; decided again if it changed between the two readings."""
    caller = ctx.caller
    # A person who takes an issue becomes one of its people.
    also = [people_keys.member(caller.workspace_id, caller.user_id)] if caller.user_id else []
    whole = read_for_bundle(ctx, desk.issue.id, also)
    if whole.desk.issue.version != desk.issue.version:
        raise VersionMoved
    return whole


def _beside(ctx: Context, first: QueueItem) -> Iterator[Key]:
    """Usually the first is taken, so that what it is shown with is read together with the heads."""
    yield settings_key(ctx)
    yield from keys_of(first)
    if ctx.caller.agent_id:
        yield people_keys.agent(ctx.caller.workspace_id, ctx.caller.agent_id)


def _free(ctx: Context) -> list[QueueItem]:
    """Rows of the queue, and of claims that have expired."""
    workspace_id = ctx.caller.workspace_id
    expired = SortRange(last=f"{keys.sortable_time(ctx.now())}#{HIGHEST}")
    return [
        *_rows(ctx, issue_keys.queue(workspace_id)),
        *_rows(ctx, issue_keys.held_queue(workspace_id), expired),
    ]


def _rows(ctx: Context, partition: str, among: SortRange = EVERYTHING) -> list[QueueItem]:
    """The first that the caller may take; it is read on only where the first are all somebody else's."""
    after = None
    for _ in range(MAX_READ // _FEW):
        answer = ctx.table.query(partition, sort=among, limit=_FEW, after=after)
        found = [row for row in answer.of(QueueItem) if claiming.is_open_to(row, ctx.caller)]
        after = answer.next_position
        if found or after is None:
            return found
    return []
