"""Which day it is depends on where one lives."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo, reset_tzpath

import pytest

from forge.work.workspace.people.zones import day_of, zone_of

LATE = datetime(2026, 11, 17, 23, 30, tzinfo=UTC)


def test_late_in_the_evening_of_utc_it_is_tomorrow_in_tokyo() -> None:
    assert day_of(LATE, zone_of("Asia/Tokyo")) == date(2026, 11, 18)
    assert day_of(LATE, zone_of("Pacific/Honolulu")) == date(2026, 11, 17)


@pytest.mark.parametrize("unknown", [None, "", "Mars/Olympus", "../etc/passwd", "America", "a\0b"])
def test_whose_zone_nobody_knows_lives_by_utc(unknown: str | None) -> None:
    assert zone_of(unknown) is UTC


def test_zones_do_not_need_the_machines_own_files() -> None:
    """A function's image may have none: then they come with the product."""
    reset_tzpath(to=[])
    try:
        lisbon = ZoneInfo.no_cache("Europe/Lisbon")
    finally:
        reset_tzpath()

    assert lisbon.utcoffset(datetime(2026, 7, 1)) is not None  # noqa: DTZ001 - as the zone takes it
