"""The table: strong reads by key, ranges of a partition, and the few plain writes."""

from functools import partial
from typing import Any

import pytest

from forge.errors import ErrorCode, NotFound
from forge.store import keys
from forge.store.keys import Key
from forge.store.ranges import EVERYTHING, SortRange
from forge.store.readings import CutInSilence, Unbounded
from forge.store.store import Store
from forge.store.transactions import VersionMoved
from forge.testing.instruments import Counter, Parameters, Send, watched
from tests.unit.store.things import ThingItem, find_thing, numbered_things, put, shelf, thing_key, things


def ids(store: Store, sort: SortRange, **how: Any) -> list[str]:
    return [row["sk"]["S"] for row in store.table.query(things(), sort=sort, limit=100, **how).rows]


def test_find_gives_the_item_or_none(store: Store) -> None:
    put(store, ThingItem(id="one"))

    assert find_thing(store, "one") == ThingItem(id="one")
    assert find_thing(store, "two") is None


def test_get_gives_the_item_or_the_error_that_says_what_is_missing(store: Store) -> None:
    put(store, ThingItem(id="one"))
    missing = NotFound("There is no such thing.")

    assert store.table.get(ThingItem, thing_key("one"), missing=missing) == ThingItem(id="one")
    with pytest.raises(NotFound) as caught:
        store.table.get(ThingItem, thing_key("two"), missing=missing)
    assert caught.value.code is ErrorCode.NOT_FOUND


def test_reads_by_key_are_strong(counter: Counter, store: Store) -> None:
    table = watched(store, counter).table

    table.find(ThingItem, thing_key("one"))
    table.find_rows([thing_key("one")])
    table.query(things(), limit=1)

    get, batch, query = (sent.parameters for sent in counter.sent)
    assert get["ConsistentRead"]
    assert batch["RequestItems"][store.table.name]["ConsistentRead"]
    assert query["ConsistentRead"]


def test_many_keys_are_found_in_one_request_per_hundred(counter: Counter, store: Store) -> None:
    put(store, *numbered_things(230))
    wanted = [thing_key(f"{place:04}") for place in range(250)]

    found = watched(store, counter).table.find_rows(wanted)

    assert set(found) == set(wanted[:230])
    assert ThingItem.from_attributes(found[wanted[229]]).count == 229
    assert counter.reads == 3


def test_a_key_asked_for_twice_is_found_once(store: Store) -> None:
    put(store, ThingItem(id="one"))

    assert list(store.table.find_rows([thing_key("one"), thing_key("one")])) == [thing_key("one")]


def test_asking_for_no_keys_asks_nobody(counter: Counter, store: Store) -> None:
    assert watched(store, counter).table.find_rows([]) == {}
    assert counter.sent == []


def test_what_a_batch_left_over_is_asked_for_again(store: Store) -> None:
    put(store, *numbered_things(4))
    wanted = [thing_key(f"{place:04}") for place in range(4)]
    batches: list[int] = []

    def leave_some(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        asked = parameters["RequestItems"][store.table.name]
        batches.append(len(asked["Keys"]))
        kept, left = asked["Keys"][:3], asked["Keys"][3:]
        answer = send(RequestItems={store.table.name: {**asked, "Keys": kept}})
        return answer | {"UnprocessedKeys": {store.table.name: {**asked, "Keys": left}} if left else {}}

    found = watched(store, leave_some).table.find_rows(wanted)

    assert set(found) == set(wanted)
    assert batches == [4, 1]


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        (EVERYTHING, ["a#1", "a#2", "b#1", "c#1"]),
        (SortRange(prefix="a#"), ["a#1", "a#2"]),
        (SortRange(first="a#2"), ["a#2", "b#1", "c#1"]),
        (SortRange(last="b#1"), ["a#1", "a#2", "b#1"]),
        (SortRange(first="a#2", last="b#1"), ["a#2", "b#1"]),
        (SortRange(prefix="z"), []),
        (SortRange(prefix="a#", first="a#2"), ["a#2"]),
        (SortRange(prefix="a#", last="a#1"), ["a#1"]),
        (SortRange(prefix="a#", first="a#0", last="a#3"), ["a#1", "a#2"]),
    ],
)
def test_a_range_says_which_rows_are_read(store: Store, sort: SortRange, expected: list[str]) -> None:
    put(store, *[ThingItem(id=name) for name in ("a#1", "a#2", "b#1", "c#1")])

    assert ids(store, sort) == expected
    assert ids(store, sort, is_descending=True) == expected[::-1]
    assert [name for name in ("a#1", "a#2", "b#1", "c#1") if sort.includes(name)] == expected


def test_a_query_never_reads_another_partition(store: Store) -> None:
    put(store, ThingItem(id="mine"), ThingItem(id="theirs", workspace_id="ws_2"))

    assert ids(store, EVERYTHING) == ["mine"]


def test_a_query_says_where_the_next_one_begins(store: Store) -> None:
    put(store, *numbered_things(3, shelf="top"))

    first = store.table.query(shelf("top"), index="updated", limit=2)
    rest = store.table.query(shelf("top"), index="updated", limit=2, after=first.next_position)

    assert [row["sk"]["S"] for row in rest.rows] == ["0002"]
    assert rest.next_position is None


