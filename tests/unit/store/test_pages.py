"""Pages: bounded reading, filters in memory, and cursors that only lead where the caller may read."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from forge.errors import InvalidInput
from forge.store.pages import Found, Look, Portion, read_page
from forge.store.store import Store
from forge.store.walks import FEW, MAX_READ, Listing, one_partition
from forge.testing.instruments import Counter, watched
from forge.testing.memory import no_store
from forge.work.workspace.people.authentication import LABELS
from tests.unit.store.things import ThingItem, numbered_things, put, shelf, things

EVERY_THING = one_partition(things())
NEWEST_FIRST = one_partition(things(), is_descending=True)
ON_THE_SHELF = one_partition(shelf("top"), "updated")


def numbers(found: Found[ThingItem]) -> list[int]:
    return [thing.count for thing in found.items]


def is_odd(thing: ThingItem) -> bool:
    return thing.count % 2 == 1


def all_pages(store: Store, listing: Listing, *, limit: int) -> list[list[int]]:
    pages = []
    cursor = None
    while True:
        found = read_page(store.table, ThingItem, listing, Portion(limit, cursor))
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

    found = read_page(store.table, ThingItem, EVERY_THING, Portion(3))

    assert (numbers(found), found.next_cursor, found.is_truncated) == ([0, 1], None, False)


def test_a_list_of_nothing_is_one_empty_page(store: Store) -> None:
    found = read_page(store.table, ThingItem, EVERY_THING, Portion(3))

    assert (found.items, found.next_cursor, found.is_truncated) == ([], None, False)


def test_a_filter_fills_the_page_from_further_down(store: Store) -> None:
    put(store, *numbered_things(10))

    first = read_page(store.table, ThingItem, EVERY_THING, Portion(3), accepts=is_odd)
    second = read_page(store.table, ThingItem, EVERY_THING, Portion(3, first.next_cursor), accepts=is_odd)

    assert numbers(first) == [1, 3, 5]
    assert numbers(second) == [7, 9]
    assert second.next_cursor is None


def test_a_full_page_that_ends_the_list_has_no_cursor(store: Store) -> None:
    put(store, *numbered_things(6))

    found = read_page(store.table, ThingItem, EVERY_THING, Portion(3), accepts=is_odd)

    assert (numbers(found), found.next_cursor) == ([1, 3, 5], None)


@pytest.mark.not_on_moto(reason="moto copies the whole table for each transaction")
def test_a_page_reads_no_more_than_the_bound_whatever_the_filter_refuses(
    counter: Counter, store: Store
) -> None:
    put(store, *numbered_things(620))

    found = read_page(
        watched(store, counter).table, ThingItem, EVERY_THING, Portion(3), accepts=lambda thing: False
    )

    read = [len(sent.answer["Items"]) for sent in counter.sent]
    assert (read[0], len(read), sum(read)) == (FEW + 1, 3, MAX_READ)
    assert found.items == []
    assert found.is_truncated
    assert found.next_cursor is not None


@pytest.mark.parametrize(("limit", "rows"), [(1, FEW + 1), (10, 21), (20, 41), (30, 61)])
def test_about_twice_the_page_is_read_where_a_filter_refuses_little(
    counter: Counter, store: Store, limit: int, rows: int
) -> None:
    put(store, *numbered_things(90))

    found = read_page(watched(store, counter).table, ThingItem, EVERY_THING, Portion(limit), accepts=is_odd)

    assert numbers(found) == list(range(1, 2 * limit, 2))
    assert [len(sent.answer["Items"]) for sent in counter.sent] == [rows]


@pytest.mark.not_on_moto(reason="moto copies the whole table for each transaction")
def test_a_truncated_list_goes_on_where_reading_stopped(store: Store) -> None:
    put(store, *numbered_things(620))

    def accepts(thing: ThingItem) -> bool:
        return thing.count in (499, 500, 619)

    first = read_page(store.table, ThingItem, EVERY_THING, Portion(3), accepts=accepts)
    second = read_page(store.table, ThingItem, EVERY_THING, Portion(3, first.next_cursor), accepts=accepts)

    assert (numbers(first), first.is_truncated) == ([499], True)
    assert (numbers(second), second.is_truncated, second.next_cursor) == ([500, 619], False, None)


def test_a_page_that_a_megabyte_cuts_short_says_so(store: Store) -> None:
    put(store, *[ThingItem(id=f"{place:04}", name="x" * 300_000) for place in range(5)])

    found = read_page(store.table, ThingItem, EVERY_THING, Portion(5))

    assert 0 < len(found.items) < 5
    assert found.is_truncated
    assert found.next_cursor is not None


def test_a_list_can_begin_anywhere(store: Store) -> None:
    put(store, *numbered_things(7))

    assert all_pages(store, replace(EVERY_THING, start="0002"), limit=2) == [[2, 3], [4, 5], [6]]
    assert all_pages(store, replace(NEWEST_FIRST, start="0004"), limit=2) == [[4, 3], [2, 1], [0]]


def test_a_list_can_be_of_one_prefix(store: Store) -> None:
    put(store, *numbered_things(12))

    assert all_pages(store, one_partition(things(), prefix="001"), limit=1) == [[10], [11]]


@pytest.mark.parametrize("listing", [EVERY_THING, ON_THE_SHELF])
def test_the_cursor_after_any_item_goes_on_right_there(store: Store, listing: Listing) -> None:
    put(store, *numbered_things(6, shelf="top"))
    found = read_page(store.table, ThingItem, listing, Portion(5), accepts=is_odd)

    rest = [
        numbers(
            read_page(store.table, ThingItem, listing, Portion(9, found.cursor_of(found.placed[place].place)))
        )
        for place in range(3)
    ]

    assert rest == [[2, 3, 4, 5], [4, 5], []]


def test_rows_that_appear_meanwhile_do_not_shift_the_pages(store: Store) -> None:
    put(store, *[thing for thing in numbered_things(6) if thing.count != 1])
    first = read_page(store.table, ThingItem, EVERY_THING, Portion(2))
    put(store, numbered_things(2)[1])

    second = read_page(store.table, ThingItem, EVERY_THING, Portion(2, first.next_cursor))

    assert (numbers(first), numbers(second)) == ([0, 2], [3, 4])


def test_a_cursor_works_although_its_row_is_gone(store: Store) -> None:
    put(store, *numbered_things(4))
    first = read_page(store.table, ThingItem, EVERY_THING, Portion(2))
    place = {"pk": {"S": things()}, "sk": {"S": "0001"}}
    store.table.client.ask("DeleteItem", {"TableName": store.table.name, "Key": place})

    second = read_page(store.table, ThingItem, EVERY_THING, Portion(5, first.next_cursor))

    assert numbers(second) == [2, 3]


OTHER_LISTS = [
    pytest.param(one_partition(things("ws_2")), id="another workspace"),
    pytest.param(one_partition(LABELS("ws_1")), id="another list"),
    pytest.param(NEWEST_FIRST, id="the other direction"),
    pytest.param(ON_THE_SHELF, id="an index's"),
    pytest.param(one_partition(things(), prefix="0"), id="a part of it"),
]


@pytest.mark.parametrize("other", OTHER_LISTS)
def test_a_cursor_that_this_list_can_not_have_given_is_refused_before_anything_is_read(
    other: Listing,
) -> None:
    with pytest.raises(InvalidInput):
        read_page(no_store().table, ThingItem, EVERY_THING, Portion(3, other.cursors.after("0001")))


@pytest.mark.parametrize(
    ("listing", "place"),
    [
        pytest.param(EVERY_THING, "\U0010ffff\U0010ffff", id="beyond all places"),
        pytest.param(replace(EVERY_THING, start="0002"), "0001", id="before the start"),
        pytest.param(replace(NEWEST_FIRST, start="0002"), "0003", id="before the start, from the end"),
    ],
)
def test_a_place_that_is_not_in_the_list_is_refused_before_anything_is_read(
    listing: Listing, place: str
) -> None:
    with pytest.raises(InvalidInput):
        read_page(no_store().table, ThingItem, listing, Portion(3, listing.cursors.after(place)))


def test_garbage_for_a_cursor_is_invalid_input() -> None:
    with pytest.raises(InvalidInput):
        read_page(no_store().table, ThingItem, EVERY_THING, Portion(3, "garbage"))


def looking(counts: list[int], *, most: int = 10_000) -> Look[ThingItem]:
    """Shows odd things, remembers how many it was given at once, and can tell of so many in all."""

    def look(items: Sequence[ThingItem]) -> list[bool]:
        left = most - sum(counts)
        counts.append(len(items[:left]))
        return [is_odd(thing) for thing in items[:left]]

    return look


def test_a_look_is_given_a_few_at_once_and_more_only_while_the_page_is_short(store: Store) -> None:
    put(store, *numbered_things(60))
    few: list[int] = []
    many: list[int] = []

    short = read_page(store.table, ThingItem, EVERY_THING, Portion(3), look=looking(few))
    long = read_page(
        store.table,
        ThingItem,
        EVERY_THING,
        Portion(3),
        accepts=lambda thing: thing.count > 40,
        look=looking(many),
    )

    assert (numbers(short), few) == ([1, 3, 5], [FEW + 1])
    assert (numbers(long), many) == ([41, 43, 45], [0, 19])


@pytest.mark.parametrize("most", [1, 2, 7, 21, 22, 40])
def test_a_page_ends_where_a_look_can_not_tell_of_more_and_the_next_goes_on_there(
    store: Store, most: int
) -> None:
    put(store, *numbered_things(45))
    shown: list[int] = []
    cursor: str | None = None

    while True:
        counts: list[int] = []
        look = looking(counts, most=most)
        found = read_page(store.table, ThingItem, EVERY_THING, Portion(30, cursor), look=look)
        shown += numbers(found)
        cursor = found.next_cursor
        assert sum(counts) <= most
        assert found.is_truncated == (cursor is not None)
        if cursor is None:
            break

    assert shown == list(range(1, 45, 2))


def test_what_a_look_leaves_out_after_a_full_page_makes_no_further_page(store: Store) -> None:
    put(store, *numbered_things(7))

    found = read_page(store.table, ThingItem, EVERY_THING, Portion(3), look=looking([]))

    assert (numbers(found), found.next_cursor, found.is_truncated) == ([1, 3, 5], None, False)
