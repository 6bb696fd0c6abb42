"""Items: typed records that tolerate what other builds wrote."""

from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from forge.store.codec import Attribute
from forge.store.items import Item
from forge.store.keys import At
from forge.store.places import KeptFor
from forge.store.readings import Rows
from forge.store.store import Store
from forge.testing.clock import NOON
from tests.unit.store.things import ThingItem, begin, find_thing, put, shelf, thing_key


class PassingItem(Item):
    """An item that DynamoDB may remove."""

    stored = At("WS#{workspace_id}#PASSING", "{id}")
    kept = KeptFor(since="until")

    workspace_id: str = "ws_1"
    id: str
    until: datetime | None = None


def test_fields_that_a_newer_build_wrote_decide_nothing_and_are_kept() -> None:
    later: dict[str, Attribute] = {"invented_later": {"L": [{"S": "x"}]}, "nothing_yet": {"NULL": True}}
    stored = ThingItem(id="one", count=3).attributes() | later

    read = ThingItem.from_attributes(stored)

    assert read == ThingItem(id="one", count=3)
    assert read.changed(count=4).attributes() == ThingItem(id="one", count=4).attributes() | later


def test_a_place_that_only_a_newer_build_gives_is_kept() -> None:
    places: dict[str, Attribute] = {"duePk": {"S": "DUE#0"}, "dueSk": {"S": "2026"}, "ttl": {"N": "1"}}
    stored = ThingItem(id="one").attributes() | places

    assert ThingItem.from_attributes(stored).changed(name="other").attributes().items() >= places.items()


def test_a_place_that_this_build_gives_otherwise_comes_with_the_next_change() -> None:
    stored = ThingItem(id="one", shelf="top").attributes() | {"updatedSk": {"S": "as it was before"}}

    assert ThingItem.from_attributes(stored).changed(name="other").attributes()["updatedSk"] == {"S": "one"}


def test_fields_that_an_older_build_did_not_write_have_their_defaults() -> None:
    stored = {"pk": {"S": "WS#ws_1#THINGS"}, "sk": {"S": "one"}, "id": {"S": "one"}}

    assert ThingItem.from_attributes(stored) == ThingItem(id="one")


def test_an_item_without_what_it_must_have_is_not_read() -> None:
    with pytest.raises(ValidationError):
        ThingItem.from_attributes({"name": {"S": "nameless"}})


def test_a_new_item_has_the_first_version() -> None:
    assert ThingItem(id="one").version == 1


def test_changed_gives_another_item_and_leaves_the_first_alone() -> None:
    thing = ThingItem(id="one", name="before")

    changed = thing.changed(name="after", tags={"new"})

    assert (changed.name, changed.tags, changed.version) == ("after", {"new"}, 1)
    assert (thing.name, thing.tags) == ("before", set())


def test_changed_refuses_a_name_that_the_item_does_not_have() -> None:
    with pytest.raises(TypeError):
        ThingItem(id="one").changed(nmae="a slip")


def test_an_item_can_not_be_changed_in_place() -> None:
    thing = ThingItem(id="one")

    with pytest.raises(ValidationError):
        thing.name = "other"  # type: ignore[misc]  # that it is refused is the point


@pytest.mark.parametrize(
    ("place", "index_keys"),
    [(None, {}), ("top", {"updatedPk": {"S": shelf("top")}, "updatedSk": {"S": "one"}})],
)
def test_an_item_carries_its_key_and_the_keys_of_every_index_it_stands_in_and_no_other(
    place: str | None, index_keys: dict[str, Attribute]
) -> None:
    attributes = ThingItem(id="one", shelf=place).attributes()

    assert (attributes["pk"], attributes["sk"]) == ({"S": thing_key("one").partition}, {"S": "one"})
    assert {name: attributes[name] for name in attributes if name.endswith(("Pk", "Sk"))} == index_keys


def test_an_item_that_leaves_its_place_leaves_the_index(store: Store) -> None:
    put(store, ThingItem(id="one", shelf="top"))
    thing = find_thing(store, "one")
    assert thing is not None
    tx = begin(store)
    tx.replace(thing.changed(shelf="bottom"))

    store.commit(tx)

    assert not store.table.query(shelf("top"), index="updated", limit=10).rows
    assert len(store.table.query(shelf("bottom"), index="updated", limit=10).rows) == 1


def test_when_an_item_may_be_removed_is_stored_in_whole_seconds() -> None:
    item = PassingItem(id="one", until=NOON + timedelta(milliseconds=900))

    assert item.attributes()["ttl"] == {"N": str(int(NOON.timestamp()))}


def test_an_item_that_stays_has_no_such_time() -> None:
    assert "ttl" not in PassingItem(id="one").attributes()


def test_an_item_whose_time_to_be_removed_has_passed_is_still_read(store: Store) -> None:
    long_ago = PassingItem(id="one", until=datetime(2020, 1, 1, tzinfo=UTC))

    put(store, long_ago)

    assert store.table.find(PassingItem, long_ago.key) == long_ago


def test_the_items_of_one_kind_are_picked_from_the_rows_of_a_query() -> None:
    rows = [ThingItem(id="A#1").attributes(), ThingItem(id="B#1").attributes()]

    assert [thing.id for thing in Rows(rows, None).of(ThingItem, sort_prefix="A#")] == ["A#1"]
