"""Who follows an issue, and which issues somebody follows."""

from dataclasses import dataclass, replace

from forge.context import Context
from forge.store import keys
from forge.store.keys import Key
from forge.store.pages import Found, Listing, read_page
from forge.store.table import SortRange
from forge.work.issues import issue_keys
from forge.work.issues.desks import Desk, look_at, open_issue, settings_key
from forge.work.issues.issues import IssueItem
from forge.work.issues.watchers import WatchingItem, WatchItem, watcher_of
from forge.work.people import people_keys
from forge.work.people.names import Names, how_many_fit, keys_of

_MOST_WATCHERS = 90


def open_watched(ctx: Context, given: str) -> tuple[Desk, WatchItem | None]:
    """The issue, and the caller's own watch if there is one."""
    workspace_id, watcher_id = ctx.caller.workspace_id, watcher_of(ctx.caller)
    desk = open_issue(ctx, given, lambda issue_id: [issue_keys.watch(workspace_id, issue_id, watcher_id)])
    return desk, desk.find(WatchItem, issue_keys.watch(workspace_id, desk.issue.id, watcher_id))


def open_watchers(
    ctx: Context, given: str, *, limit: int, cursor: str | None
) -> tuple[Desk, Found[WatchItem]]:
    """An issue with those who follow it, who began first coming first, and their names."""
    found: Found[WatchItem]

    def names(issue_id: str) -> list[Key]:
        nonlocal found
        workspace_id = ctx.caller.workspace_id
        partition = issue_keys.partition(workspace_id, issue_id)
        rows = Listing(
            keys.workspace_prefix(workspace_id), partition, sort=SortRange(prefix=issue_keys.WATCHES)
        )
        found = read_page(ctx.table, WatchItem, rows, limit=min(limit, _MOST_WATCHERS), cursor=cursor)
        return [_name_key(watch) for watch in found.items]

    desk = open_issue(ctx, given, names)
    return desk, replace(found, items=sorted(found.items, key=lambda watch: (watch.created_at, watch.id)))


@dataclass(frozen=True, slots=True)
class Followed:
    """Watches, the issue of each, and what these are shown with."""

    found: Found[WatchingItem]
    issues: list[IssueItem]
    names: Names


def read_followed(ctx: Context, *, limit: int, cursor: str | None) -> Followed:
    """What the caller follows and may still see, and as many as can be named in one request."""
    workspace_id = ctx.caller.workspace_id
    partition = issue_keys.watching(workspace_id, watcher_of(ctx.caller))
    rows = Listing(keys.workspace_prefix(workspace_id), partition, is_descending=True)
    found = read_page(ctx.table, WatchingItem, rows, limit=limit, cursor=cursor)
    reach = look_at(ctx, [watch.issue_id for watch in found.items])
    issues = {watch.issue_id: reach.find(watch.issue_id) for watch in found.items}
    kept = [(watch, issue) for watch in found.items if (issue := issues[watch.issue_id])]
    size = how_many_fit([keys_of(issue) for _, issue in kept])
    shown = replace(found, items=[watch for watch, _ in kept[:size]])
    if size < len(kept):
        shown = replace(shown, next_cursor=shown.cursor_after(size - 1), is_truncated=True)
    reach.readings.fetch([settings_key(ctx), *(key for _, issue in kept[:size] for key in keys_of(issue))])
    return Followed(shown, [issue for _, issue in kept[:size]], reach.names)


def _name_key(watch: WatchItem) -> Key:
    """Whose name has to be read to show it."""
    if watch.user_id:
        return people_keys.member(watch.workspace_id, watch.user_id)
    return people_keys.agent(watch.workspace_id, str(watch.agent_id))
