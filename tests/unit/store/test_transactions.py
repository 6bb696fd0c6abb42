"""Transactions: every write has a condition, and all of them happen or none."""

from collections.abc import Callable

import pytest

from forge.errors import Conflict, DomainError, ErrorCode, NotFound
from forge.store.codec import decode_item
from forge.store.store import Store
from forge.store.transactions import MAX_WRITES, MOST_WRITES, Transaction, VersionMoved
from forge.testing.instruments import Counter, watched
from tests.unit.store.things import (
    ThingItem,
    ThingRowItem,
    begin,
    find_thing,
    numbered_things,
    put,
    thing_key,
)


def stored_thing(store: Store, thing_id: str = "one") -> ThingItem:
    found = find_thing(store, thing_id)
    assert found is not None
    return found


def refused(store: Store, tx: Transaction) -> DomainError:
    with pytest.raises(DomainError) as caught:
        store.commit(tx)
    return caught.value


def change_meanwhile(store: Store, thing_id: str = "one") -> None:
    tx = begin(store)
    tx.replace(stored_thing(store, thing_id).changed(name="somebody else's"))
    store.commit(tx)


def test_create_stores_a_new_item(tx: Transaction, store: Store) -> None:
    tx.create(ThingItem(id="one"))

    store.commit(tx)

    assert stored_thing(store) == ThingItem(id="one")


def test_create_refuses_what_exists_and_leaves_it_as_it_was(tx: Transaction, store: Store) -> None:
    put(store, ThingItem(id="one", name="first"))
    tx.create(ThingItem(id="one", name="second"))

    assert refused(store, tx).code is ErrorCode.CONFLICT
    assert stored_thing(store).name == "first"


def test_create_refuses_in_the_words_it_was_given(tx: Transaction, store: Store) -> None:
    put(store, ThingItem(id="one", name="first"))
    tx.create(ThingItem(id="one"), refusal=NotFound("Something else."))

    assert refused(store, tx).code is ErrorCode.NOT_FOUND


def test_a_refusal_can_look_at_the_item_that_is_there(tx: Transaction, store: Store) -> None:
    put(store, ThingItem(id="one", name="first"))
    tx.create(
        ThingItem(id="one"),
        refusal=lambda old: Conflict("Taken.", details={"by": decode_item(old or {})["name"]}),
    )

    assert refused(store, tx).details == {"by": "first"}


def test_replace_stores_the_change_and_raises_the_version(tx: Transaction, store: Store) -> None:
    put(store, ThingItem(id="one"))
    tx.replace(stored_thing(store).changed(name="after"))

    store.commit(tx)

    assert (stored_thing(store).name, stored_thing(store).version) == ("after", 2)


@pytest.mark.parametrize("write", [Transaction.replace, Transaction.delete])
def test_what_changed_since_it_was_read_is_neither_replaced_nor_deleted(
    tx: Transaction, store: Store, write: Callable[[Transaction, ThingItem], None]
) -> None:
    put(store, ThingItem(id="one"))
    write(tx, stored_thing(store))
    change_meanwhile(store)

    with pytest.raises(VersionMoved):
        store.commit(tx)

    assert stored_thing(store).name == "somebody else's"


@pytest.mark.parametrize("write", [Transaction.replace, Transaction.delete])
def test_what_is_gone_is_not_brought_back_and_fails_so_that_the_handler_looks_again(
    tx: Transaction, store: Store, write: Callable[[Transaction, ThingItem], None]
) -> None:
    write(tx, ThingItem(id="one"))

    with pytest.raises(VersionMoved):
        store.commit(tx)

    assert find_thing(store, "one") is None


def test_delete_removes_the_item_that_was_read(tx: Transaction, store: Store) -> None:
    put(store, ThingItem(id="one"))
    tx.delete(stored_thing(store))

    store.commit(tx)

    assert find_thing(store, "one") is None


def test_forget_removes_a_row_whatever_became_of_it(tx: Transaction, store: Store) -> None:
    put(store, ThingItem(id="one"))
    change_meanwhile(store)
    tx.forget(ThingRowItem(id="one"))
    tx.forget(ThingRowItem(id="never there"))

    store.commit(tx)

    assert find_thing(store, "one") is None
    assert find_thing(store, "never there") is None


def test_forget_happens_only_if_the_owner_of_the_row_is_as_it_was_read(tx: Transaction, store: Store) -> None:
    put(store, ThingItem(id="owner"), ThingItem(id="row"))
    tx.check(stored_thing(store, "owner"))
    tx.forget(ThingRowItem(id="row"))
    change_meanwhile(store, "owner")

    with pytest.raises(VersionMoved):
        store.commit(tx)

    assert find_thing(store, "row") is not None


