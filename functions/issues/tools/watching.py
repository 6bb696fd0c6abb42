"""Following issues."""

from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.fields import Paged
from forge.contract.models import Done, Page
from forge.work.issues import watchers
from forge.work.issues.pages.listing import Pager
from forge.work.issues.views import agent_of, row_of, user_of
from forge.work.record.log import events
from functions.issues.models.watching import (
    ListWatchers,
    WatchedIssue,
    WatcherView,
    WatchIssue,
    WatchView,
)
from functions.issues.repository import watching as repository
from functions.issues.rules import watching
from functions.issues.tools import namespace


@namespace.writes(
    idempotent=True,
    costs=Cost(reads=1, writes=1, items=4),
    asks=["notify me of changes", "I want to hear of it", "stay informed of an issue"],
)
def watch(request: WatchIssue, ctx: Context) -> WatchView:
    """Follow an issue as the user or agent of your key; one that you follow stays followed.

    Whom it was assigned to, who created it and who was mentioned follow it anyway.
    Example: {"issueId": "DEMO-1"}
    """
    desk, known = repository.open_watched(ctx, request.issue_id)
    if known is None:
        known, tx = watchers.own_watch(ctx, desk.issue), ctx.plan()
        watchers.add(tx, known)
        events.record_change(tx, "issue", desk.issue.id, action="watch", issue_id=desk.issue.id)
    return WatchView.of(known, wake_on_activity=watching.wakes(known, desk.issue))


@namespace.writes(
    idempotent=True,
    costs=Cost(reads=1, writes=1, items=4),
    asks=["stop watching", "I don't want to hear of it any more", "mute an issue"],
)
def unwatch(request: WatchIssue, ctx: Context) -> Done:
    """Stop following an issue; where you do not follow it, nothing happens.

    Example: {"issueId": "DEMO-1"}
    """
    desk, known = repository.open_watched(ctx, request.issue_id)
    if known is not None:
        tx = ctx.plan()
        watchers.remove(tx, known)
        events.record_change(tx, "issue", desk.issue.id, action="unwatch", issue_id=desk.issue.id)
    return Done()


@namespace.reads(
    name="listWatchers",
    costs=Cost(reads=2),
    asks=["who is watching", "followers of an issue", "who hears of changes to an issue"],
)
def list_watchers(request: ListWatchers, ctx: Context) -> Page[WatcherView]:
    """List the people and agents who follow an issue.

    Example: {"issueId": "DEMO-1"}
    """
    desk, found = repository.open_watchers(ctx, request)
    return Pager(Page[WatcherView]).page(
        found,
        lambda one: WatcherView.of(
            one,
            wake_on_activity=watching.wakes(one, desk.issue),
            user=user_of(one.user_id, desk.names) if one.user_id else None,
            agent=agent_of(one.agent_id, desk.names),
        ),
    )


@namespace.reads(
    name="listWatching",
    costs=Cost(reads=3),
    asks=["what do I watch", "issues that I follow", "what am I subscribed to", "my watch list"],
)
def list_watching(request: Paged, ctx: Context) -> Page[WatchedIssue]:
    """List the issues that you follow, those you followed last first.

    Example: {"limit": 20}
    """
    found, names = repository.read_followed(ctx, request)
    return Pager(Page[WatchedIssue]).page(
        found,
        lambda one: WatchedIssue(
            watch_id=one.watch.watch_id, created_at=one.watch.created_at, issue=row_of(one.issue, names)
        ),
    )
