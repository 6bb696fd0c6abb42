"""When a cycle begins and ends, what it is called, and which one is current."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from forge.errors import Conflict, InvalidInput
from forge.testing.builders import a_workspace
from forge.testing.clock import NOON
from forge.work.content.cycles.cycles import CycleStatus
from functions.cycles import rules
from tests.workshop.cycles import cycle

WORKSPACE = a_workspace(cycle_length_days=14, cycle_cooldown_days=3)
NOTHING = {"starts_at": None, "ends_at": None, "length_days": None, "cooldown_days": None}


def dates(**given: Any) -> tuple[datetime, datetime, int, int]:
    first = rules.first_dates(WORKSPACE, NOON, **{**NOTHING, **given})
    return first["starts_at"], first["ends_at"], first["length_days"], first["cooldown_days"]


def days(number: float) -> datetime:
    return NOON + timedelta(days=number)


def test_a_cycle_begins_now_and_is_as_long_as_the_workspaces_are() -> None:
    assert dates() == (NOON, days(14), 14, 3)


def test_what_is_given_counts_more() -> None:
    assert dates(starts_at=days(1), length_days=7, cooldown_days=0) == (days(1), days(8), 7, 0)
    assert dates(ends_at=days(5)) == (NOON, days(5), 5, 3)
    assert dates(ends_at=days(5), length_days=7) == (NOON, days(5), 7, 3)


def test_a_begun_day_is_a_day() -> None:
    assert [rules.length_of(NOON, days(number)) for number in (0.1, 1, 1.1, 7)] == [1, 1, 2, 7]


def test_a_date_out_of_reach_is_a_mistake() -> None:
    with pytest.raises(InvalidInput):
        dates(starts_at=datetime.max.replace(tzinfo=NOON.tzinfo))


def test_other_dates_make_it_another_length_and_another_name_does_not() -> None:
    usual = cycle(length_days=10)

    assert rules.edited(usual, {"name": "Other"}).length_days == 10
    assert rules.edited(usual, {"ends_at": days(3)}).length_days == 3


@pytest.mark.parametrize("end", [NOON, NOON - timedelta(days=1)])
def test_a_cycle_ends_after_it_begins(end: datetime) -> None:
    with pytest.raises(InvalidInput) as refused:
        rules.require_dates_in_order(cycle(ends_at=end), blamed="endsAt")

    assert set(refused.value.issues or ()) == {"endsAt"}


def test_no_cycle_is_called_current() -> None:
    rules.require_name("Current affairs")

    with pytest.raises(InvalidInput):
        rules.require_name("CURRENT")


def test_the_active_cycle_is_the_current_one_and_another_leaves_it_so() -> None:
    active, planned = cycle(status=CycleStatus.ACTIVE), cycle(status=CycleStatus.PLANNED)

    assert rules.active_after(active, None) == active.id
    assert rules.active_after(active, active.id) == active.id
    assert rules.active_after(planned, active.id) is None
    assert rules.active_after(planned, "cyc_other") == "cyc_other"
    with pytest.raises(Conflict):
        rules.active_after(active, "cyc_other")
