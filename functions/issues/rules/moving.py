"""Moving many issues: which of them really move, and how many fit into one transaction."""

from collections.abc import Iterable, Iterator, Sequence

from forge.errors import Conflict
from forge.store.transactions import MAX_WRITES
from forge.work.issues.backlog_rows.rows import MOST_AT_ONCE
from forge.work.issues.claims import holds
from forge.work.issues.desks import Desk
from forge.work.issues.issues import CLOSED, IssueItem
from forge.work.workspace.statuses import StatusCopy

FEW = 40
"""So many move without anybody being asked."""


def question(count: int, status: StatusCopy) -> str:
    if count <= FEW:
        return ""
    ending = " All runs of them end." if status.category in CLOSED else ""
    return f"Move {count} issues to {status.name}?{ending}"


def require_unclaimed(desks: Iterable[Desk]) -> None:
    """None of them moves where one is somebody else's, or another session's of the caller."""
    for desk in desks:
        try:
            holds.require_not_taken_over(desk)
            holds.require_no_others_claim(desk)
        except Conflict as refusal:
            raise refusal.about(desk.names.identifier(desk.issue.number)) from None


def chunks(
    issues: Sequence[IssueItem], status: StatusCopy, *, agent_id: str | None
) -> Iterator[list[IssueItem]]:
    """As many as fit into a transaction, and never two of which one blocks the other or both a third."""
    chunk: list[IssueItem] = []
    touched: set[str] = set()
    counts: set[str] = set()
    writes = 0
    for issue in issues:
        cost, own = _cost(issue, status, agent_id), {issue.id, *issue.blocks}
        counted = _counts(issue, status)
        is_full = writes + cost + len(counts | counted) > MAX_WRITES
        if chunk and (is_full or not touched.isdisjoint(own)):
            yield chunk
            chunk, touched, counts, writes = [], set(), set(), 0
        chunk.append(issue)
        touched |= own
        counts |= counted
        writes += cost
    if chunk:
        yield chunk


def _cost(issue: IssueItem, status: StatusCopy, agent_id: str | None) -> int:
    """How many writes an issue needs at most: head, log row, rows that lead to it, runs, what it blocks."""
    # Of few that are blocked, the rows in a backlog move along; of more of them, they follow.
    blocked = 4 * len(issue.blocks) if len(issue.blocks) <= MOST_AT_ONCE else 1
    may_come_back = issue.project_id is not None and not issue.is_open
    rows = blocked + (2 if issue.backlog or may_come_back else 0)
    if status.category in CLOSED:
        return 4 + rows + 3 * len(issue.live_runs) + 2 * len(issue.blocks)
    begun = (3 if issue.assigned_agent_id else 0) + (4 if agent_id else 0)
    return 4 + rows + begun + 2 * len(issue.blocks)


def _counts(issue: IssueItem, status: StatusCopy) -> set[str]:
    """The counts that it changes, which are one write each for all issues of a transaction."""
    of_statuses = {
        f"{where}{which}" for where in ("", issue.project_id or "") for which in (issue.status_id, status.id)
    }
    of_day = {f"day {issue.completed_at and issue.completed_at.date()}"}
    return of_statuses | of_day | ({issue.assigned_agent_id} if issue.assigned_agent_id else set())
