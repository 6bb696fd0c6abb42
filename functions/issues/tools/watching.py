"""Following issues."""

from dataclasses import replace

from forge.context import Context
from forge.contract.models import Page
from forge.contract.terms import Effect, Scope
from forge.contract.tools import Namespace
from forge.store import keys
from forge.store.pages import Listing, read_page
from forge.store.table import SortRange
from forge.work.issues import issue_keys, watchers
from forge.work.issues.desks import open_issue, resolve, workspace_in
from forge.work.issues.issues import IssueItem
from forge.work.issues.views import agent_of, row_of, user_of
from forge.work.issues.watchers import WatchingItem, WatchItem, watcher_of
from forge.work.log import events
from forge.work.paging import listing
from forge.work.people.names import Names, keys_of
from forge.work.workspaces import workspace_keys
from functions.issues.models.watching import (
    ListWatchers,
    ListWatching,
    Unwatched,
    WatchedIssue,
    WatcherView,
    WatchIssue,
    WatchView,
)
from functions.issues.rules import following

namespace = Namespace("issues", "Follow issues.")


@namespace.tool(scopes=[Scope.WRITE_ISSUES], effect=Effect.MUTATING, idempotent=True)
def watch(request: WatchIssue, ctx: Context) -> WatchView:
    """Follow an issue as the user or agent of your key; one that you follow stays followed.

    Whom it was assigned to, who created it and who was mentioned follow it anyway.
    Example: {"issueId": "DEMO-1"}
    """
    desk, known = following.look_up(ctx, request.issue_id)
    if known is None:
        is_agent = ctx.caller.agent_id is not None
        with ctx.transaction() as tx:
            known = watchers.add(
                tx,
                desk.issue,
                agent_id=ctx.caller.agent_id,
                user_id=None if is_agent else ctx.caller.user_id,
            )
            events.record_change(tx, "issue", desk.issue.id, action="watch", issue_id=desk.issue.id)
    return following.view(known, desk.issue)


@namespace.tool(scopes=[Scope.WRITE_ISSUES], effect=Effect.MUTATING, idempotent=True)
def unwatch(request: WatchIssue, ctx: Context) -> Unwatched:
    """Stop following an issue; where you do not follow it, nothing happens.

    Example: {"issueId": "DEMO-1"}
    """
    desk, known = following.look_up(ctx, request.issue_id)
    if known is not None:
        with ctx.transaction() as tx:
            watchers.remove(tx, known)
            events.record_change(tx, "issue", desk.issue.id, action="unwatch", issue_id=desk.issue.id)
    return Unwatched()


@namespace.tool(scopes=[Scope.READ_ISSUES], effect=Effect.READ_ONLY, name="listWatchers")
def list_watchers(request: ListWatchers, ctx: Context) -> Page[WatcherView]:
    """List the people and agents who follow an issue.

    Example: {"issueId": "DEMO-1"}
    """
    workspace_id = ctx.caller.workspace_id
    reference = resolve(ctx, request.issue_id)
    partition = issue_keys.partition(workspace_id, reference.issue_id)
    prefix = keys.workspace_prefix(workspace_id)
    rows = Listing(prefix, partition, sort=SortRange(prefix=issue_keys.WATCHES))
    found = read_page(ctx.table, WatchItem, rows, limit=min(request.limit, 90), cursor=request.cursor)
    found = replace(found, items=sorted(found.items, key=lambda watch: (watch.created_at, watch.id)))
    desk = open_issue(ctx, reference.issue_id, lambda _: [following.key_of(watch) for watch in found.items])
    following.require_prefix(desk, reference, request.issue_id)
    views = [
        WatcherView.of(
            watch,
            wake_on_activity=following.wakes(watch, desk.issue),
            user=user_of(watch.user_id, desk.names) if watch.user_id else None,
            agent=agent_of(watch.agent_id, desk.names),
        )
        for watch in found.items
    ]
    return listing.page_of(found, views, kind=Page[WatcherView])


@namespace.tool(scopes=[Scope.READ_ISSUES], effect=Effect.READ_ONLY, name="listWatching")
def list_watching(request: ListWatching, ctx: Context) -> Page[WatchedIssue]:
    """List the issues that you follow, those you followed last first.

    Example: {"limit": 20}
    """
    workspace_id = ctx.caller.workspace_id
    partition = issue_keys.watching(workspace_id, watcher_of(ctx.caller))
    rows = Listing(keys.workspace_prefix(workspace_id), partition, is_descending=True)
    found = read_page(ctx.table, WatchingItem, rows, limit=request.limit, cursor=request.cursor)
    heads = ctx.table.find_rows(issue_keys.head(workspace_id, one.issue_id) for one in found.items)
    followed = following.visible(ctx, found, [IssueItem.from_attributes(row) for row in heads.values()])
    wanted = dict.fromkeys(key for issue in followed.issues for key in keys_of(issue))
    named = ctx.table.find_rows([workspace_keys.workspace(workspace_id), *wanted])
    names = Names(workspace_in(ctx, named), named)
    views = [
        WatchedIssue(watch_id=watch.watch_id, created_at=watch.created_at, issue=row_of(issue, names))
        for watch, issue in zip(followed.found.items, followed.issues, strict=True)
    ]
    return listing.page_of(followed.found, views, kind=Page[WatchedIssue])
