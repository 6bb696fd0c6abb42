"""How urgent an issue is, to the last decimal."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest

from forge.work.issues.backlog_rows.scores import CLASSES, ScoreClass, age_in_days, place_of, shown
from forge.work.issues.issues import Priority

NOW = datetime(2024, 1, 15, tzinfo=UTC)
NEW_YEAR = datetime(2024, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("priority", "is_blocking", "is_blocked", "created_at", "expected"),
    [
        (Priority.URGENT, False, False, NEW_YEAR, 1014),
        (Priority.HIGH, False, False, NEW_YEAR, 114),
        (Priority.MEDIUM, False, False, NEW_YEAR, 24),
        (Priority.LOW, False, False, NEW_YEAR, 15),
        (Priority.NONE, False, False, NEW_YEAR, 14),
        (Priority.HIGH, False, False, datetime(2023, 1, 1, tzinfo=UTC), 130),
        (Priority.HIGH, True, False, NEW_YEAR, 171),
        (Priority.MEDIUM, True, False, NEW_YEAR, 36),
        (Priority.HIGH, False, True, NEW_YEAR, 11.4),
        (Priority.HIGH, True, True, NEW_YEAR, 17.1),
        (Priority.URGENT, True, False, datetime(2023, 1, 1, tzinfo=UTC), 1545),
        (Priority.LOW, True, True, NOW, 0.15),
    ],
)
def test_the_score_is_points_and_age_times_what_it_blocks_and_what_blocks_it(
    priority: Priority, is_blocking: bool, is_blocked: bool, created_at: datetime, expected: float
) -> None:
    age = age_in_days(created_at, NOW)

    assert shown(ScoreClass(priority, is_blocking, is_blocked).score(age)) == expected


def test_a_day_is_over_after_24_hours_and_the_future_is_new() -> None:
    assert age_in_days(datetime(2023, 12, 15, tzinfo=UTC), NOW) == 31
    assert age_in_days(NOW - timedelta(hours=23, minutes=59), NOW) == 0
    assert age_in_days(NOW + timedelta(days=3), NOW) == 0


def test_scores_are_exact_so_that_equal_ones_tie_and_told_to_four_decimals() -> None:
    assert ScoreClass(Priority.LOW, True, True).score(0) == Fraction(3, 20)
    assert shown(Fraction(1, 3)) == 0.3333


def test_a_priority_that_only_another_build_knows_is_no_reason_to_hurry() -> None:
    unknown = ScoreClass(Priority.NONE, True, False)._replace(priority="SOON")  # type: ignore[arg-type]  # as stored

    assert unknown.score(0) == 0
    assert place_of(unknown) == place_of(ScoreClass(Priority.NONE, True, False))


def test_classes_are_in_the_order_of_what_they_can_score() -> None:
    bounds = [one.upper_bound for one in CLASSES]

    assert len(CLASSES) == 20
    assert bounds == sorted(bounds, reverse=True)
    assert [place_of(one) for one in CLASSES] == list(range(20))
