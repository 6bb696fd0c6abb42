"""The comments' tools."""

from collections.abc import Sequence

from forge.context import Context
from forge.contract.effects import KEPT_UP, Cost
from forge.contract.guards import Guarded, settles_nothing
from forge.contract.models import Page
from forge.contract.terms import Actor, Scope
from forge.contract.tools import Namespace
from forge.work.content.comments import comments, mentions, posting
from forge.work.content.comments.announcements import (
    COMMENT_DELETED,
    COMMENT_EDITED,
    COMMENT_POSTED,
    STATUS_POSTED,
    STATUS_ROLLED_ON,
)
from forge.work.content.comments.comments import CommentItem, RevisionItem
from forge.work.content.comments.views import comment_fields, writers_of
from forge.work.issues.announcements import ISSUE_MOVED
from forge.work.issues.changes import IssueChange, begin_change
from forge.work.issues.claims import holds
from forge.work.issues.desks import Desk, open_issue
from forge.work.issues.pages.listing import Pager
from forge.work.issues.pages.sizes import how_many_at_most
from forge.work.issues.runs.announcements import RUN_STARTED
from forge.work.issues.saving import save
from forge.work.plans.requests import raising
from forge.work.plans.requests.announcements import REQUEST_RAISED
from forge.work.record import texts
from functions.comments import repository, revisions, rules
from functions.comments.models import (
    Comments,
    CreateComment,
    DeleteComment,
    DeletedComment,
    EarlierText,
    GetHistory,
    ListComments,
    ListedComment,
    PostedComment,
    RunOfComment,
    UpdateComment,
    UpsertStatus,
)
from functions.comments.revisions import RevisedComment

_CARD = "actionRequest."

namespace = Namespace(
    "comments", "Talk about issues, and say how the work goes.", writes=[Scope.WRITE_COMMENTS]
)


@namespace.writes(
    for_runs=True,
    ungated="Words are allowed in every mode.",
    costs=Cost(reads=3, writes=1, items=53).up_to(items=67, because="eight agents are called"),
    emits=[COMMENT_POSTED, REQUEST_RAISED, RUN_STARTED, ISSUE_MOVED],
    guards=(settles_nothing("it only asks", Guarded.REQUEST),),
    asks=[
        "write to somebody",
        "reply to somebody",
        "ask a question",
        "mention a person or an agent",
        "say something about an issue",
        "leave a note under an issue",
    ],
)
def create(request: CreateComment, ctx: Context) -> PostedComment:
    """Post a comment on an issue; allowed in every mode. For progress use comments.upsertStatus.

    @profileKey wakes an agent, `@profileKey research: …` in that mode; @handle calls a person. Both watch the
    issue from then on. Beyond 8 agents or 10 names, the rest are called within minutes. Code calls nobody.
    Example: {"issueId": "DEMO-1", "body": "@reviewer review: ready for you.", "confidence": "HIGH"}
    """
    workspace_id, tokens = ctx.caller.workspace_id, mentions.tokens_in(request.body)
    first = tokens[: mentions.MAX_TOKENS]
    wanted = raising.look_up(ctx, request.action_request, within=_CARD) if request.action_request else None
    desk = repository.open_commented(ctx, request.issue_id, first, wanted)
    named, rest = mentions.at_once(desk, workspace_id, tokens, looked_up=first)
    comment = comments.written(
        ctx,
        desk.issue,
        request.body,
        suggested_replies=request.suggested_replies,
        confidence=request.confidence,
    )
    card = raising.raised(ctx, wanted, desk, source=("comment", comment.id)) if wanted else None
    comment = comment.changed(action_request_id=card.request.id) if card else comment
    called = mentions.needs(desk.issue, named)
    change = begin_change(desk, [*writers_of(comment), *called])
    posting.post(change, comment, request.body, mentioned=mentions.resolve(desk, named))
    tx = ctx.plan()
    comments.add(tx, comment)
    posting.call_later(tx, comment, rest)
    if card:
        raising.announce(change, card)
        raising.add(tx, card)
    issue = save(tx, change)
    return PostedComment.of(
        comment,
        **comment_fields(comment, desk.names, ctx.services.store.blobs),
        run=RunOfComment.of_live(issue.run_at_work_of(ctx.caller.agent_id)),
        note=rules.note_on(change.crowded_out),
    )


