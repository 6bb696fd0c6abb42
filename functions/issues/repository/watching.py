"""Who follows an issue, and which issues somebody follows."""

from dataclasses import replace
from typing import NamedTuple

from forge.context import Context
from forge.store.keys import Key
from forge.store.pages import AskedPage, Found, Portion, read_page
from forge.store.walks import one_partition
from forge.work.issues.desks import Desk, open_issue, read_issues, settings_key
from forge.work.issues.issues import OF_ISSUE, IssueItem
from forge.work.issues.watchers import WatchingItem, WatchItem, watcher_of
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.people.names import Names, how_many_fit, keys_of
from functions.issues.models.watching import ListWatchers

_MOST_WATCHERS = 90


def open_watched(ctx: Context, given: str) -> tuple[Desk, WatchItem | None]:
    """The issue, and the caller's own watch if there is one."""
    workspace_id, watcher_id = ctx.caller.workspace_id, watcher_of(ctx.caller)
    desk = open_issue(ctx, given, lambda issue_id: [WatchItem.at(workspace_id, issue_id, watcher_id)])
    return desk, desk.find(WatchItem, WatchItem.at(workspace_id, desk.issue.id, watcher_id))


def open_watchers(ctx: Context, request: ListWatchers) -> tuple[Desk, Found[WatchItem]]:
    """An issue with those who follow it, who began first coming first, and their names."""
    found: Found[WatchItem]

    def names(issue_id: str) -> list[Key]:
        nonlocal found
        partition = OF_ISSUE(ctx.caller.workspace_id, issue_id)
        rows = one_partition(partition, prefix=WatchItem.stored.prefix())
        found = read_page(
            ctx.table, WatchItem, rows, Portion(min(request.limit, _MOST_WATCHERS), request.cursor)
        )
        return [_name_key(watch) for watch in found.items]

    desk = open_issue(ctx, request.issue_id, names)
    oldest_first = sorted(found.placed, key=lambda one: (one.thing.created_at, one.thing.id))
    return desk, replace(found, placed=oldest_first)


class Followed(NamedTuple):
    """A watch and its issue."""

    watch: WatchingItem
    issue: IssueItem


def read_followed(ctx: Context, asked: AskedPage) -> tuple[Found[Followed], Names]:
    """What the caller follows and may still see, and as many as can be named in one request."""
    partition = WatchingItem.stored.partition(ctx.caller.workspace_id, watcher_of(ctx.caller))
    rows = one_partition(partition, is_descending=True)
    watches = read_page(ctx.table, WatchingItem, rows, asked)
    reach = read_issues(ctx, [watch.issue_id for watch in watches.items])

    def followed(watch: WatchingItem) -> Followed | None:
        issue = reach.find(watch.issue_id)
        return Followed(watch, issue) if issue else None

    found = watches.become(followed)
    found = found.first(how_many_fit([keys_of(one.issue) for one in found.items]))
    reach.readings.fetch([settings_key(ctx), *(key for one in found.items for key in keys_of(one.issue))])
    return found, reach.names


def _name_key(watch: WatchItem) -> Key:
    """Whose name has to be read to show it."""
    if watch.user_id:
        return MemberItem.at(watch.workspace_id, watch.user_id)
    return AgentItem.at(watch.workspace_id, str(watch.agent_id))
