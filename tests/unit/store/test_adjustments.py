"""Adjusting: numbers and sets that many change at once, without a version."""

from typing import Any

import pytest

from forge.errors import ErrorCode, PreconditionFailed
from forge.store.keys import SharedKey
from forge.store.store import Store
from forge.store.transactions import Transaction, VersionMoved
from forge.testing.clock import NOON
from tests.unit.store.things import ThingItem, begin, find_thing, put, thing_key

FULL = PreconditionFailed("There is no more room.")


def adjust(store: Store, thing_id: str = "one", **how: Any) -> None:
    tx = begin(store)
    tx.adjust(thing_key(thing_id), **how)
    store.commit(tx)


def test_numbers_are_added_up(store: Store) -> None:
    put(store, ThingItem(id="one", count=3))

    adjust(store, add={"count": 4})
    adjust(store, add={"count": -5})

    assert find_thing(store, "one") == ThingItem(id="one", count=2)


def test_members_come_and_go_and_the_last_takes_the_set_along(store: Store) -> None:
    put(store, ThingItem(id="one", tags={"a"}))

    adjust(store, add={"tags": frozenset({"b", "c"})})
    adjust(store, remove={"tags": frozenset({"a", "unknown"})})
    assert find_thing(store, "one") == ThingItem(id="one", tags={"b", "c"})

    adjust(store, remove={"tags": frozenset({"b", "c"})})
    assert find_thing(store, "one") == ThingItem(id="one", tags=set())


def test_fields_are_assigned_and_removed(store: Store) -> None:
    put(store, ThingItem(id="one", weight=1.5))

    adjust(store, assign={"name": "after", "seen_at": NOON, "weight": None})

    assert find_thing(store, "one") == ThingItem(id="one", name="after", seen_at=NOON)


def test_everything_at_once_in_one_write(store: Store) -> None:
    put(store, ThingItem(id="one", count=1, tags={"a"}, weight=1.5))

    adjust(
        store,
        add={"count": 1},
        remove={"tags": frozenset({"a"})},
        assign={"name": "after", "weight": None},
        below={"count": 2},
    )

    assert find_thing(store, "one") == ThingItem(id="one", count=2, name="after")


def test_names_that_dynamodb_reserves_for_itself_are_no_trouble(store: Store) -> None:
    put(store, ThingItem(id="one"))

    adjust(store, assign={"status": "x", "values": "y", "name": "z"}, add={"size": 1})

    assert find_thing(store, "one") == ThingItem(id="one", name="z")


def test_an_adjustment_does_not_move_the_version(store: Store) -> None:
    put(store, ThingItem(id="one"))
    seen = find_thing(store, "one")
    assert seen is not None
    adjust(store, add={"count": 1})
    tx = begin(store)
    tx.check(seen)

    store.commit(tx)


def test_a_number_stays_below_its_limit(store: Store) -> None:
    put(store, ThingItem(id="one", count=1))
    adjust(store, add={"count": 1}, below={"count": 2}, refusal=FULL)

    with pytest.raises(PreconditionFailed) as caught:
        adjust(store, add={"count": 1}, below={"count": 2}, refusal=FULL)

    assert caught.value.code is ErrorCode.PRECONDITION_FAILED
    assert find_thing(store, "one") == ThingItem(id="one", count=2)


def test_what_does_not_exist_is_not_made_by_adjusting_it(store: Store) -> None:
    with pytest.raises(VersionMoved):
        adjust(store, add={"count": 1})
    with pytest.raises(PreconditionFailed):
        adjust(store, add={"count": 1}, refusal=FULL)

    assert find_thing(store, "one") is None


def test_what_need_not_exist_begins_at_nothing(tx: Transaction, store: Store) -> None:
    tx.merge(SharedKey(*thing_key("one")), add={"count": 2}, assign={"id": "one"})
    store.commit(tx)

    assert find_thing(store, "one") == ThingItem(id="one", count=2)


def test_an_adjustment_that_fails_takes_its_transaction_along(tx: Transaction, store: Store) -> None:
    put(store, ThingItem(id="one", count=2))
    tx.create(ThingItem(id="two"))
    tx.adjust(thing_key("one"), add={"count": 1}, below={"count": 2}, refusal=FULL)

    with pytest.raises(PreconditionFailed):
        store.commit(tx)

    assert find_thing(store, "two") is None
