"""Keys: each under its workspace, none too long, times in order."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from types import ModuleType
from typing import get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

import forge.work
from forge.store import keys
from forge.store.folding import folded
from forge.store.keys import IndexKey, Key, sortable_time
from forge.testing.clock import NOON
from forge.work.record.log import log_keys
from forge.work.workspace import workspace_keys
from forge.work.workspace.people import people_keys

OUTSIDE_EVERY_WORKSPACE = {
    "people_keys.authentication": "KEY#",
    "people_keys.user": "USER#",
    "people_keys.preferences_everywhere": "USER#",
    "people_keys.preference_everywhere": "USER#",
    "people_keys.email": "EMAIL#",
    "workspace_keys.workspace_slug": "WSNAME#",
    "workspace_keys.workspace_key": "WSNAME#",
    "backlog_keys.mapping": "MAPPING#",
    "keys.due": "DUE#",
}
TEXTS = frozenset(
    {"sortable_time", "by_age", "by_urgency", "by_position"}
    | {"class_prefix", "in_class", "lease_name", "until", "archived_of_issue", "errands_of_issue"}
)
"""Parts of sort keys."""
LONGEST_PARTITION_KEY = 2048

_SAMPLES: dict[object, object] = {
    str | None: "given",
    str: "given",
    int: 7,
    datetime: NOON,
    Key: Key("WS#ws_1#X", "Y"),
    bool: True,
}

Builder = Callable[..., object]


def builders() -> dict[str, Builder]:
    """Every function that makes a key or a partition, of the store and of each room."""
    return {
        f"{module.__name__.rpartition('.')[2]}.{name}": function
        for module in (keys, *rooms_keys())
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and name not in TEXTS and not name.startswith("_")
    }


def rooms_keys() -> list[ModuleType]:
    found = pkgutil.walk_packages(forge.work.__path__, "forge.work.")
    return [importlib.import_module(one.name) for one in found if _is_of_keys(one.name)]


def _is_of_keys(module: str) -> bool:
    # `api_keys` are things that people have.
    return module.endswith("_keys") and not module.endswith(".api_keys")


def built(builder: Builder, workspace_id: str) -> str:
    """The partition that a builder makes with some argument for everything; all of its keys share one."""
    hints = get_type_hints(builder)
    arguments = {
        name: workspace_id if name == "workspace_id" else _SAMPLES[hints[name]]
        for name in inspect.signature(builder).parameters
    }
    made = builder(**arguments)
    if isinstance(made, list):
        (partition,) = {one.partition for one in made}
        return str(partition)
    return made.partition if isinstance(made, Key | IndexKey) else str(made)


@pytest.mark.parametrize("name", sorted(builders().keys() - OUTSIDE_EVERY_WORKSPACE))
def test_every_key_starts_with_its_workspace(name: str) -> None:
    assert built(builders()[name], "ws_1").startswith("WS#ws_1#")


@pytest.mark.parametrize("name", sorted(OUTSIDE_EVERY_WORKSPACE))
def test_the_keys_outside_every_workspace_are_a_closed_list(name: str) -> None:
    assert built(builders()[name], "ws_1").startswith(OUTSIDE_EVERY_WORKSPACE[name])


def test_a_workspace_whose_id_begins_like_another_s_is_another() -> None:
    assert not workspace_keys.labels("ws_12").startswith(keys.workspace_prefix("ws_1"))


@given(name=st.text(min_size=1, max_size=60))
def test_case_makes_no_difference_to_a_guard(name: str) -> None:
    assert workspace_keys.guard("ws_1", "LABEL", name) == workspace_keys.guard(
        "ws_1", "LABEL", name.casefold()
    )


@given(first=st.text(max_size=300), second=st.text(max_size=300))
def test_different_names_have_different_guards(first: str, second: str) -> None:
    is_same_guard = workspace_keys.guard("ws_1", "LABEL", first) == workspace_keys.guard(
        "ws_1", "LABEL", second
    )

    assert is_same_guard == (folded(first) == folded(second))


@pytest.mark.parametrize("name", ["x" * 5000, "ΐ" * 3000, "https://example.com/" + "a" * 2048])
def test_a_long_name_is_hashed_so_that_its_key_fits(name: str) -> None:
    guard = workspace_keys.guard("ws_1", "WEBHOOK", name)

    assert len(guard.partition.encode()) <= LONGEST_PARTITION_KEY
    assert guard != workspace_keys.guard("ws_1", "WEBHOOK", name + "!")


def test_guards_of_different_kinds_do_not_meet() -> None:
    assert workspace_keys.guard("ws_1", "LABEL", "todo") != workspace_keys.guard("ws_1", "STATUS", "todo")


@given(given_key=st.text(min_size=1, max_size=200))
def test_an_idempotency_key_of_any_text_makes_a_key_that_fits(given_key: str) -> None:
    key = keys.idempotency("ws_1", "key_1", tool="labels.create", given=given_key)

    assert len(key.sort.encode()) <= 1024


def test_an_address_is_found_however_it_is_written_and_can_not_be_read() -> None:
    key = people_keys.email(" Ada@Example.com ")

    assert key == people_keys.email("ada@example.com")
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
        log_keys.log_row("ws_1", NOON, "evt_2"),
        log_keys.log_row("ws_1", NOON + timedelta(milliseconds=1), "evt_1"),
        log_keys.log_row("ws_1", NOON, "evt_1"),
    ]

    assert [row.sort[-5:] for row in sorted(rows)] == ["evt_1", "evt_2", "evt_1"]


def test_whatever_is_due_spreads_over_all_partitions_and_stays_in_its_own() -> None:
    owners = [Key("WS#ws_1#AGENTS", f"PULSE#{number}") for number in range(200)]

    places = {owner: keys.due(owner, NOON).partition for owner in owners}

    assert set(places.values()) == set(keys.DUE_PARTITIONS)
    assert all(keys.due(owner, NOON + timedelta(days=1)).partition == places[owner] for owner in owners)
