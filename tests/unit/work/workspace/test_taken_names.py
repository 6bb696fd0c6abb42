"""Guards: a name belongs to one at a time, whatever its case and its encoding."""

import pytest

from forge.errors import Conflict, ErrorCode
from forge.store.store import Store
from forge.store.transactions import VersionMoved
from forge.work.workspace import taken_names
from forge.work.workspace.taken_names import NameItem, Owner
from tests.unit.store.things import ThingItem, begin, find_thing

BUG = Owner("ws_1", "LABEL", "lbl_1", field="name")
OTHER = Owner("ws_1", "LABEL", "lbl_2", field="name")


def take(store: Store, owner: Owner, name: str) -> None:
    tx = begin(store)
    taken_names.take(tx, owner, name)
    store.commit(tx)


def move(store: Store, owner: Owner, *, old: str | None, new: str | None) -> None:
    tx = begin(store)
    taken_names.move(tx, owner, old=old, new=new)
    store.commit(tx)


def owner_of(store: Store, name: str) -> str | None:
    found = store.table.find(NameItem, NameItem.of_name("ws_1", "LABEL", name))
    return found.owner_id if found else None


def test_a_free_name_goes_to_whoever_takes_it(store: Store) -> None:
    take(store, BUG, "bug")

    assert owner_of(store, "bug") == "lbl_1"


@pytest.mark.parametrize("name", ["bug", "BUG", "Bug"])
def test_a_taken_name_is_a_conflict_that_names_the_field(store: Store, name: str) -> None:
    take(store, BUG, "bug")

    with pytest.raises(Conflict) as caught:
        take(store, OTHER, name)

    assert caught.value.code is ErrorCode.CONFLICT
    assert caught.value.issues is not None
    assert set(caught.value.issues) == {"name"}
    assert owner_of(store, "bug") == "lbl_1"


def test_letters_that_only_look_different_in_upper_case_are_the_same(store: Store) -> None:
    take(store, BUG, "straße")

    with pytest.raises(Conflict):
        take(store, OTHER, "STRASSE")


@pytest.mark.parametrize(
    ("first", "second"),
    [("café", "cafe\u0301"), ("ﬁx", "FIX"), ("Ｂｕｇ", "bug"), ("Å", "\u212b"), ("ᾳ\u0301", "\u1fb4")],
)
def test_letters_that_are_only_encoded_otherwise_are_the_same(store: Store, first: str, second: str) -> None:
    take(store, BUG, first)

    with pytest.raises(Conflict):
        take(store, OTHER, second)

    move(store, BUG, old=first, new=second)
    assert owner_of(store, first) == "lbl_1"


def test_long_names_are_unique_too(store: Store) -> None:
    take(store, BUG, "https://example.com/" + "a" * 2000)
    take(store, OTHER, "https://example.com/" + "a" * 2001)

    with pytest.raises(Conflict):
        take(store, OTHER, "HTTPS://example.com/" + "a" * 2000)


def test_a_name_that_is_taken_stops_the_whole_change(store: Store) -> None:
    take(store, BUG, "bug")
    tx = begin(store)
    tx.create(ThingItem(id="one"))
    taken_names.take(tx, OTHER, "bug")

    with pytest.raises(Conflict):
        store.commit(tx)

    assert find_thing(store, "one") is None


@pytest.mark.parametrize(
    "owner",
    [Owner("ws_2", "LABEL", "lbl_9", field="name"), Owner("ws_1", "STATUS", "sta_1", field="name")],
)
def test_other_workspaces_and_other_kinds_have_names_of_their_own(store: Store, owner: Owner) -> None:
    take(store, BUG, "bug")

    take(store, owner, "bug")

    assert owner_of(store, "bug") == "lbl_1"


def test_a_name_given_back_can_be_taken_by_another(store: Store) -> None:
    take(store, BUG, "bug")

    move(store, BUG, old="bug", new=None)
    take(store, OTHER, "Bug")

    assert owner_of(store, "bug") == "lbl_2"


def test_a_name_can_not_be_given_back_twice(store: Store) -> None:
    take(store, BUG, "bug")
    move(store, BUG, old="bug", new=None)

    with pytest.raises(VersionMoved):
        move(store, BUG, old="bug", new=None)


def test_moving_swaps_one_name_for_another_at_once(store: Store) -> None:
    take(store, BUG, "bug")

    move(store, BUG, old="bug", new="defect")

    assert (owner_of(store, "bug"), owner_of(store, "defect")) == (None, "lbl_1")


def test_moving_to_a_taken_name_keeps_the_old_one(store: Store) -> None:
    take(store, BUG, "bug")
    take(store, OTHER, "defect")

    with pytest.raises(Conflict):
        move(store, BUG, old="bug", new="defect")

    assert (owner_of(store, "bug"), owner_of(store, "defect")) == ("lbl_1", "lbl_2")


@pytest.mark.parametrize(("old", "new"), [("bug", "BUG"), ("bug", "bug"), (None, None)])
def test_moving_to_the_same_name_needs_no_write(store: Store, old: str | None, new: str | None) -> None:
    tx = begin(store)

    taken_names.move(tx, BUG, old=old, new=new)

    assert tx.writes == []


def test_moving_from_no_name_only_takes_the_new_one(store: Store) -> None:
    move(store, BUG, old=None, new="bug")

    assert owner_of(store, "bug") == "lbl_1"
