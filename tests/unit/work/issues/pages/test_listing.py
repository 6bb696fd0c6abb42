"""A page shows the fields that were asked for, and ends before it is too long to send."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from forge.contract.models import Model, Omittable, Page
from forge.contract.tools import Tool
from forge.errors import InvalidInput
from forge.store.pages import Found, Placed
from forge.work.issues.pages.listing import Pager
from forge.work.issues.pages.sizes import MAX_ANSWER
from tests.unit.store.things import ThingItem, numbered_things


class ThingView(Model):
    id: str
    thing_name: str
    is_old: Omittable[bool] = None


class Nameless(Model):
    thing_name: str


class Things(Page[ThingView]):
    coverage: Omittable[str] = None


def found_things(
    number: int, *, next_cursor: str | None = None, is_truncated: bool = False
) -> Found[ThingItem]:
    placed = [Placed(thing, thing.id) for thing in numbered_things(number)]
    return Found(placed, next_cursor, is_truncated, cursor_of=str)


def view(name: str = "a thing") -> Callable[[ThingItem], ThingView]:
    return lambda thing: ThingView(id=thing.id, thing_name=name)


def sent(page: Page[Any]) -> dict[str, Any]:
    """What the caller gets of it."""
    answer: dict[str, Any] = json.loads(Tool.render(page))
    return answer


@pytest.mark.parametrize(
    ("found", "rest"),
    [
        (found_things(2), {}),
        (found_things(2, next_cursor="c"), {"nextCursor": "c"}),
        (found_things(2, next_cursor="c", is_truncated=True), {"nextCursor": "c", "truncated": True}),
        (found_things(0, next_cursor="c", is_truncated=True), {"nextCursor": "c", "truncated": True}),
        (found_things(0), {}),
    ],
)
def test_a_page_says_what_was_found_and_how_it_goes_on(found: Found[ThingItem], rest: dict[str, Any]) -> None:
    page = Pager(Page[ThingView]).page(found, view())

    rows = [{"id": item.id, "thingName": "a thing"} for item in found.items]
    assert sent(page) == {"data": rows, **rest}


def test_a_page_can_say_more() -> None:
    found = found_things(1)

    page = Pager(Things).page(found, view(), total=7, coverage="names")

    assert isinstance(page, Things)
    assert sent(page) == {"data": [{"id": "0000", "thingName": "a thing"}], "total": 7, "coverage": "names"}


@pytest.mark.parametrize("name", ["x" * 400, "é" * 400, '"' * 200])
def test_a_page_that_would_be_too_long_ends_early_and_goes_on_right_there(name: str) -> None:
    found = found_things(120, next_cursor="after all of them")

    page = Pager(Page[ThingView]).page(found, view(name))

    shown = len(page.data)
    assert MAX_ANSWER - 2_000 < len(Tool.render(page)) <= MAX_ANSWER
    assert [row.id for row in page.data] == [item.id for item in found.items[:shown]]
    assert (page.next_cursor, page.truncated) == (found.items[shown - 1].id, True)


def test_the_last_page_of_a_list_can_be_too_long_as_well() -> None:
    found = found_things(120)

    page = Pager(Page[ThingView]).page(found, view("x" * 400))

    assert (page.next_cursor, page.truncated) == (page.data[-1].id, True)


def test_a_page_of_just_the_right_length_is_not_cut() -> None:
    found = found_things(100)
    length_of_others = len(Tool.render(Pager(Page[ThingView]).page(found, view(""))))
    names = ["x" * ((MAX_ANSWER - length_of_others) // 100)] * 99
    names.append("x" * (MAX_ANSWER - length_of_others - sum(map(len, names))))

    def page(last: str) -> Page[ThingView]:
        texts = [*names[:-1], last]
        return Pager(Page[ThingView]).page(
            found, lambda thing: ThingView(id=thing.id, thing_name=texts[thing.count])
        )

    assert len(Tool.render(page(names[-1]))) == MAX_ANSWER
    assert page(names[-1]).truncated is None
    assert page(names[-1] + "x").truncated


@pytest.mark.parametrize(("number", "rest"), [(1, None), (2, True)])
def test_one_row_is_shown_however_long_it_is(number: int, rest: bool | None) -> None:
    found = found_things(number)

    page = Pager(Page[ThingView]).page(found, view("x" * MAX_ANSWER))

    assert (len(page.data), page.truncated) == (1, rest)


def test_only_what_is_shown_counts() -> None:
    found = found_things(120)

    page = Pager(Page[ThingView], ["id"]).page(found, view("x" * 400))

    assert sent(page) == {"data": [{"id": item.id} for item in found.items]}


def test_what_is_shown_is_cut_too() -> None:
    found = found_things(120)

    page = Pager(Page[ThingView], ["thingName"]).page(found, view("x" * 400))

    assert page.truncated
    assert len(Tool.render(page)) <= MAX_ANSWER
    assert set(sent(page)["data"][0]) == {"id", "thingName"}


def test_a_page_that_is_cut_parts_no_two_things_of_one_place() -> None:
    placed = [Placed(thing, f"{thing.count // 7:03}") for thing in numbered_things(120)]

    page = Pager(Page[ThingView]).page(Found(placed, None, False, cursor_of=str), view("x" * 400))

    assert len(page.data) % 7 == 0
    assert page.next_cursor == placed[len(page.data) - 1].place
    assert len(Tool.render(page)) <= MAX_ANSWER


@pytest.mark.parametrize(
    ("kind", "given", "expected"),
    [
        (Page[ThingView], None, {"id", "thing_name", "is_old"}),
        (Page[ThingView], [], {"id", "thing_name", "is_old"}),
        (Things, ["thingName"], {"id", "thing_name"}),
        (Page[ThingView], ["isOld", "isOld", "id"], {"id", "is_old"}),
        (Page[Nameless], ["thingName"], {"thing_name"}),
    ],
)
def test_fields_are_chosen_by_their_names_on_the_wire_and_the_id_comes_along(
    kind: type[Page[Any]], given: Sequence[str] | None, expected: set[str]
) -> None:
    pager = Pager(kind, given)

    assert {name for name in ("id", "thing_name", "is_old") if pager.shows(name)} >= expected
    assert all(
        pager.shows(name) == (name in expected or not given) for name in ("id", "thing_name", "is_old")
    )


@pytest.mark.parametrize(
    ("wrong", "advice"),
    [("thingname", "thingName"), ("thing_name", "thingName"), ("zzz", "id, thingName, isOld")],
)
def test_an_unknown_field_is_refused_with_the_closest_known_one(wrong: str, advice: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        Pager(Page[ThingView], ["id", wrong])

    assert refused.value.issues is not None
    assert set(refused.value.issues) == {"fields"}
    assert advice in refused.value.issues["fields"]


def test_many_unknown_fields_make_no_long_story() -> None:
    with pytest.raises(InvalidInput) as refused:
        Pager(Page[ThingView], [f"{'z' * 57}{number}" for number in range(40)])

    assert len(str(refused.value.issues)) < 1_000
