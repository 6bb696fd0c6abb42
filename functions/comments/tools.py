"""The comments' tools."""

from forge.context import Context
from forge.contract.terms import Actor, Effect, Scope
from forge.contract.tools import Namespace
from forge.work import comments, mentions, texts
from forge.work.changes import IssueChange, keys_of_agents
from forge.work.comment_views import CommentView, comment_fields, comment_view, writers_of
from forge.work.comments import CommentItem, preview
from forge.work.desks import Desk, open_issue
from forge.work.listing import chosen
from functions.comments import repository, rules
from functions.comments.models import (
    Comments,
    CreateComment,
    DeleteComment,
    DeletedComment,
    ListComments,
    PostedComment,
    UpdateComment,
    UpsertStatus,
)

namespace = Namespace("comments", "Talk about issues, and say how the work goes.")


@namespace.tool(
    scopes=[Scope.WRITE_COMMENTS],
    effect=Effect.MUTATING,
    asks=["leave a note on an issue", "reply to somebody", "ask a question"],
)
def create(request: CreateComment, ctx: Context) -> PostedComment:
    """Post a comment on an issue; allowed in every mode. For progress use comments.upsertStatus.

    @profileKey wakes an agent, `@profileKey research: …` in that mode; @handle calls a person. Both watch the
    issue from then on. At most 8 agents, 10 names in all.
    Example: {"issueId": "DEMO-1", "body": "@reviewer review: ready for you.", "confidence": "HIGH"}
    """
    workspace_id, tokens = ctx.caller.workspace_id, mentions.tokens_in(request.body)
    desk = open_issue(ctx, request.issue_id, lambda _: mentions.guards_of(workspace_id, tokens))
    named = mentions.named_by(desk.rows, workspace_id, tokens)
    comment = _written(request, desk)
    needed = mentions.needs(workspace_id, desk.issue.id, named)
    desk.fetch([*keys_of_agents(desk), *writers_of(comment), *needed])
    mentioned = mentions.resolve(desk, named)
    with ctx.transaction() as tx:
        rules.post(IssueChange(desk, tx), comment, request.body, mentioned=mentioned)
    return PostedComment.of(comment, **comment_fields(comment, desk.names, ctx.services.store.blobs))


@namespace.tool(scopes=[Scope.WRITE_COMMENTS], effect=Effect.MUTATING, idempotent=True)
def update(request: UpdateComment, ctx: Context) -> CommentView:
    """Change the text of a comment and return it; earlier texts are kept.

    For its author and for admins; everybody else answers with comments.create. Of the names in it, only those
    that were not mentioned before are called. Example: {"id": "cmt_01J…", "body": "Fixed in 1.4.2."}
    """
    tokens, blobs = mentions.tokens_in(request.body), ctx.services.store.blobs
    desk, comment = repository.open_comment(ctx, request.id, tokens)
    rules.require_author(ctx.caller, comment)
    earlier = texts.read(blobs, comment.body)
    if earlier != request.body:
        known = mentions.tokens_in(earlier)
        added = [token for token in tokens if token not in known]
        mentioned = mentions.resolve(desk, mentions.named_by(desk.rows, comment.workspace_id, added))
        with ctx.transaction() as tx:
            comment = rules.edit(IssueChange(desk, tx), comment, request.body, mentioned=mentioned)
    return comment_view(comment, desk.names, blobs)


@namespace.tool(scopes=[Scope.WRITE_COMMENTS], effect=Effect.MUTATING, destructive=True)
def delete(request: DeleteComment, ctx: Context) -> DeletedComment:
    """Delete a comment and return what it was: no list shows it any more.

    For its author and for admins. To correct one, use comments.update. Example: {"id": "cmt_01J…"}
    """
    desk, comment = repository.open_comment(ctx, request.id)
    rules.require_author(ctx.caller, comment)
    with ctx.transaction() as tx:
        removed = rules.remove(IssueChange(desk, tx), comment)
    return DeletedComment.of(
        removed, **comment_fields(removed, desk.names, ctx.services.store.blobs), deleted=True
    )


@namespace.tool(
    scopes=[Scope.WRITE_COMMENTS],
    effect=Effect.MUTATING,
    actor=Actor.AGENT,
    idempotent=True,
    asks=["say how far I am", "report progress", "post an update"],
)
def upsert_status(request: UpsertStatus, ctx: Context) -> CommentView:
    """Say how your work goes, in the one status comment of your run; allowed in every mode.

    It begins a run if you have none; later calls replace the text and are signs of life. It calls nobody: to
    ask somebody, use comments.create.
    Example: {"issueId": "DEMO-1", "body": "Reproduced. Writing a test.", "currentStep": "test"}
    """
    desk = open_issue(ctx, request.issue_id)
    live = desk.issue.live_run_of(ctx.caller.agent_id)
    place = comments.status_comment_key(desk.issue, live) if live else None
    desk.fetch([*keys_of_agents(desk), *([place] if place else [])])
    with ctx.transaction() as tx:
        change = IssueChange(desk, tx)
        seen = {"preview": preview(request.body), "currentStep": request.current_step}
        run = change.work_on("STATUS", seen, current_step=request.current_step)
        known = desk.find(CommentItem, place) if place else None
        comment = rules.roll_on(change, known, run, request.body)
    return comment_view(comment, desk.names, ctx.services.store.blobs)


@namespace.tool(scopes=[Scope.READ_ISSUES], effect=Effect.READ_ONLY)
def list(request: ListComments, ctx: Context) -> Comments:
    """List the comments of an issue, the newest first; pass nextCursor as `before` for older ones.

    Comments of one moment are never parted, so a page may be a little longer than the limit.
    Example: {"issueId": "DEMO-1", "limit": 20}
    """
    shown = chosen(CommentView, request.fields)
    desk, newest = repository.open_thread(ctx, request.issue_id, before=request.before, limit=request.limit)
    rows = rules.fitting_rows(desk, newest.comments, shown)
    newest = newest.first(len(rows))
    page = Comments(data=rows, next_cursor=newest.cursor, truncated=newest.is_cut or None)
    page.render(shown)
    return page


def _written(request: CreateComment, desk: Desk) -> CommentItem:
    ctx, now = desk.ctx, desk.ctx.now()
    return CommentItem(
        workspace_id=ctx.caller.workspace_id,
        issue_id=desk.issue.id,
        id=ctx.new_id("cmt"),
        author_id=ctx.caller.user_id,
        authoring_agent_id=ctx.caller.agent_id,
        body=rules.kept(desk, request.body),
        suggested_replies=request.suggested_replies,
        confidence=request.confidence,
        created_at=now,
        updated_at=now,
    )