@namespace.writes(
    for_runs=True,
    ungated="Words are allowed in every mode.",
    idempotent=True,
    costs=Cost(reads=3, writes=1, items=50).up_to(items=61, because="eight agents are called"),
    emits=[COMMENT_EDITED, RUN_STARTED],
    asks=["correct a comment", "reword what I said", "edit my post"],
)
def update(request: UpdateComment, ctx: Context) -> RevisedComment:
    """Change the text of a comment and return it with what it said before.

    For its author and for admins; everybody else answers with comments.create. Of the names in it, only those
    that were not mentioned before are called. Example: {"id": "cmt_01J…", "body": "Fixed in 1.4.2."}
    """
    tokens, blobs = mentions.tokens_in(request.body), ctx.services.store.blobs
    first = tokens[: mentions.MAX_TOKENS]
    desk, comment = repository.open_comment(ctx, request.id, first)
    rules.require_author(ctx.caller, comment)
    earlier = texts.read(blobs, comment.body)
    added = rules.added_names(tokens, mentions.tokens_in(earlier))
    named, rest = mentions.at_once(desk, comment.workspace_id, added, looked_up=first)
    needs = mentions.needs(desk.issue, named)
    known = repository.earlier_texts(desk, comment, needs)
    if earlier == request.body:
        return _revised(desk, comment, known)
    change = IssueChange(desk)
    rules.edit(change, comment, request.body, mentioned=mentions.resolve(desk, named))
    tx = ctx.plan()
    posting.call_later(tx, comment, rest)
    body = comments.kept(ctx, desk.issue, request.body)
    edited = comments.revise(tx, comment, body, edited_at=tx.origin.now)
    save(tx, change)
    return _revised(desk, edited, [comments.earlier_text(comment), *known])


@namespace.writes(
    ungated="Words are allowed in every mode.",
    destructive=True,
    costs=Cost(reads=2, writes=1, items=5),
    emits=[COMMENT_DELETED],
    asks=["withdraw a comment", "undo what I said", "retract a reply"],
)
def delete(request: DeleteComment, ctx: Context) -> DeletedComment:
    """Delete a comment and return what it was: no list shows it any more.

    For its author and for admins. To correct one, use comments.update. Example: {"id": "cmt_01J…"}
    """
    desk, comment = repository.open_comment(ctx, request.id)
    rules.require_author(ctx.caller, comment)
    change = IssueChange(desk)
    rules.remove(change, comment)
    tx = ctx.plan()
    removed = comments.remove(tx, comment)
    save(tx, change)
    return DeletedComment.of(
        removed, **comment_fields(removed, desk.names, ctx.services.store.blobs), deleted=True
    )


@namespace.writes(
    for_runs=True,
    ungated="Words are allowed in every mode.",
    actor=Actor.AGENT,
    idempotent=True,
    costs=Cost(reads=2, writes=1, items=14).up_to(reads=3, items=19, because=KEPT_UP),
    emits=[STATUS_POSTED, STATUS_ROLLED_ON, RUN_STARTED, ISSUE_MOVED],
    asks=[
        "say how far I am",
        "report progress",
        "post an update",
        "how my work is going",
        "let others know where I am",
    ],
)
def upsert_status(request: UpsertStatus, ctx: Context) -> RevisedComment:
    """Say how your work goes, in the one status comment of your run; allowed in every mode.

    It begins a run if you have none; later calls replace the text and are signs of life. It calls nobody: to
    ask somebody, use comments.create.
    Example: {"issueId": "DEMO-1", "body": "Reproduced. Writing a test."}
    """
    desk, blobs = open_issue(ctx, request.issue_id), ctx.services.store.blobs
    live = desk.issue.run_at_work_of(ctx.caller.agent_id)
    place = comments.status_comment_key(desk.issue, live) if live else None
    change = begin_change(desk, [place] if place else [])
    if rules.executes(change, live):
        holds.require_no_others_claim(desk)
    run = rules.require_run(change.work_on(current_step=request.current_step))
    change.get_going(run)
    known = desk.find(CommentItem, place) if place else None
    said = texts.read(blobs, known.body) if known else None
    earlier = repository.earlier_texts(desk, known) if known else []
    tx = ctx.plan()
    comment = known
    if comment is None or rules.is_news(comment, run, said=said, text=request.body):
        body = comments.kept(ctx, desk.issue, request.body)
        comment = comments.roll_on(tx, known, run, body)
        rules.roll_on(change, comment, run, request.body, is_first=known is None)
        earlier = [comments.earlier_text(known), *earlier] if known else []
    save(tx, change)
    return _revised(desk, comment, earlier)


