"""Places: declared beside fields, each under its workspace, and refused when they are declared wrongly."""

import re
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from forge.cli.backups.places import kinds, places
from forge.store.items import DerivedItem, Item
from forge.store.keys import At, Key, Partition, Shared, SharedKey, sortable_time
from forge.store.places import DueAt, In, KeptFor
from forge.testing.clock import NOON
from tests.unit.store.things import ThingItem

OUTSIDE_EVERY_WORKSPACE = {
    "KEY#{key_hash}",
    "USER#{id}",
    "USER#{user_id}#PREFS",
    "EMAIL#{digest}",
    "WSNAME#{field}#{name}",
    "MAPPING#{id}",
    "USER#{user_id}#ACCOUNTS",
    *(f"OAUTH#{kind}#{{secret_hash}}" for kind in ("SIGNIN", "CONSENT")),
    *(f"OAUTH#{kind}#{{token_hash}}" for kind in ("CODE", "REFRESH")),
    "OAUTH#ASSERTION#{digest}",
    "OAUTH#CLIENT#{id}",
    "OAUTH#DOCUMENT#{place}",
    "OAUTH#IDENTITY#{account}",
    "OAUTH#STATE#{digest}",
    "OAUTH#WINDOW#{whose}",
}

PLACES = [place for kind in kinds() for place in kind.indexed if isinstance(place, In)]
PARTITIONS = {row.at.partition for row in places()} | {place.partition for place in PLACES}


class BoxItem(Item):
    """One of everything that can be declared."""

    stored = At("WS#{workspace_id}#BOX#{box_id}", "{number:04}#{made_at}", box_id="id")
    instead = (At("WS#{workspace_id}#LOST", "{id}", when="is_lost"),)
    indexed = (
        In("project", "WS#{workspace_id}#OWNER#{owner_id}", "{made_at}#{id}"),
        In("subject", "WS#{workspace_id}#HEAVY", "{made_at}#{id}", when="is_heavy"),
        DueAt("look_at"),
    )
    kept = KeptFor(timedelta(days=1), since="emptied_at")

    workspace_id: str = "ws_1"
    id: str = "box_1"
    number: int = 7
    made_at: datetime = NOON
    owner_id: str | None = None
    is_lost: bool = False
    weight: int = 0
    look_at: datetime | None = None
    emptied_at: datetime | None = None

    @property
    def is_heavy(self) -> bool:
        return self.weight > 100


def test_a_key_is_made_of_the_fields_of_its_item_and_of_the_same_values_by_hand() -> None:
    key = Key("WS#ws_1#BOX#box_1", f"0007#{sortable_time(NOON)}")

    assert BoxItem().key == BoxItem.at("ws_1", "box_1", 7, NOON) == key
    assert BoxItem.stored.partition("ws_1", "box_1") == key.partition


def test_an_item_is_stored_elsewhere_while_something_holds() -> None:
    assert BoxItem(is_lost=True).key == BoxItem.instead[0]("ws_1", "box_1") == Key("WS#ws_1#LOST", "box_1")


@pytest.mark.parametrize("values", [("ws_1", "box_1", 7), ("ws_1", "box_1", 7, NOON, "more")])
def test_too_few_or_too_many_values_make_no_key(values: tuple[str, ...]) -> None:
    with pytest.raises(TypeError):
        BoxItem.at(*values)


def test_sort_keys_are_asked_for_by_how_they_begin() -> None:
    assert (BoxItem.stored.prefix(), BoxItem.stored.prefix(7)) == ("", "0007#")


def test_an_item_is_in_an_index_while_nothing_is_none_that_its_place_names() -> None:
    box = BoxItem(owner_id="usr_1", weight=200, look_at=NOON)

    assert {one.index_name for one in BoxItem().index_keys} == set()
    assert {one.index_name for one in box.index_keys} == {"project", "subject", "due"}
    assert {one.sort for one in box.index_keys} == {sortable_time(NOON), f"{sortable_time(NOON)}#box_1"}


