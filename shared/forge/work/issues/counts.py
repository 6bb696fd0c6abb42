"""Counts of issues, changed in the transactions that change what they count.

Each is kept for the workspace and for each project. Days sort before statuses, so that one range from a day
on has both.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from enum import StrEnum

from forge.store.counters import add_to_count, read_counts
from forge.store.followers import Counted
from forge.store.table import Table
from forge.store.transactions import Transaction
from forge.work.issues.issues import IssueItem

_ALL = "issues"


class Breach(StrEnum):
    """What went wrong with an issue, as the sweep sees it."""

    SLA = "SLA"
    STALLED = "STALLED"
    NOACK = "NOACK"


def in_status(status_id: str) -> str:
    return f"S#{status_id}"


def done_on(day: date) -> str:
    return f"D#{day}"


def breached_on(day: date, breach: Breach) -> str:
    return f"{done_on(day)}#{breach}"


def dimensions_of(issue: IssueItem) -> frozenset[str]:
    """What an issue counts for: its status, and the day on which it was done."""
    if issue.deleted_at is not None:
        return frozenset()
    done = [done_on(issue.completed_at.date())] if issue.completed_at else []
    return frozenset([in_status(issue.status_id), *done])


def follows(issue: IssueItem) -> Iterator[Counted]:
    """An issue counts for what it is, in its workspace and in its project."""
    dimensions = sorted(dimensions_of(issue))
    for name in _names(issue):
        for dimension in dimensions:
            yield Counted(name, dimension)


def record_breach(tx: Transaction, issue: IssueItem, breach: Breach) -> None:
    """Count what went wrong with an issue, today; in the transaction that tells of it."""
    for name in _names(issue):
        add_to_count(tx, name, dimension=breached_on(tx.origin.now.date(), breach), delta=1)


def read(table: Table, workspace_id: str, projects: Iterable[str] | None, *, since: date) -> Counter[str]:
    """The counts of the workspace, or the sum of these projects'; one request for each.

    Statuses as they stand, days only from that one on.
    """
    names = [_ALL] if projects is None else [_of_project(one) for one in projects]
    found: Counter[str] = Counter()
    for name in names:
        found.update(read_counts(table, workspace_id, name, first=done_on(since)))
    return found


def read_statuses(table: Table, workspace_id: str, project_id: str | None) -> Counter[str]:
    """How many issues are in which status, by its id, in the workspace or in one project; one request."""
    name = _of_project(project_id) if project_id else _ALL
    found = read_counts(table, workspace_id, name, prefix=in_status(""))
    return Counter({dimension.removeprefix(in_status("")): count for dimension, count in found.items()})


def _names(issue: IssueItem) -> list[str]:
    return [_ALL, *([_of_project(issue.project_id)] if issue.project_id else [])]


def _of_project(project_id: str) -> str:
    return f"{_ALL}#{project_id}"
