"""Finding a comment by its id, and reading a thread back in time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from forge.context import Context
from forge.errors import NotFound
from forge.store import keys
from forge.store.keys import Key
from forge.store.table import SortRange, Table
from forge.work.comments import mentions
from forge.work.comments.comments import CommentItem, CommentReferenceItem
from forge.work.comments.views import writers_of
from forge.work.issues import issue_keys
from forge.work.issues.desks import Desk, open_issue
from forge.work.people import people_keys
from forge.work.people.names import MAX_NAMES, how_many_fit

# Read beyond what was asked for: comments of the same moment as the last one, and deleted ones.
_SPARE = 50


def open_comment(ctx: Context, comment_id: str, tokens: Sequence[str] = ()) -> tuple[Desk, CommentItem]:
    """A comment and its issue, and whoever the tokens of its new text name; two requests."""
    workspace_id = ctx.caller.workspace_id
    key = keys.reference(workspace_id, comment_id)
    first = ctx.table.find_rows([key, *mentions.guards_of(workspace_id, tokens)])
    found = CommentReferenceItem.from_attributes(first[key]) if key in first else None
    if found is None or not found.sort.startswith(issue_keys.COMMENTS):
        raise _no_such_comment(comment_id)
    place = Key(issue_keys.partition(workspace_id, found.issue_id), found.sort)
    named = mentions.named_by(first, workspace_id, tokens)
    wanted = [place, *_writers(found), *mentions.needs(workspace_id, found.issue_id, named)]
    desk = open_issue(ctx, found.issue_id, lambda _: wanted)
    comment = desk.find(CommentItem, place)
    if comment is None or comment.id != comment_id or comment.deleted_at is not None:
        raise _no_such_comment(comment_id)
    desk.rows |= first
    return desk, comment


@dataclass(frozen=True, slots=True)
class Newest:
    """Comments, the newest first: all of each moment, because the cursor between pages is a time."""

    comments: list[CommentItem]
    older_before: datetime | None
    """Where the next page begins; None when there are no older ones."""
    is_cut: bool = False

    @property
    def cursor(self) -> str | None:
        """As `createdAt` is shown, so that whoever compares the two finds them the same."""
        return self.older_before.isoformat().replace("+00:00", "Z") if self.older_before else None

    def first(self, count: int) -> "Newest":
        """Not more than so many, unless one moment has more."""
        if count >= len(self.comments):
            return self
        times = [comment.created_at for comment in self.comments]
        end = count
        while end and times[end - 1] == times[end]:
            end -= 1
        shown = self.comments[: end or times.count(times[0])]
        if len(shown) == len(self.comments):
            return self
        return Newest(shown, shown[-1].created_at, is_cut=True)


def open_thread(ctx: Context, given: str, *, before: datetime | None, limit: int) -> tuple[Desk, Newest]:
    """An issue with its newest comments and the names of who wrote them; two requests."""
    newest: Newest

    def writers(issue_id: str) -> Sequence[Key]:
        nonlocal newest
        newest = _read(ctx.table, ctx.caller.workspace_id, issue_id, before=before, limit=limit)
        wanted = [writers_of(comment) for comment in newest.comments]
        # The issue and the settings are read together with the names.
        newest = newest.first(how_many_fit(wanted, most=MAX_NAMES - 1))
        return [key for comment in newest.comments for key in writers_of(comment)]

    desk = open_issue(ctx, given, writers)
    return desk, newest


def _read(table: Table, workspace_id: str, issue_id: str, *, before: datetime | None, limit: int) -> Newest:
    listing = SortRange(prefix=issue_keys.COMMENTS, last=_last_before(before))
    whole, has_older = _whole_moments(
        table, issue_keys.partition(workspace_id, issue_id), listing, most=limit + _SPARE
    )
    kept = [comment for comment in whole if comment.deleted_at is None]
    shown = kept[: _end_of_moment(kept, limit)]
    if len(shown) < len(kept):
        return Newest(shown, shown[-1].created_at)
    if not has_older:
        return Newest(shown, None)
    is_full = len(shown) >= limit
    return Newest(shown, (shown if is_full else whole)[-1].created_at, is_cut=not is_full)


def _whole_moments(
    table: Table, partition: str, listing: SortRange, *, most: int
) -> tuple[list[CommentItem], bool]:
    """Comments up to where the oldest moment among them is complete, and whether there are older ones."""
    read: list[CommentItem] = []
    after = None
    while True:
        answer = table.query(partition, sort=listing, limit=most, is_descending=True, after=after)
        read += [CommentItem.from_attributes(row) for row in answer.rows]
        after = answer.next_position
        if after is None:
            return read, False
        # The last moment may go on, so it is left for the next page; it is read on only if there is no other.
        whole = [comment for comment in read if comment.created_at != read[-1].created_at]
        if whole:
            return whole, True


def _end_of_moment(comments: Sequence[CommentItem], end: int) -> int:
    while 0 < end < len(comments) and comments[end].created_at == comments[end - 1].created_at:
        end += 1
    return end


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


def _no_such_comment(comment_id: str) -> NotFound:
    return NotFound(
        f"There is no comment {comment_id[:60]!r}.", hint="comments.list shows the comments of an issue."
    )
