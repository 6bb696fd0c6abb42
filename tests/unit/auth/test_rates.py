"""Windows are whole minutes of the clock, and the wait is to the next one."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forge.auth.rates import LIMITS, WINDOW_SECONDS, seconds_to_next, window_of
from forge.context import Door
from forge.testing.clock import NOON


def test_each_door_has_the_limit_of_the_contract() -> None:
    assert LIMITS == {Door.RPC: 600, Door.REST: 300}


@pytest.mark.parametrize(
    ("seconds", "wait"),
    [(0, 60), (0.000001, 60), (1, 59), (29.5, 31), (58.999999, 2), (59, 1), (59.000001, 1), (59.999999, 1)],
)
def test_the_wait_is_the_rest_of_the_minute_rounded_up(seconds: float, wait: int) -> None:
    assert seconds_to_next(NOON + timedelta(seconds=seconds)) == wait


@pytest.mark.parametrize("seconds", [0, 1, 59, 59.999999])
def test_a_minute_is_one_window(seconds: float) -> None:
    assert window_of(NOON + timedelta(seconds=seconds)) == window_of(NOON) == int(NOON.timestamp())


def test_the_next_minute_is_the_next_window() -> None:
    assert window_of(NOON + timedelta(minutes=1)) == window_of(NOON) + WINDOW_SECONDS


@given(st.datetimes(datetime(2020, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001 - hypothesis wants bounds without a zone
@settings(derandomize=True)
def test_whoever_waits_as_told_is_in_a_new_window(now: datetime) -> None:
    wait = seconds_to_next(now)

    assert 1 <= wait <= WINDOW_SECONDS
    assert window_of(now + timedelta(seconds=wait)) == window_of(now) + WINDOW_SECONDS
