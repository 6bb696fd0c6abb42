"""The one door to a comment by its id: it is there, on an issue that the caller may see."""

from collections.abc import Callable, Iterable

from forge.context import Context
from forge.errors import NotFound
from forge.store.keys import Key
from forge.work.content.comments.comments import CommentItem, CommentReferenceItem
from forge.work.issues.desks import Desk, open_issue
from forge.work.issues.issues import OF_ISSUE


def open_comment(
    ctx: Context,
    comment_id: str,
    *,
    first: Iterable[Key] = (),
    beside: Callable[[CommentReferenceItem], Iterable[Key]] = lambda _: (),
    may_see_deleted: Callable[[CommentItem], bool] = lambda _: False,
) -> tuple[Desk, CommentItem]:
    """A comment and its issue, in two requests; `first` and `beside` are what else to read in each."""
    workspace_id = ctx.caller.workspace_id
    key = CommentReferenceItem.at(workspace_id, comment_id)
    known = ctx.table.read([key, *first])
    found = known.find_named(CommentReferenceItem, key)
    if found is None or not found.sort.startswith(CommentItem.stored.prefix()):
        raise no_such_comment(comment_id)
    place = Key(OF_ISSUE(workspace_id, found.issue_id), found.sort)
    wanted = [place, *beside(found)]
    desk = open_issue(ctx, found.issue_id, lambda _: wanted, readings=known)
    comment = desk.find(CommentItem, place)
    if comment is None or comment.id != comment_id:
        raise no_such_comment(comment_id)
    if comment.deleted_at is not None and not may_see_deleted(comment):
        raise no_such_comment(comment_id)
    return desk, comment


def no_such_comment(comment_id: str) -> NotFound:
    return NotFound(
        f"There is no comment {comment_id[:60]!r}.", hint="comments.list shows the comments of an issue."
    )
