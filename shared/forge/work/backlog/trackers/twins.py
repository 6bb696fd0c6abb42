"""The issue that was made here of one on GitHub: whoever has one of them has both, so it is done once."""

from collections.abc import Iterable

from forge.context import Context
from forge.errors import Forbidden, NotFound
from forge.store.keys import Key
from forge.store.transactions import Transaction
from forge.work.backlog.github import resources
from forge.work.backlog.github.resources import ResourceItem, ResourceType
from forge.work.backlog.repositories import RepositoryItem
from forge.work.backlog.trackers.native_changes import claim
from forge.work.issues.announcements import ISSUE_RELEASED, Released
from forge.work.issues.changes import IssueChange, begin_change
from forge.work.issues.desks import open_issue, read_issues
from forge.work.issues.issues import NO_CLAIM, IssueItem, IssueLock
from forge.work.issues.saving import save
from forge.work.workspace.people.names import keys_of

MOST_LOOKED_AT = 300
"""Of a repository with more open issues, the most urgent: each hundred takes two requests."""


def twins_of(ctx: Context, repository: RepositoryItem, numbers: Iterable[int]) -> dict[int, IssueItem]:
    """Those of these issues that were imported, are open here and may be seen, by their numbers on GitHub."""
    places = {number: _place(repository, number) for number in numbers}
    known = ctx.table.read(places.values())
    ids = {
        number: found.source_issue_id
        for number, place in places.items()
        if (found := known.find(ResourceItem, place)) and found.source_issue_id
    }
    reach = read_issues(ctx, ids.values(), readings=known)
    seen = {number: reach.find(issue_id) for number, issue_id in ids.items()}
    return {number: issue for number, issue in seen.items() if issue and issue.is_open}


def find(ctx: Context, issue_id: str) -> IssueItem | None:
    found = read_issues(ctx, [issue_id]).find(issue_id)
    return found if found and found.is_open else None


def id_of(ctx: Context, repository: RepositoryItem, number: int) -> str | None:
    """The id of the Forge issue that was imported from this GitHub issue, open or not."""
    found = ctx.table.find(ResourceItem, _place(repository, number))
    return found.source_issue_id if found else None


def hold(ctx: Context, tx: Transaction, issue_id: str, lock: IssueLock, *, held: IssueLock | None) -> None:
    """Whoever has the lock has claimed it, for as long; what others have claimed otherwise stays theirs.

    `held` is the lock before: with it, its holder's claim is taken over.
    """
    change = _change(ctx, issue_id)
    if change is None or not change.issue.is_open or change.issue.is_locked(change.now):
        return
    is_own = change.issue.is_claimed_by(ctx.caller)
    if change.issue.is_claimed(change.now) and not is_own and not _is_of(change.issue, held):
        return
    since = change.issue.claimed_at if is_own else None
    claim(change, lock, since=since or change.now, is_told=not is_own)
    save(tx, change)


def let_go(ctx: Context, tx: Transaction, issue_id: str, held: IssueLock | None) -> None:
    """Take away the claim of the lock's holder on the imported issue, when the lock has ended."""
    change = _change(ctx, issue_id)
    if change is None or change.issue.claimant_id is None or change.issue.is_locked(change.now):
        return
    if _is_of(change.issue, held) or change.issue.is_claimed_by(ctx.caller):
        change.set(**NO_CLAIM)
        change.announce(ISSUE_RELEASED, Released(claimed=False), action="unlock")
        save(tx, change)


def _is_of(issue: IssueItem, held: IssueLock | None) -> bool:
    """Whether an issue was claimed together with this lock: claim and lock then end at the same moment."""
    return held is not None and issue.claim_expires_at == held.until and not issue.lock


def _change(ctx: Context, issue_id: str) -> IssueChange | None:
    """None where it is gone, or the caller may not change it: the lock itself does not depend on it."""
    try:
        desk = open_issue(ctx, issue_id)
    except (NotFound, Forbidden):
        return None
    return begin_change(desk, keys_of(desk.issue), takes_over=True)


def _place(repository: RepositoryItem, number: int) -> Key:
    workspace_id = repository.workspace_id
    name = resources.resource_id(workspace_id, repository.full_name, ResourceType.ISSUE, number)
    return ResourceItem.at(workspace_id, name)
