"""Finding the repository that is meant, the first of its issues that is free, and what a session holds."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from forge.context import Context
from forge.store.leases import LeaseItem
from forge.store.ranges import SortRange
from forge.store.transactions import VersionMoved
from forge.work.backlog import repositories
from forge.work.backlog.locks import holding
from forge.work.backlog.locks.holding import LockHold
from forge.work.backlog.refusals import refusal
from forge.work.backlog.repositories import Provider, RepositoryItem
from forge.work.backlog.scans import Scored
from forge.work.backlog.trackers import choosing
from forge.work.backlog.trackers.trackers import IssueTracker, Tracked
from forge.work.backlog.workflows.workflows import (
    ARCHIVED,
    LOCKS,
    WORKFLOWS,
    LockItem,
    WorkflowItem,
    lease_name,
)
from forge.work.record.log import attempts
from forge.work.workspace import workspaces

MOST_LOCKS = 100
_LOOKED_AT = 8
_EARLIER = 50


@dataclass(frozen=True, slots=True)
class Backlog:
    repository: RepositoryItem
    tracker: IssueTracker


def open_backlog(ctx: Context, given: str | None, *, writes: bool) -> Backlog:
    """The repository that is named, or the workspace's default one."""
    repository = _by_name(ctx, given) if given else _default(ctx)
    attempts.learn(ctx, repository=repository.full_name)
    if writes and repository.read_only:
        raise refusal(
            "NO_WRITE_ACCESS", f"{repository.full_name} is read-only here. Choose another, or ask an admin."
        )
    return Backlog(repository, choosing.tracker_of(ctx, repository))


def first_free(
    ctx: Context, backlog: Backlog, line: Sequence[Scored]
) -> tuple[Tracked, LockHold, Scored] | None:
    """The first of the line that nobody has; what it says of itself decides, and not its row.

    Where others took all of these since the rows were read, there may be more: it is decided again.
    """
    for candidate in line[:_LOOKED_AT]:
        issue = backlog.tracker.open(candidate.row.number)
        if issue is None or not backlog.tracker.is_still_free(issue):
            continue
        hold = hold_to_take(ctx, backlog, issue.number)
        if not hold.is_live(ctx.now()):
            return issue, hold, candidate
    if line:
        raise VersionMoved
    return None


def locks_of_session(ctx: Context) -> list[LockHold]:
    """All that the caller's session holds, in whatever repository; two requests."""
    caller = ctx.caller
    partition = LOCKS(caller.workspace_id, caller.key_id, holding.session_of(caller))
    locks = ctx.table.query_all(partition, most=MOST_LOCKS).first_ones().of(LockItem)
    places = [(one.repository_id, one.number) for one in locks]
    lease_keys = [LeaseItem.at(caller.workspace_id, lease_name(*one)) for one in places]
    workflow_keys = [WorkflowItem.at(caller.workspace_id, *one) for one in places]
    known = ctx.table.read([*lease_keys, *workflow_keys])
    pairs = zip(lease_keys, workflow_keys, strict=True)
    return [
        LockHold(known.get(LeaseItem, lease), known.find(WorkflowItem, workflow)) for lease, workflow in pairs
    ]


def hold_to_take(ctx: Context, backlog: Backlog, number: int) -> LockHold:
    """The lease of an issue, with the unfinished workflow that whoever takes it goes on with."""
    hold = holding.read(ctx, backlog.repository.id, number)
    if hold.workflow is not None or hold.lease.fence == 0:
        return hold
    last = next(iter(earlier_work(ctx, backlog, number, most=1)), None)
    is_left = last is not None and last.is_cut_off and last.fence == hold.lease.fence
    return replace(hold, workflow=last.begun_again()) if last and is_left else hold


def earlier_work(ctx: Context, backlog: Backlog, number: int, *, most: int = _EARLIER) -> list[WorkflowItem]:
    """Work on the issue that is over, the latest first."""
    partition = WORKFLOWS(ctx.caller.workspace_id, backlog.repository.id)
    over = SortRange(prefix=ARCHIVED.prefix(number))
    found = ctx.table.query_all(partition, sort=over, most=most, is_descending=True)
    return found.first_ones().of(WorkflowItem)


def _by_name(ctx: Context, given: str) -> RepositoryItem:
    found = repositories.find_by_name(ctx.table, ctx.caller.workspace_id, given)
    if found is None or not _is_visible(ctx, found):
        raise refusal(
            "REPO_NOT_FOUND", f"There is no repository {given[:100]!r} here. Ask an admin to register it."
        )
    return found


def _default(ctx: Context) -> RepositoryItem:
    workspace = workspaces.get(ctx.table, ctx.caller.workspace_id)
    default_id = workspace.default_repository_id
    found = repositories.find(ctx.table, workspace.id, default_id) if default_id else None
    if found is None or not _is_visible(ctx, found):
        raise refusal(
            "REPO_REQUIRED",
            "This workspace has no default repository: name one, as owner/repo, in `repository`.",
        )
    return found


def _is_visible(ctx: Context, repository: RepositoryItem) -> bool:
    """A key that is narrowed to other projects knows nothing of it; labels may be on any issue."""
    narrowing = ctx.caller.narrowing
    if repository.provider is Provider.GITHUB and narrowing.label_ids:
        # Labels there are not ours, so no key can be narrowed to them.
        return False
    if not narrowing.project_ids or narrowing.label_ids:
        return True
    return repository.project_id in narrowing.project_ids
