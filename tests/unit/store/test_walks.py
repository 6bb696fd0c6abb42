"""Lists over several sources: one order, one bound on what is read, one cursor that loses nothing."""

from itertools import count
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forge.errors import InvalidInput
from forge.store.cursors import Cursors
from forge.store.pages import Portion, read_page
from forge.store.store import Store
from forge.store.walks import FEW, MAX_READ, Listing, one_partition
from forge.testing.instruments import Counter, watched
from forge.testing.memory import no_store
from tests.unit.store.shelves import a_thing, by_age, numbers, read, spread, stingy
from tests.unit.store.things import ThingItem, put, shelf, things

_workspaces = count(1)


def test_sources_are_merged_in_one_order(store: Store) -> None:
    put(store, *[a_thing(0, 4), a_thing(0, 7), a_thing(1, 1), a_thing(2, 5), a_thing(2, 9)])

    assert numbers(read(store, limit=9)) == [1, 4, 5, 7, 9]
    assert numbers(read(store, limit=9, is_descending=True)) == [9, 7, 5, 4, 1]


def test_rows_of_another_prefix_or_partition_do_not_belong_to_it(store: Store) -> None:
    put(
        store,
        a_thing(0, 1),
        ThingItem(id="2#0001", shelf="top"),
        ThingItem(id="0002", shelf="attic"),
        a_thing(0, 3, workspace_id="ws_2"),
    )

    onwards = by_age().cursors.after("0000")
    back = by_age(is_descending=True).cursors.after("0009")

    assert numbers(read(store)) == [1]
    assert numbers(read(store, cursor=onwards)) == [1]
    assert numbers(read(store, cursor=back, is_descending=True)) == [1]


def test_pages_follow_each_other_and_the_last_one_says_that_it_is_the_last(store: Store) -> None:
    put(store, *spread(9))
    pages, cursor = [], None

    for _ in range(3):
        found = read(store, cursor=cursor)
        cursor = found.next_cursor
        pages.append((numbers(found), cursor is None, found.is_truncated))

    assert pages == [([0, 1, 2], False, False), ([3, 4, 5], False, False), ([6, 7, 8], True, False)]


def test_the_last_page_is_known_as_such_when_one_source_filled_it(store: Store) -> None:
    put(store, *[a_thing(0, order) for order in range(6)])

    for is_descending in (False, True):
        first = read(store, is_descending=is_descending)
        second = read(store, is_descending=is_descending, cursor=first.next_cursor)

        assert len(second.items) == 3
        assert second.next_cursor is None


def test_a_list_of_nothing_is_one_empty_page(store: Store) -> None:
    found = read(store)

    assert (found.items, found.next_cursor, found.is_truncated) == ([], None, False)


def test_an_item_on_its_way_from_one_source_to_another_is_shown_once(store: Store) -> None:
    put(store, a_thing(0, 1), a_thing(0, 2), a_thing(1, 2), a_thing(2, 2), a_thing(2, 3))

    first = read(store, limit=2)
    second = read(store, limit=2, cursor=first.next_cursor)

    assert (numbers(first), numbers(second)) == ([1, 2], [3])
    assert (numbers(read(store, limit=9)), second.next_cursor) == ([1, 2, 3], None)


def test_without_a_filter_hardly_more_is_read_than_shown(counter: Counter, store: Store) -> None:
    put(store, *spread(30))

    first = read(watched(store, counter))
    read(watched(store, counter), cursor=first.next_cursor)

    asked = [sent.parameters["Limit"] for sent in counter.sent]
    assert [sent.operation for sent in counter.sent] == ["Query"] * 6
    assert asked == [4, 4, 4, 5, 5, 5]