def test_an_item_is_kept_from_the_moment_that_it_names() -> None:
    assert BoxItem().purge_after is None
    assert BoxItem(emptied_at=NOON).purge_after == NOON + timedelta(days=1)


def test_what_many_add_to_has_a_key_of_its_own_kind() -> None:
    assert isinstance(Shared("WS#{workspace_id}#SUM", "{name}")("ws_1", "all"), SharedKey)


def without_its_workspace() -> None:
    class Astray(Item):
        stored = At("THINGS#{id}", "META")
        id: str


def of_an_unknown_field() -> None:
    class Nameless(Item):
        stored = At("WS#{workspace_id}#THINGS", "{name}")
        workspace_id: str


def in_an_unknown_index() -> None:
    class Unfound(Item):
        stored = At("WS#{workspace_id}#THINGS", "META")
        indexed = (In("nowhere", "WS#{workspace_id}#ALL", "{workspace_id}"),)
        workspace_id: str


def in_an_index_across_workspaces() -> None:
    class Everywhere(Item):
        stored = At("WS#{workspace_id}#THINGS", "META")
        indexed = (In("updated", "ALL#{workspace_id}", "{workspace_id}"),)
        workspace_id: str


def due_at_an_unknown_time() -> None:
    class Timeless(Item):
        stored = At("WS#{workspace_id}#THINGS", "META")
        indexed = (DueAt("look_at"),)
        workspace_id: str


def kept_since_an_unknown_time() -> None:
    class Endless(Item):
        stored = At("WS#{workspace_id}#THINGS", "META")
        kept = KeptFor(timedelta(days=1), since="created_at")
        workspace_id: str


def outside_for_no_reason_of_ours() -> None:
    Partition("THINGS#{id}", outside="because")


def with_another_name_for_nothing() -> None:
    At("WS#{workspace_id}#THINGS", "META", thing_id="id")


@pytest.mark.parametrize(
    "mistake",
    [
        without_its_workspace,
        of_an_unknown_field,
        in_an_unknown_index,
        in_an_index_across_workspaces,
        due_at_an_unknown_time,
        kept_since_an_unknown_time,
        outside_for_no_reason_of_ours,
        with_another_name_for_nothing,
    ],
    ids=lambda mistake: mistake.__name__,
)
def test_a_mistaken_declaration_can_not_be_imported(mistake: Callable[[], None]) -> None:
    with pytest.raises(TypeError):
        mistake()


def test_every_kind_of_item_says_where_it_is_stored() -> None:
    def below(kind: type[Item]) -> set[type[Item]]:
        return {kind}.union(*(below(one) for one in kind.__subclasses__()))

    concrete = {one for one in below(Item) if one.__name__.endswith("Item")} - {Item, DerivedItem}

    assert concrete >= {ThingItem, *kinds()}
    assert {one for one in concrete if not hasattr(one, "stored")} == set()


def test_every_partition_starts_with_its_workspace_but_for_a_closed_list() -> None:
    outside = {one.template for one in PARTITIONS if not one.template.startswith("WS#{workspace_id}#")}

    assert outside == OUTSIDE_EVERY_WORKSPACE
    assert outside == {one.template for one in PARTITIONS if one.outside}


def test_a_partition_is_declared_once_for_all_that_share_it() -> None:
    """Whatever its names are, in the table as in each index."""
    declared: dict[tuple[str, str], set[Partition]] = defaultdict(set)
    for row in places():
        declared["table", _shape(row.at.partition)].add(row.at.partition)
    for place in PLACES:
        declared[place.index, _shape(place.partition)].add(place.partition)

    assert {shape for shape, partitions in declared.items() if len(partitions) > 1} == set()


def _shape(partition: Partition) -> str:
    return re.sub(r"{\w+}", "{}", partition.template)