@namespace.reads(
    costs=Cost(reads=3).up_to(reads=5, because="deleted ones are read past"),
    asks=[
        "what was said about an issue",
        "follow the discussion",
        "older comments",
        "read a discussion of people and agents",
        "read what people answered",
    ],
)
def list(request: ListComments, ctx: Context) -> Comments:
    """List the comments of an issue, the newest first; pass nextCursor as `cursor` for older ones.

    How live runs go comes first.
    Example: {"issueId": "DEMO-1", "limit": 20}
    """
    pager, blobs = Pager(Comments, request.fields), ctx.services.store.blobs
    desk, found = repository.open_thread(ctx, request.issue_id, before=request.end, limit=request.limit)
    if pager.shows("body"):
        # Texts that can't be sent anyway need not be fetched.
        found = found.first(how_many_at_most(map(rules.least_length, found.items)))
    if "revisions" not in request.include:
        return pager.page(found, lambda comment: _row(desk, comment, pager.shows("body")))
    found = repository.with_earlier_texts(desk, found)
    return pager.page(
        found,
        lambda comment: _row(desk, comment, pager.shows("body")).model_copy(
            update={
                "revisions": revisions.shown(revisions.newest_of(desk, comment), blobs),
                "revisions_truncated": revisions.is_cut(comment) or None,
            }
        ),
    )


@namespace.reads(
    costs=Cost(reads=3),
    asks=[
        "what did a comment say before",
        "earlier versions of a comment",
        "original wording",
        "edits and former wording of a comment",
    ],
)
def history(request: GetHistory, ctx: Context) -> Page[EarlierText]:
    """Show what a comment said before, the newest first and in full: 20 texts are kept, 50 of a status.

    Of a deleted comment its author and admins also see what it said last. comments.list with include
    revisions shows the beginnings of the last few, for many comments at once. Example: {"id": "cmt_01J…"}
    """
    blobs, found = ctx.services.store.blobs, repository.read_history(ctx, request)
    # Texts that can't be sent anyway need not be fetched.
    found = found.first(how_many_at_most(map(rules.least_length, found.items)))
    return Pager(Page[EarlierText]).page(
        found,
        lambda one: EarlierText(
            body=texts.read(blobs, one.body), current_step=one.current_step, edited_at=one.written_at
        ),
    )


def _row(desk: Desk, comment: CommentItem, shows_text: bool) -> ListedComment:
    blobs = desk.ctx.services.store.blobs
    shown = comment if shows_text else rules.without_text(comment)
    fields = comment_fields(shown, desk.names, blobs)
    return ListedComment.of(comment, **fields, revisions=None, revisions_truncated=None)


def _revised(desk: Desk, comment: CommentItem, earlier: Sequence[RevisionItem]) -> RevisedComment:
    blobs = desk.ctx.services.store.blobs
    fields = comment_fields(comment, desk.names, blobs)
    return RevisedComment.of(
        comment,
        **fields,
        revisions=revisions.shown(earlier, blobs),
        revisions_truncated=revisions.is_cut(comment) or None,
    )
