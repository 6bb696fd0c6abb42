"""Moving many issues: everything is checked before anything moves, then they move in chunks."""

from collections.abc import Iterator
from dataclasses import dataclass

from forge.context import Context
from forge.store.keys import Key
from forge.store.table import Attributes
from forge.store.transactions import MAX_WRITES, Transaction, VersionMoved
from forge.work.issues import issue_keys, transitions
from forge.work.issues.changes import IssueChange, require_room
from forge.work.issues.desks import Desk, no_such_issue, require_visible, resolve_all, workspace_in
from forge.work.issues.issues import CLOSED, IssueItem
from forge.work.runs.modes import require_mode
from forge.work.workspaces import workspace_keys
from forge.work.workspaces.statuses import StatusCopy
from forge.work.workspaces.workspaces import WorkspaceItem
from functions.issues.models.moving import Failure, TransitionIssues

MAX_CHUNK = 20


@dataclass(frozen=True, slots=True)
class Wanted:
    status: StatusCopy
    workspace: WorkspaceItem
    issues: list[IssueItem]
    rows: dict[Key, Attributes]


def look_up(ctx: Context, request: TransitionIssues) -> Wanted:
    """Every issue, if the caller may move all of them; and what follows from moving them."""
    workspace_id = ctx.caller.workspace_id
    references = resolve_all(ctx, dict.fromkeys(request.ids))
    heads = {given: issue_keys.head(workspace_id, one.issue_id) for given, one in references.items()}
    rows = ctx.table.find_rows([workspace_keys.workspace(workspace_id), *heads.values()])
    workspace = workspace_in(ctx, rows)
    status = transitions.status_of(workspace, request.status_id)
    found = {}
    for given, head in heads.items():
        issue = IssueItem.from_attributes(rows[head]) if head in rows else None
        if issue is None or issue.deleted_at is not None or not references[given].is_of(workspace):
            raise no_such_issue(given)
        require_visible(ctx, issue)
        require_mode(ctx, issue)
        if issue.status_id != status.id:
            _require_movable(ctx, issue, status)
            found[issue.id] = issue
    needed = [
        key
        for issue in found.values()
        for key in transitions.needs(Desk(ctx, workspace, issue, rows), status)
    ]
    rows |= ctx.table.find_rows(key for key in needed if key not in rows)
    return Wanted(status, workspace, list(found.values()), rows)


def move_all(ctx: Context, wanted: Wanted) -> tuple[int, list[Failure]]:
    """How many moved, and which did not because somebody else changed them meanwhile.

    The last chunk is committed with the answer; one before it that fails does not keep the others back.
    """
    moved, failed = 0, []
    chunk: list[IssueItem] = []
    written: dict[Key, Attributes] = {}
    for following in _chunks(ctx, wanted):
        try:
            ctx.commit()
            # A later chunk may hold what an earlier one freed, and has to know that it was changed.
            wanted.rows.update(written)
        except VersionMoved:
            moved -= len(chunk)
            failed += [Failure(id=one.id, message="Changed by somebody else; try again.") for one in chunk]
        chunk = following
        with ctx.transaction() as tx:
            for issue in chunk:
                _move(ctx, tx, wanted, issue.key)
        written = dict(tx.stored())
        moved += len(chunk)
    return moved, failed


def _require_movable(ctx: Context, issue: IssueItem, status: StatusCopy) -> None:
    """An agent that moves an issue works on it, and there must be room for its run."""
    is_at_work = issue.live_run_of(ctx.caller.agent_id) is not None
    if ctx.caller.agent_id and status.category not in CLOSED and not is_at_work:
        require_room(issue)


def _move(ctx: Context, tx: Transaction, wanted: Wanted, head: Key) -> None:
    issue = IssueItem.from_attributes(wanted.rows[head])
    change = IssueChange(Desk(ctx, wanted.workspace, issue, wanted.rows), tx)
    transitions.move(change, wanted.status)
    change.save()


def _chunks(ctx: Context, wanted: Wanted) -> Iterator[list[IssueItem]]:
    """As many as fit into a transaction, and never two of which one blocks the other or both a third."""
    chunk: list[IssueItem] = []
    touched: set[str] = set()
    counts: set[str] = set()
    writes = 0
    for issue in wanted.issues:
        cost, own = _cost(ctx, issue, wanted.status), {issue.id, *issue.blocks}
        counted = _counts(issue, wanted.status)
        is_full = writes + cost + len(counts | counted) > MAX_WRITES or len(chunk) == MAX_CHUNK
        if chunk and (is_full or not touched.isdisjoint(own)):
            yield chunk
            chunk, touched, counts, writes = [], set(), set(), 0
        chunk.append(issue)
        touched |= own
        counts |= counted
        writes += cost
    if chunk:
        yield chunk


def _cost(ctx: Context, issue: IssueItem, status: StatusCopy) -> int:
    """How many writes an issue needs at most: head, log row, queue rows, runs, what it blocks."""
    if status.category in CLOSED:
        return 4 + 3 * len(issue.live_runs) + 2 * len(issue.blocks)
    begun = (3 if issue.assigned_agent_id else 0) + (4 if ctx.caller.agent_id else 0)
    return 4 + begun + 2 * len(issue.blocks)


def _counts(issue: IssueItem, status: StatusCopy) -> set[str]:
    """The counts that it changes, which are one write each for all issues of a transaction."""
    of_statuses = {
        f"{where}{which}" for where in ("", issue.project_id or "") for which in (issue.status_id, status.id)
    }
    of_day = {f"day {issue.completed_at and issue.completed_at.date()}"}
    return of_statuses | of_day | ({issue.assigned_agent_id} if issue.assigned_agent_id else set())
