"""How urgent an issue is: exact numbers, and the classes within which their order never changes.

Within a class (priority, blocking, blocked) the older issue never scores less, so a class is read from its
oldest issue on. No class scores above its upper bound, so that reading stops where no better one can come.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from forge.work.issues.issues import Priority

MAX_AGE_BONUS = 30
_DAY = timedelta(days=1)
_POINTS: Mapping[Priority, int] = {
    Priority.URGENT: 1000,
    Priority.HIGH: 100,
    Priority.MEDIUM: 10,
    Priority.LOW: 1,
    Priority.NONE: 0,
}
_BLOCKING, _BLOCKED = Fraction(3, 2), Fraction(1, 10)


class ScoreClass(NamedTuple):
    priority: Priority
    is_blocking: bool
    is_blocked: bool

    @property
    def upper_bound(self) -> Fraction:
        return self.score(MAX_AGE_BONUS)

    def score(self, age_in_days: int) -> Fraction:
        # A priority that only another build knows is no reason to hurry.
        points = Fraction(_POINTS.get(self.priority, 0) + min(age_in_days, MAX_AGE_BONUS))
        return points * (_BLOCKING if self.is_blocking else 1) * (_BLOCKED if self.is_blocked else 1)


CLASSES: tuple[ScoreClass, ...] = tuple(
    sorted(
        (ScoreClass(*members) for members in product(Priority, (False, True), (False, True))),
        key=lambda one: one.upper_bound,
        reverse=True,
    )
)
"""The one that can score highest first. Rows are keyed by the place in here: adding one moves them all."""

_PLACES = {one: place for place, one in enumerate(CLASSES)}


def place_of(score_class: ScoreClass) -> int:
    return _PLACES.get(score_class, _PLACES[score_class._replace(priority=Priority.NONE)])


def age_in_days(created_at: datetime, now: datetime) -> int:
    """Whole days between the two moments; what seems to come from the future is new."""
    return max(0, (now - created_at) // _DAY)


def shown(score: Fraction) -> float:
    """As it is told; compared is the exact one."""
    return round(float(score), 4)
