"""Finding the best of a backlog without reading it: the oldest of each class, from the best class on.

Each query reads the beginning of one class at least, and reading stops where no class can hold a better one.
So there are at most as many queries as classes, whatever the size of the backlog.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple, Protocol

from forge.context import Caller
from forge.work.issues.backlog_rows import scores
from forge.work.issues.backlog_rows.places import BacklogStatus
from forge.work.issues.backlog_rows.rows import BacklogItem, Shelf
from forge.work.issues.backlog_rows.scores import CLASSES

FEW = 8


class ScanRead(Protocol):
    """One query: rows of a partition from this sort key on, in their order."""

    def __call__(self, partition: str, *, first: str, limit: int) -> Sequence[BacklogItem]: ...


class Scored(NamedTuple):
    row: BacklogItem
    score: Fraction
    age_in_days: int

    @property
    def order(self) -> tuple[Fraction, int]:
        """The highest score first, then the lowest number."""
        return -self.score, self.row.number


def scored(row: BacklogItem, now: datetime) -> Scored:
    age = scores.age_in_days(row.created_at, now)
    return Scored(row, row.score_class.score(age), age)


def in_order(rows: Iterable[BacklogItem], now: datetime) -> list[Scored]:
    return sorted((scored(row, now) for row in rows), key=lambda one: one.order)


def best(
    read: ScanRead,
    partition: str,
    *,
    now: datetime,
    wanted: int,
    accepts: Callable[[BacklogItem], bool] = lambda row: True,
    few: int = FEW,
) -> list[Scored]:
    """The best so many of a partition, in order.

    `few` is how many rows of a class are looked at, at least as many as are wanted; more of them where some
    may not be accepted.
    """
    limit = max(few, wanted)
    found: list[BacklogItem] = []
    place = 0
    while place < len(CLASSES):
        rows = read(partition, first=BacklogItem.stored.prefix(place), limit=limit)
        by_class = groupby(rows, key=lambda row: scores.place_of(row.score_class))
        classes = [(one, list(group)) for one, group in by_class]
        if len(rows) == limit and len(classes) > 1:
            # The last class was cut off where the page ended: it is read again, from its beginning.
            place = classes.pop()[0]
        elif len(rows) == limit:
            place = classes[0][0] + 1
        else:
            place = len(CLASSES)
        found += [row for _, group in classes for row in group if accepts(row)]
        ranked = in_order(found, now)[:wanted]
        is_full = len(ranked) == wanted
        if is_full and place < len(CLASSES) and CLASSES[place].upper_bound < ranked[-1].score:
            break
    return in_order(found, now)[:wanted]


def is_free(row: BacklogItem, caller: Caller, now: datetime) -> bool:
    """Nobody's, or the caller's own to take, and not in review or blocked.

    A lease that has expired frees what is in progress; the sweep says so on the issue a little later.
    """
    if row.held_until is not None and row.held_until > now:
        return False
    is_waiting = row.status == BacklogStatus.BACKLOG
    is_left = row.shelf is Shelf.HELD and row.status == BacklogStatus.IN_PROGRESS
    return (is_waiting or is_left) and is_open_to(row, caller, now)


def is_open_to(row: BacklogItem, caller: Caller, now: datetime) -> bool:
    """Neither claimed by somebody else nor assigned to others alone."""
    own_id = caller.agent_id or caller.user_id
    is_others = _is_claimed(row, now) and row.claimant_id != own_id
    return not is_others and (not row.assignee_ids or own_id in row.assignee_ids)


def takers_of(row: BacklogItem, now: datetime) -> list[str]:
    """Whose it is without a lock: who has claimed it, and whom it is assigned to."""
    claimant = {row.claimant_id} if row.claimant_id and _is_claimed(row, now) else set()
    return sorted(row.assignee_ids | claimant)


def is_taken(row: BacklogItem, now: datetime) -> bool:
    """Somebody has it for a while: under a lock, or claimed in whatever other way."""
    return (row.held_until is not None and row.held_until > now) or _is_claimed(row, now)


def _is_claimed(row: BacklogItem, now: datetime) -> bool:
    return row.claimant_id is not None and (row.claimed_until is None or row.claimed_until > now)