def test_a_whole_collection_is_one_request(counter: Counter, store: Store) -> None:
    put(store, *numbered_things(100))

    assert len(watched(store, counter).table.query_all(things(), most=500)) == 100
    assert counter.reads == 1


def test_a_collection_over_a_megabyte_is_read_whole_all_the_same(counter: Counter, store: Store) -> None:
    put(store, *[ThingItem(id=f"{place:04}", name="x" * 200_000) for place in range(12)])

    found = watched(store, counter).table.query_all(things(), most=500)

    assert [row["sk"]["S"] for row in found] == [f"{place:04}" for place in range(12)]
    assert counter.reads > 1


@pytest.mark.not_on_moto(reason="moto copies the whole table for each transaction")
@pytest.mark.parametrize("is_descending", [False, True])
def test_a_collection_of_many_small_rows_over_a_megabyte_is_read_whole_from_an_index(
    counter: Counter, store: Store, is_descending: bool
) -> None:
    put(store, *numbered_things(450, shelf="top", name="x" * 3_000))

    found = watched(store, counter).table.query_all(
        shelf("top"), index="updated", most=500, is_descending=is_descending
    )

    ids = [f"{place:04}" for place in range(450)]
    assert [key.sort for key in found.keys] == (ids[::-1] if is_descending else ids)
    assert (counter.reads, found.next_position) == (2, None)


def test_a_collection_is_never_read_above_its_bound_and_what_was_cut_says_so(store: Store) -> None:
    put(store, *numbered_things(20, shelf="top"))

    found = store.table.query_all(shelf("top"), index="updated", most=7)

    for look in (len, list, lambda rows: rows.keys, lambda rows: rows.of(ThingItem)):
        with pytest.raises(CutInSilence):
            look(found)
    rest = store.table.query(shelf("top"), index="updated", limit=20, after=found.next_position)
    assert [row["id"]["S"] for row in [*found, *rest]] == [f"{place:04}" for place in range(20)]


def test_who_wants_only_the_first_ones_says_so(store: Store) -> None:
    put(store, *numbered_things(3))

    assert len(store.table.query_all(things(), most=2).first_ones()) == 2
    assert len(store.table.query_all(things(), most=3)) == 3


def test_a_read_without_a_bound_is_refused_unless_it_says_why(store: Store) -> None:
    reads = (
        partial(store.table.query_all, things(), most=501),
        partial(store.table.query, things(), limit=502),
    )
    for read in reads:
        with pytest.raises(Unbounded):
            read()
        assert len(read(because="it is a test")) == 0


def test_assign_sets_and_removes_fields_however_often_and_leaves_the_rest_alone(store: Store) -> None:
    put(store, ThingItem(id="one", name="before", weight=2.5, count=3))

    for _ in range(2):
        store.table.assign(thing_key("one"), {"name": "after", "weight": None}, only_if={"count": 3})

        assert find_thing(store, "one") == ThingItem(id="one", name="after", count=3)


def test_assign_to_an_item_that_is_not_as_expected_changes_nothing(store: Store) -> None:
    put(store, ThingItem(id="one", count=4))

    with pytest.raises(VersionMoved):
        store.table.assign(thing_key("one"), {"name": "after"}, only_if={"count": 3})

    assert find_thing(store, "one") == ThingItem(id="one", count=4)


def test_assign_never_makes_an_item(store: Store) -> None:
    with pytest.raises(VersionMoved):
        store.table.assign(thing_key("one"), {"name": "after"}, only_if={"id": "one"})

    assert find_thing(store, "one") is None


def test_a_plain_update_gives_the_item_as_it_became(store: Store) -> None:
    put(store, ThingItem(id="one", count=3))

    row = store.table.update(
        Key(things(), "one"), "ADD #count :two", names={"#count": "count"}, values={":two": 2}
    )

    assert ThingItem.from_attributes(row).count == 5


def test_a_scan_gives_everything_of_what_begins_so_and_nothing_else(store: Store) -> None:
    mine = numbered_things(30)
    put(
        store, *mine, ThingItem(id="other", workspace_id="ws_2"), ThingItem(id="longer", workspace_id="ws_11")
    )

    rows = store.table.scan(keys.workspace_prefix("ws_1"), after=None)

    assert sorted(rows.keys) == sorted(one.key for one in mine)
    assert rows.next_position is None


def test_a_scan_goes_on_where_the_one_before_ended(store: Store) -> None:
    """A megabyte is a part of the whole table, whatever is wanted of it: some parts have nothing."""
    put(store, *(ThingItem(id=f"{place:02}", name="x" * 300_000) for place in range(8)))
    put(store, ThingItem(id="other", workspace_id="ws_2"))

    found, parts, after = [], 0, None
    while True:
        part = store.table.scan(keys.workspace_prefix("ws_2"), after=after)
        after = part.next_position
        found += part.keys
        parts += 1
        if after is None:
            break

    assert found == [thing_key("other", workspace_id="ws_2")]
    assert parts > 1
