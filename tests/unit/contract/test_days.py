"""A bare date is a day, and a day is as long as it is where one lives."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from pydantic import TypeAdapter, ValidationError

from forge.contract.days import DayOrTime, first_moment, last_moment, require_in_order
from forge.errors import InvalidInput

TOKYO = ZoneInfo("Asia/Tokyo")
said = TypeAdapter[datetime | date](DayOrTime)


def test_a_bare_date_is_a_day_and_everything_else_a_moment() -> None:
    midnight = datetime(2026, 3, 2, tzinfo=UTC)

    assert said.validate_python(" 2026-03-02 ") == date(2026, 3, 2)
    for text in ("2026-03-02T00:00:00Z", "2026-03-02T00:00:00", "2026-03-02T09:00:00+09:00"):
        assert said.validate_python(text) == midnight


@pytest.mark.parametrize("text", ["2026-02-30", "yesterday", "2026-03", ""])
def test_what_is_neither_is_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        said.validate_python(text)


def test_a_day_begins_and_ends_where_one_lives() -> None:
    day = date(2026, 3, 2)

    assert first_moment(day, TOKYO, field="from") == datetime(2026, 3, 1, 15, tzinfo=UTC)
    assert last_moment(day, TOKYO, field="to") == datetime(2026, 3, 2, 14, 59, 59, 999_000, tzinfo=UTC)


def test_a_moment_is_the_same_everywhere() -> None:
    noon = datetime(2026, 3, 2, 12, tzinfo=UTC)

    assert first_moment(noon, TOKYO, field="from") == last_moment(noon, TOKYO, field="to") == noon


def test_days_that_no_clock_can_show_are_refused_with_their_field() -> None:
    with pytest.raises(InvalidInput) as refused:
        first_moment(date.min, TOKYO, field="from")

    assert set(refused.value.issues or ()) == {"from"}


def test_bounds_must_not_be_the_wrong_way_round() -> None:
    day, later = date(2026, 3, 2), date(2026, 3, 3)
    for first, last in ((day, day), (day, later), (None, day), (day, None)):
        require_in_order(first, last)

    with pytest.raises(InvalidInput):
        require_in_order(later, day)
