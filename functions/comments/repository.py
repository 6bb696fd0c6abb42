"""Finding a comment by its id, and reading a thread back in time."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from forge.context import Context
from forge.store import keys
from forge.store.keys import Key
from forge.store.pages import Found, Placed
from forge.store.table import SortRange, Table
from forge.store.walks import FEW, MAX_READ
from forge.work.comments import mentions, opening, revisions
from forge.work.comments.comments import CommentItem, CommentReferenceItem, RevisionItem
from forge.work.comments.views import writers_of
from forge.work.issues import issue_keys
from forge.work.issues.desks import Desk, open_issue
from forge.work.people import people_keys
from forge.work.people.names import MAX_NAMES, how_many_fit
from forge.work.requests import raising
from forge.work.requests.raising import Wanted


def open_commented(ctx: Context, given: str, tokens: Sequence[str], wanted: Wanted | None) -> Desk:
    """The issue that is talked about, with the guards of tokens and what a request refers to."""
    workspace_id = ctx.caller.workspace_id
    guards = mentions.guards_of(workspace_id, tokens)
    needed = raising.needs(workspace_id, wanted) if wanted else []
    return open_issue(ctx, given, lambda _: [*guards, *needed], beside=wanted.others if wanted else ())


def open_comment(ctx: Context, comment_id: str, tokens: Sequence[str] = ()) -> tuple[Desk, CommentItem]:
    """A comment and its issue, and the guards of tokens of its new text; two requests."""
    guards = mentions.guards_of(ctx.caller.workspace_id, tokens)
    return opening.open_comment(ctx, comment_id, first=guards, beside=_writers)


def open_thread(
    ctx: Context, given: str, *, before: datetime | None, limit: int
) -> tuple[Desk, Found[CommentItem]]:
    """An issue with its newest comments and the names of who wrote them."""
    found: Found[CommentItem]

    def writers(issue_id: str) -> Sequence[Key]:
        nonlocal found
        partition = issue_keys.partition(ctx.caller.workspace_id, issue_id)
        found = _newest(ctx.table, partition, before=before, limit=limit)
        # The issue and the settings are read together with the names.
        size = how_many_fit([writers_of(comment) for comment in found.items], most=MAX_NAMES - 1)
        found = found.first(size)
        return [key for comment in found.items for key in writers_of(comment)]

    desk = open_issue(ctx, given, writers)
    return desk, found


def earlier_texts(desk: Desk, comment: CommentItem, also: Iterable[Key] = ()) -> list[RevisionItem]:
    """What the comment said before, the newest first; one request, if it said anything or more is needed."""
    desk.fetch([*revisions.keys_of_newest(comment), *also])
    return revisions.newest_of(desk, comment)


def with_earlier_texts(desk: Desk, found: Found[CommentItem]) -> Found[CommentItem]:
    """As many comments as can have theirs read in one request; usually all."""
    wanted = [revisions.keys_of_newest(comment) for comment in found.items]
    kept = found.first(how_many_fit(wanted))
    desk.fetch(key for keys in wanted[: len(kept.placed)] for key in keys)
    return kept


def _newest(table: Table, partition: str, *, before: datetime | None, limit: int) -> Found[CommentItem]:
    """Comments, the newest first: all of each moment, because the cursor between pages is a time."""
    among = SortRange(prefix=issue_keys.COMMENTS, last=_last_before(before))
    whole, has_older = _whole_moments(table, partition, among, limit=limit)
    kept = [comment for comment in whole if comment.deleted_at is None]
    placed = [Placed(comment, _shown_time(comment)) for comment in kept[: _end_of_moment(kept, limit)]]
    if len(placed) < len(kept):
        return Found(placed, placed[-1].place, is_truncated=False, cursor_of=str)
    if not has_older:
        return Found(placed, None, is_truncated=False, cursor_of=str)
    is_full = len(placed) >= limit
    rest = placed[-1].place if is_full else _shown_time(whole[-1])
    return Found(placed, rest, is_truncated=not is_full, cursor_of=str)


def _whole_moments(
    table: Table, partition: str, among: SortRange, *, limit: int
) -> tuple[list[CommentItem], bool]:
    """Comments up to where the oldest moment among them is complete, and whether there are older ones.

    Some more than the page are read first, and more than these only where so many of them are deleted.
    """
    read: list[CommentItem] = []
    after, size = None, limit + max(limit // 2, FEW)
    while True:
        answer = table.query(partition, sort=among, limit=size, is_descending=True, after=after)
        read += answer.of(CommentItem)
        after = answer.next_position
        if after is None:
            return read, False
        # The last moment may go on, so it is left for the next page; it is read on only if there is no other.
        whole = [comment for comment in read if comment.created_at != read[-1].created_at]
        is_full = sum(comment.deleted_at is None for comment in whole) >= limit
        # A megabyte of comments is more than can be sent, so nothing is gained by reading on.
        is_all = len(read) >= MAX_READ or len(answer) < size
        if whole and (is_full or is_all):
            return whole, True
        size = max(MAX_READ - len(read), FEW)


def _end_of_moment(comments: Sequence[CommentItem], end: int) -> int:
    while 0 < end < len(comments) and comments[end].created_at == comments[end - 1].created_at:
        end += 1
    return end


def _shown_time(comment: CommentItem) -> str:
    """As `createdAt` is shown, so that whoever compares it with a cursor finds them the same."""
    return comment.created_at.isoformat().replace("+00:00", "Z")


def _last_before(moment: datetime | None) -> str:
    """The last sort key that is older: each is a time and an id, so it comes after its time alone."""
    return f"{issue_keys.COMMENTS}{keys.sortable_time(moment)}" if moment else ""


def _writers(reference: CommentReferenceItem) -> list[Key]:
    """Whose names the answer shows."""
    workspace_id, wanted = reference.workspace_id, []
    if reference.author_id:
        wanted.append(people_keys.member(workspace_id, reference.author_id))
    if reference.authoring_agent_id:
        wanted.append(people_keys.agent(workspace_id, reference.authoring_agent_id))
    return wanted
