"""Pages: bounded reading, filters in memory, and cursors that only lead where the caller may read."""

from dataclasses import replace

import pytest

from forge.errors import InvalidInput
from forge.store import keys
from forge.store.cursors import encode_cursor
from forge.store.pages import MAX_READ, Found, Listing, read_page
from forge.store.store import Store
from forge.store.table import SortRange
from forge.testing.instruments import Counter, watched
from forge.testing.memory import no_store
from forge.work.workspaces import workspace_keys
from tests.unit.store.things import ThingItem, numbered_things, put, shelf, things

EVERY_THING = Listing(keys.workspace_prefix("ws_1"), things())
NEWEST_FIRST = Listing(keys.workspace_prefix("ws_1"), things(), is_descending=True)
ON_THE_SHELF = Listing(keys.workspace_prefix("ws_1"), shelf("top"), index="updated")


def numbers(found: Found[ThingItem]) -> list[int]:
    return [thing.count for thing in found.items]


def is_odd(thing: ThingItem) -> bool:
    return thing.count % 2 == 1


def all_pages(store: Store, listing: Listing, *, limit: int) -> list[list[int]]:
    pages = []
    cursor = None
    while True:
        found = read_page(store.table, ThingItem, listing, limit=limit, cursor=cursor)
        pages.append(numbers(found))
        cursor = found.next_cursor
        if cursor is None:
            return pages


def test_pages_follow_each_other_without_gap_or_repetition(store: Store) -> None:
    put(store, *numbered_things(7))

    assert all_pages(store, EVERY_THING, limit=3) == [[0, 1, 2], [3, 4, 5], [6]]


def test_pages_can_run_from_the_end(store: Store) -> None:
    put(store, *numbered_things(5))

    assert all_pages(store, NEWEST_FIRST, limit=2) == [[4, 3], [2, 1], [0]]


def test_pages_can_run_over_an_index(store: Store) -> None:
    put(store, *numbered_things(5, shelf="top"), ThingItem(id="elsewhere", shelf="bottom"))

    assert all_pages(store, ON_THE_SHELF, limit=2) == [[0, 1], [2, 3], [4]]


def test_the_last_page_has_no_cursor_and_is_not_truncated(store: Store) -> None:
    put(store, *numbered_things(2))

    found = read_page(store.table, ThingItem, EVERY_THING, limit=3)

    assert (numbers(found), found.next_cursor, found.is_truncated) == ([0, 1], None, False)


def test_a_list_of_nothing_is_one_empty_page(store: Store) -> None:
    found = read_page(store.table, ThingItem, EVERY_THING, limit=3)

    assert (found.items, found.next_cursor, found.is_truncated) == ([], None, False)


def test_a_filter_fills_the_page_from_further_down(store: Store) -> None:
    put(store, *numbered_things(10))

    first = read_page(store.table, ThingItem, EVERY_THING, limit=3, accepts=is_odd)
    second = read_page(store.table, ThingItem, EVERY_THING, limit=3, accepts=is_odd, cursor=first.next_cursor)

    assert numbers(first) == [1, 3, 5]
    assert numbers(second) == [7, 9]
    assert second.next_cursor is None


def test_a_full_page_that_ends_the_list_has_no_cursor(store: Store) -> None:
    put(store, *numbered_things(6))

    found = read_page(store.table, ThingItem, EVERY_THING, limit=3, accepts=is_odd)

    assert (numbers(found), found.next_cursor) == ([1, 3, 5], None)


@pytest.mark.not_on_moto(reason="moto copies the whole table for each transaction")
def test_a_page_is_one_request_of_at_most_the_bound_whatever_the_filter_refuses(store: Store) -> None:
    put(store, *numbered_things(620))
    counter = Counter()

    found = read_page(
        watched(store, counter).table, ThingItem, EVERY_THING, limit=3, accepts=lambda thing: False
    )

    assert [len(sent.answer["Items"]) for sent in counter.sent] == [MAX_READ]
    assert found.items == []
    assert found.is_truncated
    assert found.next_cursor is not None


@pytest.mark.not_on_moto(reason="moto copies the whole table for each transaction")
def test_a_truncated_list_goes_on_where_reading_stopped(store: Store) -> None:
    put(store, *numbered_things(620))

    def accepts(thing: ThingItem) -> bool:
        return thing.count in (499, 500, 619)

    first = read_page(store.table, ThingItem, EVERY_THING, limit=3, accepts=accepts)
    second = read_page(
        store.table, ThingItem, EVERY_THING, limit=3, accepts=accepts, cursor=first.next_cursor
    )

    assert (numbers(first), first.is_truncated) == ([499], True)
    assert (numbers(second), second.is_truncated, second.next_cursor) == ([500, 619], False, None)