def test_check_holds_a_transaction_to_an_item_without_changing_it(tx: Transaction, store: Store) -> None:
    put(store, ThingItem(id="one"))
    tx.check(stored_thing(store))
    tx.create(ThingItem(id="two"))

    store.commit(tx)

    assert stored_thing(store).version == 1
    assert find_thing(store, "two") is not None


def test_check_fails_the_whole_transaction_when_the_item_changed(tx: Transaction, store: Store) -> None:
    put(store, ThingItem(id="one"))
    tx.check(stored_thing(store))
    tx.create(ThingItem(id="two"))
    change_meanwhile(store)

    with pytest.raises(VersionMoved):
        store.commit(tx)

    assert find_thing(store, "two") is None


def test_require_refuses_when_the_item_is_not_there(tx: Transaction, store: Store) -> None:
    tx.require(thing_key("one"), refusal=NotFound("There is no such thing."))
    tx.create(ThingItem(id="two"))

    assert refused(store, tx).code is ErrorCode.NOT_FOUND
    assert find_thing(store, "two") is None


def test_require_does_not_mind_which_version_is_there(tx: Transaction, store: Store) -> None:
    put(store, ThingItem(id="one"))
    change_meanwhile(store)
    tx.require(thing_key("one"), refusal=NotFound("There is no such thing."))
    tx.create(ThingItem(id="two"))

    store.commit(tx)

    assert find_thing(store, "two") is not None


def test_all_writes_happen_or_none(tx: Transaction, store: Store) -> None:
    put(store, ThingItem(id="kept", name="before"), ThingItem(id="doomed"), ThingItem(id="taken"))
    tx.create(ThingItem(id="new"))
    tx.replace(stored_thing(store, "kept").changed(name="after"))
    tx.delete(stored_thing(store, "doomed"))
    tx.create(ThingItem(id="taken"))

    assert refused(store, tx).code is ErrorCode.CONFLICT
    assert find_thing(store, "new") is None
    assert stored_thing(store, "kept") == ThingItem(id="kept", name="before")
    assert find_thing(store, "doomed") is not None


@pytest.mark.parametrize("is_refusal_first", [True, False])
def test_a_refusal_that_somebody_can_act_on_comes_before_a_version_that_moved(
    tx: Transaction, store: Store, *, is_refusal_first: bool
) -> None:
    put(store, ThingItem(id="one"), ThingItem(id="taken"))
    stale = stored_thing(store)
    change_meanwhile(store)
    if is_refusal_first:
        tx.create(ThingItem(id="taken"))
        tx.replace(stale)
    else:
        tx.replace(stale)
        tx.create(ThingItem(id="taken"))

    assert refused(store, tx).code is ErrorCode.CONFLICT


def test_of_two_refusals_the_first_write_s_is_told(tx: Transaction, store: Store) -> None:
    put(store, ThingItem(id="taken"))
    tx.require(thing_key("nothing"), refusal=NotFound("There is no such thing."))
    tx.create(ThingItem(id="taken"))

    assert refused(store, tx).code is ErrorCode.NOT_FOUND


def test_as_many_writes_as_are_planned_for_happen_together(tx: Transaction, store: Store) -> None:
    for thing in numbered_things(MAX_WRITES):
        tx.create(thing)

    store.commit(tx)

    assert len(store.table.query_all(thing_key("").partition, most=500)) == MAX_WRITES


def test_more_writes_than_are_planned_for_are_refused_when_they_are_added(tx: Transaction) -> None:
    for thing in numbered_things(MOST_WRITES):
        tx.create(thing)

    with pytest.raises(ValueError, match=str(MOST_WRITES)):
        tx.create(ThingItem(id="one too many"))


def test_a_transaction_without_writes_costs_nothing(counter: Counter, store: Store) -> None:
    watched(store, counter).commit(begin(store))

    assert counter.sent == []


@pytest.mark.not_on_moto(reason="moto applies a request token twice")
def test_committing_the_same_transaction_again_changes_nothing_more(tx: Transaction, store: Store) -> None:
    put(store, ThingItem(id="one"))
    tx.adjust(thing_key("one"), add={"count": 1})
    tx.create(ThingItem(id="two"))

    store.commit(tx)
    store.commit(tx)

    assert stored_thing(store).count == 1


def test_two_transactions_are_never_taken_for_one(store: Store) -> None:
    put(store, ThingItem(id="one"))

    for _ in range(2):
        tx = begin(store)
        tx.adjust(thing_key("one"), add={"count": 1})
        store.commit(tx)

    assert stored_thing(store).count == 2
