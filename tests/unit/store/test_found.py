"""What was found for a page: in any order, cut where a cursor can lead, or shown as something else."""

import pytest

from forge.store.cursors import Cursors
from forge.store.pages import Found, Portion, page_among
from tests.unit.store.things import ThingItem


def by_name(thing: ThingItem) -> str:
    return thing.name


def named(*names: str) -> list[ThingItem]:
    return [ThingItem(id=f"{place}", name=name, count=place) for place, name in enumerate(names)]


@pytest.mark.parametrize(
    ("is_descending", "expected"),
    [(False, [["a", "b"], ["c", "d"], ["e"]]), (True, [["e", "d"], ["c", "b"], ["a"]])],
)
def test_what_was_read_whole_comes_in_pages_of_any_order(
    is_descending: bool, expected: list[list[str]]
) -> None:
    pages: list[list[str]] = []
    cursor: str | None = None

    while True:
        found = page_among(
            named("d", "b", "e", "a", "c"),
            by_name,
            Portion(2, cursor),
            cursors=Cursors("by name"),
            is_descending=is_descending,
        )
        pages.append([thing.name for thing in found.items])
        cursor = found.next_cursor
        assert not found.is_truncated
        if cursor is None:
            break

    assert pages == expected


def among(*names: str) -> Found[ThingItem]:
    return page_among(named(*names), by_name, Portion(9), cursors=Cursors("by name"))


@pytest.mark.parametrize(
    ("size", "shown"), [(5, "abbcc"), (4, "abb"), (3, "abb"), (2, "a"), (1, "a"), (0, "a")]
)
def test_a_page_that_ends_early_parts_no_two_things_of_one_place(size: int, shown: str) -> None:
    whole = among(*"abbcc")

    found = whole.first(size)

    is_cut = shown != "abbcc"
    assert [thing.name for thing in found.items] == list(shown)
    assert found.is_truncated is is_cut
    assert found.next_cursor == (Cursors("by name").after(shown[-1]) if is_cut else None)


def test_a_first_place_that_has_more_than_fits_is_shown_whole() -> None:
    whole = among("a", "a", "a")

    assert len(among("a", "a", "a", "b").first(2).items) == 3
    assert whole.first(2) == whole


@pytest.mark.parametrize(("full", "is_short"), [(0, False), (1, False), (2, True)])
def test_a_page_can_show_other_things_at_the_same_places_or_none(full: int, is_short: bool) -> None:
    whole = page_among(named("a", "b", "c"), by_name, Portion(2), cursors=Cursors())

    found = whole.become(lambda thing: thing.name if thing.name != "b" else None, full=full)

    assert (found.items, found.next_cursor) == (["a"], whole.next_cursor)
    assert found.is_truncated is is_short
