"""From counts to figures."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from forge.work.issues.counts import Breach, breached_on, dimensions_of, done_on, in_status
from forge.work.issues.issues import OPEN, IssueItem
from forge.work.workspace.statuses import StatusCategory, StatusCopy

WEEK, MONTH = 7, 30
"""In days, of which today is the last."""


class Figures(NamedTuple):
    open_issues: int
    done_issues: int
    by_status: Sequence[tuple[StatusCopy, int]]
    done_in_week: int
    done_in_month: int
    breaches: Mapping[Breach, int]
    """In the same month."""


def first_day(today: date) -> date:
    """The first that any figure looks at."""
    return _latest_days(today)[-1]


def counted(issues: Iterable[IssueItem]) -> Counter[str]:
    """What would have been counted of these issues alone."""
    return Counter(dimension for issue in issues for dimension in dimensions_of(issue))


def figures(counts: Mapping[str, int], statuses: Sequence[StatusCopy], today: date) -> Figures:
    """What follows from counts; statuses stay in the order of the board."""
    by_status = [(one, counts.get(in_status(one.id), 0)) for one in statuses]
    days = _latest_days(today)
    done = [counts.get(done_on(day), 0) for day in days]
    return Figures(
        open_issues=sum(count for status, count in by_status if status.category in OPEN),
        done_issues=sum(count for status, count in by_status if status.category is StatusCategory.DONE),
        by_status=by_status,
        done_in_week=sum(done[:WEEK]),
        done_in_month=sum(done),
        breaches={kind: sum(counts.get(breached_on(day, kind), 0) for day in days) for kind in Breach},
    )


def _latest_days(today: date) -> list[date]:
    """The latest first."""
    return [today - timedelta(days=ago) for ago in range(MONTH)]
