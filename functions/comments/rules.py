"""What follows from a comment that is written, changed or deleted; who may do that; how many are shown."""

from collections.abc import Iterable
from itertools import groupby

from forge.context import Caller
from forge.contract.terms import Scope
from forge.errors import Forbidden
from forge.work import texts
from forge.work.comments import comments, mentions
from forge.work.comments.comments import CommentItem, preview
from forge.work.comments.mentions import Mentioned
from forge.work.comments.views import CommentView, comment_view
from forge.work.issues.changes import IssueChange
from forge.work.issues.desks import Desk
from forge.work.log.events import EventKind
from forge.work.paging.listing import MAX_ANSWER, length_of
from forge.work.people.members import ADMIN_ROLES
from forge.work.runs.runs import RunItem
from forge.work.texts import KeptText

# What an answer holds besides its rows: its braces, the cursor, and that it was cut.
_ENVELOPE = 200


def require_author(caller: Caller, comment: CommentItem) -> None:
    if not _is_author(caller, comment) and not _is_admin(caller):
        raise Forbidden(
            "Only its author or an admin can change a comment.",
            hint="Answer with comments.create, or ask an admin.",
        )


def kept(desk: Desk, text: str) -> KeptText:
    ctx, issue = desk.ctx, desk.issue
    name = f"{issue.workspace_id}/{issue.id}/{ctx.new_id('txt')}"
    return texts.keep(ctx.services.store.blobs, text, name=name)


def post(change: IssueChange, comment: CommentItem, text: str, *, mentioned: Mentioned) -> None:
    """Say something: an agent works by it, and whoever is mentioned is called."""
    comments.add(change.tx, comment)
    mentions.watch(change, mentioned)
    seen = {"commentId": comment.id, "preview": preview(text)}
    if comment.authoring_agent_id and change.is_worked_on:
        change.work_on("COMMENT", seen)
    told = seen | {"issueId": comment.issue_id, "kind": comment.kind, "mentions": mentioned.payload}
    told |= {"confidence": comment.confidence} if comment.confidence else {}
    calls = mentions.calls(change.desk, mentioned, text)
    change.announce(EventKind.COMMENT_CREATED, told, action="comment", calls=calls)
    change.save()


def edit(change: IssueChange, comment: CommentItem, text: str, *, mentioned: Mentioned) -> CommentItem:
    """Say it in other words: nobody hears of it but who was not mentioned before."""
    tx, desk = change.tx, change.desk
    edited = comments.revise(tx, comment, kept(desk, text), edited_at=tx.origin.now)
    mentions.watch(change, mentioned)
    told = {"commentId": comment.id, "issueId": comment.issue_id, "edited": True}
    told |= {"preview": preview(text), "mentions": mentioned.payload}
    calls = mentions.calls(desk, mentioned, text)
    change.announce(EventKind.COMMENT_UPDATED, told, action="edit-comment", calls=calls, is_quiet=True)
    change.save()
    return edited


def remove(change: IssueChange, comment: CommentItem) -> CommentItem:
    removed = comment.changed(deleted_at=change.tx.origin.now)
    change.tx.replace(removed)
    told = {"commentId": comment.id, "issueId": comment.issue_id, "deleted": True}
    change.announce(EventKind.COMMENT_UPDATED, told, action="delete-comment", is_quiet=True)
    change.save()
    return removed


def roll_on(change: IssueChange, known: CommentItem | None, run: RunItem, text: str) -> CommentItem:
    """The run's one status comment says this now, whether or not it was there; the same again is no news."""
    desk = change.desk
    if known and _says(desk, known, run, text):
        return known
    body = kept(desk, text)
    if known is None:
        comment = comments.add_status(change.tx, run, body)
    else:
        step = run.current_step
        comment = comments.revise(change.tx, known, body, current_step=step, deleted_at=None)
    told = {
        "commentId": comment.id,
        "issueId": comment.issue_id,
        "kind": comment.kind,
        "runId": run.id,
        "preview": preview(text),
        "currentStep": comment.current_step,
    }
    kind = EventKind.COMMENT_UPDATED if known else EventKind.COMMENT_CREATED
    change.announce(kind, told, action="status")
    change.save()
    return comment


def fitting_rows(desk: Desk, thread: Iterable[CommentItem], fields: set[str] | None) -> list[CommentView]:
    """The rows that can be sent: whole moments, because the cursor between pages is a time; at least one."""
    rows: list[CommentView] = []
    room = MAX_ANSWER - _ENVELOPE
    for _, moment in groupby(thread, key=lambda comment: comment.created_at):
        shown = [_row(desk, comment, fields) for comment in moment]
        room -= sum(length_of(row, fields) + len(",") for row in shown)
        if room < 0 and rows:
            break
        rows += shown
    return rows


def _is_author(caller: Caller, comment: CommentItem) -> bool:
    """An agent's key is the agent, and never the person who owns it."""
    if caller.agent_id is not None:
        return comment.authoring_agent_id == caller.agent_id
    return caller.user_id is not None and comment.author_id == caller.user_id


def _is_admin(caller: Caller) -> bool:
    return Scope.ADMIN in caller.scopes or caller.role in ADMIN_ROLES


def _says(desk: Desk, comment: CommentItem, run: RunItem, text: str) -> bool:
    if comment.deleted_at is not None or comment.current_step != run.current_step:
        return False
    return texts.read(desk.ctx.services.store.blobs, comment.body) == text


def _row(desk: Desk, comment: CommentItem, fields: set[str] | None) -> CommentView:
    # A text that is not shown need not be fetched.
    has_text = fields is None or "body" in fields
    known = comment if has_text else comment.changed(body=KeptText())
    return comment_view(known, desk.names, desk.ctx.services.store.blobs)