@pytest.mark.not_on_moto(reason="moto copies the whole table for each transaction")
def test_all_sources_together_read_no_more_than_one_list_may(counter: Counter, store: Store) -> None:
    put(store, *[a_thing(source, order) for source in (0, 2) for order in range(350)])

    found = read(watched(store, counter), accepts=lambda thing: False)

    # The second source is empty, so its share is for the others.
    rows = [len(sent.answer["Items"]) for sent in counter.sent]
    assert rows[:3] == [FEW // 2, 0, FEW]
    assert rows[3:] == [(MAX_READ - sum(rows[:3])) // 2] * 2
    assert (found.items, found.is_truncated) == ([], True)
    assert found.next_cursor is not None


def test_a_page_ends_where_one_source_may_have_more(store: Store) -> None:
    put(store, *[a_thing(0, order) for order in (1, 2, 3, 4)], a_thing(2, 2), a_thing(2, 9))

    first = read(stingy(store, 2), limit=9)
    second = read(store, limit=9, cursor=first.next_cursor)

    assert (numbers(first), first.is_truncated) == ([1, 2], True)
    assert (numbers(second), second.is_truncated, second.next_cursor) == ([3, 4, 9], False, None)


def test_the_cursor_after_any_item_goes_on_right_there(store: Store) -> None:
    put(store, *spread(7))
    found = read(store, limit=6)

    rest = [
        numbers(read(store, limit=9, cursor=found.cursor_of(found.placed[place].place))) for place in range(6)
    ]

    assert rest == [list(range(place + 1, 7)) for place in range(6)]


@pytest.mark.parametrize("is_descending", [False, True])
@pytest.mark.parametrize("prefix", ["", "0#"])
def test_a_list_may_have_a_start_and_an_end_which_belong_to_it(
    store: Store, prefix: str, is_descending: bool
) -> None:
    things_of = [ThingItem(id=f"{prefix}{order:04}", count=order, shelf="top") for order in range(9)]
    put(store, *things_of, ThingItem(id="1#0003", shelf="top"))
    ends = ("0006", "0002") if is_descending else ("0002", "0006")
    bounded = one_partition(
        shelf("top"), "updated", prefix=prefix, start=ends[0], end=ends[1], is_descending=is_descending
    )
    within = sorted(range(2, 7), reverse=is_descending)

    first = read_page(store.table, ThingItem, bounded, Portion(3))
    second = read_page(store.table, ThingItem, bounded, Portion(3, first.next_cursor))

    assert numbers(first) + numbers(second) == within
    assert second.next_cursor is None
    for outside in ("0001", "0007"):
        with pytest.raises(InvalidInput):
            read_page(store.table, ThingItem, bounded, Portion(3, bounded.cursors.after(outside)))


def test_rows_that_come_and_go_meanwhile_do_not_shift_the_pages(store: Store) -> None:
    put(store, *[thing for thing in spread(7) if thing.count != 1])
    first = read(store, limit=2)
    put(store, a_thing(1, 1))
    place = {"pk": {"S": things()}, "sk": {"S": a_thing(2, 2).id}}
    store.table.client.ask("DeleteItem", {"TableName": store.table.name, "Key": place})

    second = read(store, limit=2, cursor=first.next_cursor)

    assert (numbers(first), numbers(second)) == ([0, 2], [3, 4])


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(by_age("ws_2"), id="another workspace"),
        pytest.param(by_age(is_descending=True), id="the other direction"),
        pytest.param(one_partition(shelf("top"), "updated", prefix="0#"), id="one of its sources"),
    ],
)
def test_a_cursor_that_this_list_can_not_have_given_is_refused_before_anything_is_read(
    other: Listing,
) -> None:
    with pytest.raises(InvalidInput):
        read(no_store(), cursor=other.cursors.after("0001"))


def test_a_list_without_sources_is_one_empty_page() -> None:
    listing = Listing([], Cursors("nothing"))

    found = read_page(no_store().table, ThingItem, listing, Portion(3), accepts=lambda thing: True)

    assert (found.items, found.next_cursor, found.is_truncated) == ([], None, False)


@pytest.mark.parametrize("limit", [1, 9, 20])
def test_sources_share_what_is_read_first_and_one_round_is_enough_where_they_are_alike(
    counter: Counter, store: Store, limit: int
) -> None:
    put(store, *spread(90))

    found = read(watched(store, counter), limit=limit, accepts=lambda thing: True)

    assert numbers(found) == list(range(limit))
    read_rows = [len(sent.answer["Items"]) for sent in counter.sent]
    assert len(read_rows) == 3
    assert sum(read_rows) <= 3 * max(limit, FEW // 2)


def test_only_the_source_that_is_in_the_way_is_read_on(counter: Counter, store: Store) -> None:
    starts = [(0, 200), (1, 0), (2, 100)]
    put(store, *[a_thing(source, start + order) for source, start in starts for order in range(40)])

    found = read(watched(store, counter), limit=30, accepts=lambda thing: thing.count >= 5)

    assert numbers(found) == list(range(5, 35))
    prefixes = [sent.parameters["ExpressionAttributeValues"].get(":prefix") for sent in counter.sent]
    assert prefixes == [{"S": "0#"}, {"S": "1#"}, None, {"S": "1#"}]


def test_an_item_that_is_on_its_way_is_shown_as_its_new_place_has_it(store: Store) -> None:
    put(store, a_thing(0, 1), a_thing(0, 2).changed(name="stale"), a_thing(1, 2).changed(name="new"))

    found = read(store, accepts=lambda thing: thing.name == "new")

    assert numbers(found) == [2]


class Layout(NamedTuple):
    """What is stored and how it is read: places in the order with their sources, and what a filter takes."""

    source_of: dict[int, int]
    wanted: set[int] | None
    limit: int
    rows_a_query: int
    is_descending: bool


layouts = st.builds(
    Layout,
    source_of=st.dictionaries(st.integers(0, 99), st.integers(0, 2), max_size=16),
    wanted=st.none() | st.sets(st.integers(0, 99), max_size=60),
    limit=st.integers(1, 6),
    # Below two, a source would give nothing but the row where the page before ended.
    rows_a_query=st.integers(2, 8),
    is_descending=st.booleans(),
)


@pytest.mark.not_on_moto(reason="moto copies the whole table for each transaction")
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], database=None
)
@given(layout=layouts)
def test_pages_give_every_accepted_row_once_and_in_order(store: Store, layout: Layout) -> None:
    workspace_id = f"ws_merged{next(_workspaces)}"
    put(store, *[a_thing(at, order, workspace_id=workspace_id) for order, at in layout.source_of.items()])
    wanted = layout.wanted
    expected = [order for order in layout.source_of if wanted is None or order in wanted]
    shown: list[int] = []
    cursor: str | None = None

    for _ in range(20):
        found = read(
            stingy(store, layout.rows_a_query),
            limit=layout.limit,
            cursor=cursor,
            is_descending=layout.is_descending,
            accepts=None if wanted is None else lambda thing: thing.count in wanted,
            workspace_id=workspace_id,
        )
        shown += numbers(found)
        cursor = found.next_cursor
        assert len(found.items) <= layout.limit
        assert found.is_truncated == (cursor is not None and len(found.items) < layout.limit)
        if cursor is None:
            break

    assert shown == sorted(expected, reverse=layout.is_descending)
    assert cursor is None
