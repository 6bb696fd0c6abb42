"""Who follows an issue, and which issues somebody follows."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from forge.context import Context
from forge.store.keys import Key
from forge.store.pages import Found
from forge.work.issues import issue_keys
from forge.work.issues.desks import Desk, Reference, may_see, no_such_issue, open_issue
from forge.work.issues.issues import IssueItem
from forge.work.issues.watchers import WatchingItem, WatchItem, watcher_of
from forge.work.people import people_keys
from forge.work.people.names import how_many_fit, keys_of
from functions.issues.models.watching import WatchView


@dataclass(frozen=True, slots=True)
class Followed:
    """Watches, and the issue of each."""

    found: Found[WatchingItem]
    issues: list[IssueItem]


def look_up(ctx: Context, given: str) -> tuple[Desk, WatchItem | None]:
    """The issue, and the caller's own watch if there is one."""
    workspace_id, watcher_id = ctx.caller.workspace_id, watcher_of(ctx.caller)
    desk = open_issue(ctx, given, lambda issue_id: [issue_keys.watch(workspace_id, issue_id, watcher_id)])
    return desk, desk.find(WatchItem, issue_keys.watch(workspace_id, desk.issue.id, watcher_id))


def view(watch: WatchItem, issue: IssueItem) -> WatchView:
    return WatchView.of(watch, wake_on_activity=wakes(watch, issue))


def wakes(watch: WatchItem, issue: IssueItem) -> bool:
    """What happens to an issue wakes the agent that has it, and no other."""
    return watch.agent_id is not None and watch.agent_id == issue.assigned_agent_id


def key_of(watch: WatchItem) -> Key:
    """Whose name has to be read to show it."""
    if watch.user_id:
        return people_keys.member(watch.workspace_id, watch.user_id)
    return people_keys.agent(watch.workspace_id, str(watch.agent_id))


def require_prefix(desk: Desk, reference: Reference, given: str) -> None:
    if not reference.is_of(desk.workspace):
        raise no_such_issue(given)


def visible(ctx: Context, found: Found[WatchingItem], heads: Iterable[IssueItem]) -> Followed:
    """Those that the caller may still see, and as many as can be named in one request."""
    issues = {issue.id: issue for issue in heads if may_see(ctx, issue)}
    kept = [watch for watch in found.items if watch.issue_id in issues]
    size = how_many_fit([keys_of(issues[watch.issue_id]) for watch in kept])
    shown = replace(found, items=kept[:size])
    if size < len(kept):
        shown = replace(shown, next_cursor=shown.cursor_after(size - 1), is_truncated=True)
    return Followed(shown, [issues[watch.issue_id] for watch in shown.items])
