"""What an artifact belongs to, and what it is made of: both may be seen, and nothing is half there."""

from typing import NamedTuple

from forge.auth.actors import identity_of
from forge.context import Context
from forge.errors import Conflict, InvalidInput, NotFound
from forge.store.keys import Key
from forge.work.content.artifacts.artifacts import ARTIFACT_COUNT, SourceType
from forge.work.content.chat import messages, threads
from forge.work.content.comments.comments import CommentItem
from forge.work.content.notes import notes
from forge.work.content.notes.notes import NoteItem, NoteTextItem
from forge.work.issues.desks import (
    Desk,
    Reference,
    no_such_issue,
    open_issue,
    read_issues,
    resolve,
    settings_key,
    unknown_reference,
)
from forge.work.issues.identifiers import ReferenceItem
from forge.work.issues.issues import OF_ISSUE, BodyItem
from forge.work.issues.runs import runs
from forge.work.issues.runs.reports import RunTextItem
from forge.work.issues.runs.runs import RunItem
from forge.work.record import texts
from forge.work.record.texts import KeptText
from functions.artifacts.models import Promote
from functions.artifacts.rules import MAX_TITLE, title_of

_APART = frozenset({SourceType.NOTE, SourceType.CHAT_MESSAGE})
"""What belongs to no issue."""


class TextSource(NamedTuple):
    """A text to make an artifact of; the desk is of the issue that this will belong to, if to any."""

    id: str
    text: str
    title: str
    desk: Desk | None


class _Trace(NamedTuple):
    """Where a source is: what it is called, its issue, and the row with its text."""

    id: str
    issue: Reference
    key: Key


def open_target(ctx: Context, given: str) -> Desk:
    """The issue that a new artifact is to belong to."""
    workspace_id = ctx.caller.workspace_id
    try:
        return open_issue(ctx, given, lambda issue_id: [ARTIFACT_COUNT(workspace_id, issue_id)])
    except NotFound:
        raise _unknown_target(given) from None


def read(ctx: Context, request: Promote) -> TextSource:
    """The source, and the issue that it goes to: its own, unless another one is named."""
    if request.source_type in _APART:
        return _read_apart(ctx, request)
    trace = _find(ctx, request)
    named = request.issue_id
    target = resolve(ctx, named, missing=_unknown_target) if named else trace.issue
    count = ARTIFACT_COUNT(ctx.caller.workspace_id, target.issue_id)
    reach = read_issues(
        ctx, {trace.issue.issue_id, target.issue_id}, also=[settings_key(ctx), trace.key, count]
    )
    origin = reach.show(trace.issue, missing=_no_such_source(request))
    desk = reach.open(target, missing=_unknown_target(request.issue_id or target.issue_id))
    kept = _kept_text(request, desk, trace.key)
    text = _require_words(texts.read(ctx.services.store.blobs, kept) if kept else "")
    is_issue = request.source_type is SourceType.ISSUE
    title = origin.title[:MAX_TITLE].strip() if is_issue else title_of(text)
    return TextSource(trace.id, text, title, desk)


def _read_apart(ctx: Context, request: Promote) -> TextSource:
    """A note or chat message of the caller, who makes an artifact of it and so shows it to others."""
    read_it = _read_note if request.source_type is SourceType.NOTE else _read_message
    title, text = read_it(ctx, request)
    desk = open_target(ctx, request.issue_id) if request.issue_id else None
    return TextSource(request.source_id, _require_words(text), title or title_of(text), desk)


def _read_note(ctx: Context, request: Promote) -> tuple[str | None, str]:
    workspace_id, owner_id = ctx.caller.workspace_id, identity_of(ctx.caller)
    head = NoteItem.at(workspace_id, owner_id, request.source_id)
    body = NoteTextItem.at(workspace_id, owner_id, request.source_id)
    readings = ctx.table.read([head, body])
    note = readings.find(NoteItem, head)
    if note is None:
        raise notes.no_such_note(request.source_id)
    return note.title, texts.read(ctx.services.store.blobs, readings.get(NoteTextItem, body).body)


def _read_message(ctx: Context, request: Promote) -> tuple[str | None, str]:
    found = messages.find(ctx.table, ctx.caller.workspace_id, request.source_id)
    if found is None:
        raise _no_such_message(request.source_id)
    thread, message = found
    threads.require_party(thread, ctx.caller)
    if ctx.caller.agent_id and not message.is_shown:
        raise _no_such_message(request.source_id)
    return None, texts.read(ctx.services.store.blobs, message.body)


def _find(ctx: Context, request: Promote) -> _Trace:
    workspace_id, source_id = ctx.caller.workspace_id, request.source_id
    match request.source_type:
        case SourceType.ISSUE:
            reference = resolve(ctx, source_id)
            issue_id = reference.issue_id
            return _Trace(issue_id, reference, BodyItem.at(workspace_id, issue_id))
        case SourceType.AGENT_RUN:
            missing = runs.no_such_run(source_id)
            run = ctx.table.get(RunItem, RunItem.at(workspace_id, source_id), missing=missing)
            return _Trace(run.id, Reference(run.issue_id), RunTextItem.at(workspace_id, run.id))
        case _:
            named = ReferenceItem.at(workspace_id, source_id)
            place = ctx.table.read([named]).find_named(ReferenceItem, named)
            if place is None or not place.sort.startswith(CommentItem.stored.prefix()):
                raise _no_such_source(request)
            key = Key(OF_ISSUE(workspace_id, place.issue_id), place.sort)
            return _Trace(source_id, Reference(place.issue_id), key)


def _require_words(text: str) -> str:
    if not text.strip():
        raise Conflict(
            "There is no text here that an artifact could be made of.",
            hint="artifacts.create makes one of a text that you give.",
        )
    return text


def _kept_text(request: Promote, desk: Desk, place: Key) -> KeptText | None:
    match request.source_type:
        case SourceType.ISSUE:
            return desk.get(BodyItem, place).description
        case SourceType.AGENT_RUN:
            said = desk.find(RunTextItem, place)
            return said.summary if said else None
        case _:
            comment = desk.find(CommentItem, place)
            # Other things than comments have a name that leads to one.
            if comment is None or comment.deleted_at is not None or comment.id != request.source_id:
                raise _no_such_source(request)
            return comment.body


def _no_such_source(request: Promote) -> NotFound:
    if request.source_type is SourceType.ISSUE:
        return no_such_issue(request.source_id)
    if request.source_type is SourceType.AGENT_RUN:
        return runs.no_such_run(request.source_id)
    return NotFound(
        f"There is no comment {request.source_id[:60]!r}.", hint="comments.list shows those of an issue."
    )


def _no_such_message(message_id: str) -> NotFound:
    return NotFound(
        f"There is no message {message_id[:60]!r}.", hint="chat.getThread shows those of a thread."
    )


def _unknown_target(given: str) -> InvalidInput:
    return unknown_reference("issueId", given)
