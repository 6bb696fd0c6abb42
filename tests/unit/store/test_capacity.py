"""Capacity units by the documented rules, and the instrument that adds them up."""

from typing import Any

import pytest

from forge.store.store import Store
from forge.testing.capacity import item_bytes, read_units, write_units
from forge.testing.instruments import Counter, watched
from forge.testing.world import World
from tests.unit.store.things import ThingItem, begin, put, thing_key, things

KILOBYTE = 1024


def an_item(size: int) -> dict[str, Any]:
    """An item of exactly so many bytes."""
    return {"pk": {"S": "x" * (size - len("pk"))}}


@pytest.mark.parametrize(
    ("item", "size"),
    [
        ({"name": {"S": "abc"}}, 7),
        ({"näme": {"S": "☃"}}, 8),
        ({"n": {"N": "12345"}}, 4),
        ({"b": {"BOOL": True}}, 2),
        ({"b": {"NULL": True}}, 2),
        ({"s": {"SS": ["ab", "c"]}}, 4),
        ({"l": {"L": [{"S": "ab"}, {"BOOL": True}]}}, 9),
        ({"m": {"M": {"key": {"S": "ab"}}}}, 10),
        ({"l": {"L": []}}, 4),
        ({}, 0),
    ],
)
def test_an_item_is_as_large_as_its_names_and_values(item: dict[str, Any], size: int) -> None:
    assert item_bytes(item) == size


@pytest.mark.parametrize(
    ("size", "strong"), [(10, 1), (4 * KILOBYTE, 1), (5 * KILOBYTE, 2), (8 * KILOBYTE, 2)]
)
def test_reading_costs_a_unit_for_four_kilobytes_and_half_when_it_may_lag(size: int, strong: int) -> None:
    assert read_units([an_item(size)], is_strong=True, is_query=False) == strong
    assert read_units([an_item(size)], is_strong=False, is_query=False) == strong / 2


def test_a_query_is_charged_for_the_sum_and_other_reads_for_each_item() -> None:
    items = [an_item(KILOBYTE)] * 6

    assert read_units(items, is_strong=True, is_query=True) == 2
    assert read_units(items, is_strong=True, is_query=False) == 6


def test_reading_nothing_costs_a_unit() -> None:
    assert read_units([], is_strong=True, is_query=True) == 1


@pytest.mark.parametrize(("size", "units"), [(10, 1), (KILOBYTE, 1), (KILOBYTE + 1, 2), (5 * KILOBYTE, 5)])
def test_writing_costs_a_unit_for_a_kilobyte_and_twice_in_a_transaction(size: int, units: int) -> None:
    assert write_units([an_item(size)], is_transaction=False) == units
    assert write_units([an_item(size)], is_transaction=True) == 2 * units


def test_a_transaction_is_charged_for_each_of_its_items() -> None:
    assert write_units([an_item(5 * KILOBYTE), an_item(10)], is_transaction=True) == 12


def test_the_counter_tells_reads_from_writes(counter: Counter, store: Store) -> None:
    watched_store = watched(store, counter)

    put(watched_store, ThingItem(id="one"), ThingItem(id="two"))
    watched_store.table.find(ThingItem, thing_key("one"))
    watched_store.table.find_rows([thing_key("one"), thing_key("two")])
    watched_store.table.query(things(), limit=5)
    watched_store.table.assign(thing_key("one"), {"name": "x"}, only_if={"id": "one"})

    assert (counter.reads, counter.writes, counter.authentications) == (3, 2, 0)
    assert counter.most_items == 2


def test_the_counter_knows_what_reads_and_writes_cost(counter: Counter, store: Store) -> None:
    watched_store = watched(store, counter)

    put(watched_store, ThingItem(id="one", name="x" * 5 * KILOBYTE))
    written = counter.units
    counter.reset()
    watched_store.table.find(ThingItem, thing_key("one"))

    assert written == 12
    assert counter.units == 2


def test_a_check_in_a_transaction_costs_as_a_small_write(counter: Counter, store: Store) -> None:
    put(store, ThingItem(id="one"))
    watched_store = watched(store, counter)
    tx = begin(watched_store)
    tx.check(ThingItem(id="one"))
    tx.create(ThingItem(id="two"))

    watched_store.commit(tx)

    assert counter.units == 4


def test_the_counter_keeps_authentication_apart(counter: Counter, store: Store) -> None:
    world = World(store=watched(store, counter))
    key = world.a_key()
    world.rest("labels.list", key=key)
    counter.reset()

    world.rest("labels.list", key=key)

    assert (counter.authentications, counter.reads, counter.writes) == (1, 1, 0)
