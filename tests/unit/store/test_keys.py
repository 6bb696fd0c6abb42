"""Keys: none too long, times in order."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.store.folding import folded
from forge.store.idempotency import IdempotencyItem
from forge.store.keys import DUE_PARTITIONS, Key, due, sortable_time, workspace_prefix
from forge.testing.clock import NOON
from forge.work.record.log.rows import LogItem
from forge.work.workspace.people.authentication import LABELS
from forge.work.workspace.people.members import EmailItem
from forge.work.workspace.taken_names import NameItem

LONGEST_PARTITION_KEY = 2048


def test_a_workspace_whose_id_begins_like_another_s_is_another() -> None:
    assert not LABELS("ws_12").startswith(workspace_prefix("ws_1"))


@given(name=st.text(min_size=1, max_size=60))
def test_case_makes_no_difference_to_a_guard(name: str) -> None:
    assert NameItem.of_name("ws_1", "LABEL", name) == NameItem.of_name("ws_1", "LABEL", name.casefold())


@given(first=st.text(max_size=300), second=st.text(max_size=300))
def test_different_names_have_different_guards(first: str, second: str) -> None:
    is_same_name = NameItem.of_name("ws_1", "LABEL", first) == NameItem.of_name("ws_1", "LABEL", second)

    assert is_same_name == (folded(first) == folded(second))


@pytest.mark.parametrize("name", ["x" * 5000, "ΐ" * 3000, "https://example.com/" + "a" * 2048])
def test_a_long_name_is_hashed_so_that_its_key_fits(name: str) -> None:
    taken = NameItem.of_name("ws_1", "WEBHOOK", name)

    assert len(taken.partition.encode()) <= LONGEST_PARTITION_KEY
    assert taken != NameItem.of_name("ws_1", "WEBHOOK", name + "!")


def test_names_of_different_kinds_do_not_meet() -> None:
    assert NameItem.of_name("ws_1", "LABEL", "todo") != NameItem.of_name("ws_1", "STATUS", "todo")


@given(given_key=st.text(min_size=1, max_size=200))
def test_an_idempotency_key_of_any_text_makes_a_key_that_fits(given_key: str) -> None:
    key = IdempotencyItem.of_call("ws_1", "key_1", tool="labels.create", given=given_key)

    assert len(key.sort.encode()) <= 1024


def test_an_address_is_found_however_it_is_written_and_can_not_be_read() -> None:
    key = EmailItem.of_address(" Ada@Example.com ")

    assert key == EmailItem.of_address("ada@example.com")
    assert "ada" not in key.partition


_offsets = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
_moments = st.datetimes(datetime(1001, 1, 1), datetime(9998, 12, 31), timezones=_offsets)  # noqa: DTZ001 - hypothesis wants them naive


def to_the_millisecond(moment: datetime) -> datetime:
    at_utc = moment.astimezone(UTC)
    return at_utc.replace(microsecond=at_utc.microsecond // 1000 * 1000)


@given(first=_moments, second=_moments)
def test_the_order_of_times_as_text_is_the_order_of_times(first: datetime, second: datetime) -> None:
    earlier, later = sorted([to_the_millisecond(first), to_the_millisecond(second)])

    assert sortable_time(earlier) <= sortable_time(later)
    assert (sortable_time(first) == sortable_time(second)) == (earlier == later)


@given(moment=_moments)
def test_times_have_one_width_and_can_be_read_back(moment: datetime) -> None:
    text = sortable_time(moment)

    assert len(text) == len("2026-07-28T12:00:00.000Z")
    assert datetime.fromisoformat(text) == to_the_millisecond(moment)


def test_log_rows_sort_by_time_then_by_id() -> None:
    rows = [
        LogItem.at("ws_1", "", NOON, "evt_2"),
        LogItem.at("ws_1", "", NOON + timedelta(milliseconds=1), "evt_1"),
        LogItem.at("ws_1", "", NOON, "evt_1"),
    ]

    assert [row.sort[-5:] for row in sorted(rows)] == ["evt_1", "evt_2", "evt_1"]


def test_whatever_is_due_spreads_over_all_partitions_and_stays_in_its_own() -> None:
    owners = [Key("WS#ws_1#AGENTS", f"PULSE#{number}") for number in range(200)]

    places = {owner: due(owner, NOON).partition for owner in owners}

    assert set(places.values()) == set(DUE_PARTITIONS)
    assert all(due(owner, NOON + timedelta(days=1)).partition == places[owner] for owner in owners)