def test_a_page_that_a_megabyte_cuts_short_says_so(store: Store) -> None:
    put(store, *[ThingItem(id=f"{place:04}", name="x" * 300_000) for place in range(5)])

    found = read_page(store.table, ThingItem, EVERY_THING, limit=5)

    assert 0 < len(found.items) < 5
    assert found.is_truncated
    assert found.next_cursor is not None


def test_a_range_bounds_the_list_and_its_cursors(store: Store) -> None:
    put(store, *numbered_things(9))
    listing = Listing(keys.workspace_prefix("ws_1"), things(), sort=SortRange(first="0002", last="0006"))

    assert all_pages(store, listing, limit=2) == [[2, 3], [4, 5], [6]]


@pytest.mark.parametrize("listing", [EVERY_THING, ON_THE_SHELF])
def test_the_cursor_after_any_item_goes_on_right_there(store: Store, listing: Listing) -> None:
    put(store, *numbered_things(6, shelf="top"))
    found = read_page(store.table, ThingItem, listing, limit=5, accepts=is_odd)

    rest = [
        numbers(read_page(store.table, ThingItem, listing, limit=9, cursor=found.cursor_after(place)))
        for place in range(3)
    ]

    assert rest == [[2, 3, 4, 5], [4, 5], []]


def test_what_is_left_after_another_choice_still_knows_where_it_stands(store: Store) -> None:
    put(store, *numbered_things(6))
    found = read_page(store.table, ThingItem, EVERY_THING, limit=5)

    chosen = replace(found, items=[found.items[3], found.items[1]])

    cursors = [chosen.cursor_after(place) for place in range(2)]
    assert cursors == [found.cursor_after(3), found.cursor_after(1)]


def test_rows_that_appear_meanwhile_do_not_shift_the_pages(store: Store) -> None:
    put(store, *[thing for thing in numbered_things(6) if thing.count != 1])
    first = read_page(store.table, ThingItem, EVERY_THING, limit=2)
    put(store, numbered_things(2)[1])

    second = read_page(store.table, ThingItem, EVERY_THING, limit=2, cursor=first.next_cursor)

    assert (numbers(first), numbers(second)) == ([0, 2], [3, 4])


def test_a_cursor_works_although_its_row_is_gone(store: Store) -> None:
    put(store, *numbered_things(4))
    first = read_page(store.table, ThingItem, EVERY_THING, limit=2)
    place = {"pk": {"S": things()}, "sk": {"S": "0001"}}
    store.table.client.ask("DeleteItem", {"TableName": store.table.name, "Key": place})

    second = read_page(store.table, ThingItem, EVERY_THING, limit=5, cursor=first.next_cursor)

    assert numbers(second) == [2, 3]


_HERE = {"pk": things(), "sk": "0001"}
_ON_SHELF = {**_HERE, "updatedPk": shelf("top"), "updatedSk": "0001"}


@pytest.mark.parametrize(
    ("listing", "position"),
    [
        pytest.param(EVERY_THING, {**_HERE, "pk": things("ws_2")}, id="another workspace"),
        pytest.param(EVERY_THING, {**_HERE, "pk": workspace_keys.labels("ws_1")}, id="another list"),
        pytest.param(EVERY_THING, {"pk": "KEY#0123", "sk": "KEY"}, id="no workspace"),
        pytest.param(EVERY_THING, {"pk": things()}, id="half a key"),
        pytest.param(EVERY_THING, {**_HERE, "sk": ""}, id="an empty key"),
        pytest.param(EVERY_THING, _ON_SHELF, id="an index's"),
        pytest.param(ON_THE_SHELF, _HERE, id="the table's"),
        pytest.param(ON_THE_SHELF, {**_ON_SHELF, "pk": things("ws_2")}, id="another workspace's item"),
        pytest.param(ON_THE_SHELF, {**_ON_SHELF, "updatedPk": shelf("bottom")}, id="another shelf"),
        pytest.param(ON_THE_SHELF, {**_ON_SHELF, "updatedPk": shelf("top", "ws_2")}, id="another's shelf"),
        pytest.param(
            Listing(keys.workspace_prefix("ws_1"), things(), sort=SortRange(last="0000")),
            _HERE,
            id="beyond the range",
        ),
    ],
)
def test_a_cursor_that_this_list_can_not_have_given_is_refused_before_anything_is_read(
    listing: Listing, position: dict[str, str]
) -> None:
    with pytest.raises(InvalidInput):
        read_page(no_store().table, ThingItem, listing, limit=3, cursor=encode_cursor(position))


def test_garbage_for_a_cursor_is_invalid_input() -> None:
    with pytest.raises(InvalidInput):
        read_page(no_store().table, ThingItem, EVERY_THING, limit=3, cursor="garbage")
