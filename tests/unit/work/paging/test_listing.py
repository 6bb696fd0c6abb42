"""A page shows the fields that were asked for, and ends before it is too long to send."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from forge.context import KeyKind
from forge.contract.models import Model, Omittable, Page
from forge.contract.tools import Tool
from forge.errors import InvalidInput
from forge.store.pages import Found
from forge.work.paging.listing import MAX_ANSWER, chosen, page_of
from forge.work.people.api_keys import ApiKeyItem
from tests.unit.office import Office
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
    items = numbered_things(number)
    positions = {item.key: {"sk": item.id} for item in items}
    return Found(items, next_cursor, is_truncated, positions)


def views(found: Found[ThingItem], *, name: str = "a thing") -> list[ThingView]:
    return [ThingView(id=item.id, thing_name=name) for item in found.items]


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
    page = page_of(found, views(found), kind=Page[ThingView])

    rows = [{"id": item.id, "thingName": "a thing"} for item in found.items]
    assert sent(page) == {"data": rows, **rest}


def test_a_page_can_say_more() -> None:
    found = found_things(1)

    page = page_of(found, views(found), kind=Things, total=7, coverage="names")

    assert isinstance(page, Things)
    assert sent(page) == {"data": [{"id": "0000", "thingName": "a thing"}], "total": 7, "coverage": "names"}


@pytest.mark.parametrize("name", ["x" * 400, "é" * 400, '"' * 200])
def test_a_page_that_would_be_too_long_ends_early_and_goes_on_right_there(name: str) -> None:
    found = found_things(120, next_cursor="after all of them")

    page = page_of(found, views(found, name=name), kind=Page[ThingView])

    shown = len(page.data)
    assert MAX_ANSWER - 2_000 < len(Tool.render(page)) <= MAX_ANSWER
    assert [row.id for row in page.data] == [item.id for item in found.items[:shown]]
    assert (page.next_cursor, page.truncated) == (found.cursor_after(shown - 1), True)


def test_the_last_page_of_a_list_can_be_too_long_as_well() -> None:
    found = found_things(120)

    page = page_of(found, views(found, name="x" * 400), kind=Page[ThingView])

    assert (page.next_cursor, page.truncated) == (found.cursor_after(len(page.data) - 1), True)


def test_a_page_of_just_the_right_length_is_not_cut() -> None:
    found = found_things(100)
    length_of_others = len(Tool.render(page_of(found, views(found, name=""), kind=Page[ThingView])))
    names = ["x" * ((MAX_ANSWER - length_of_others) // 100)] * 99
    names.append("x" * (MAX_ANSWER - length_of_others - sum(map(len, names))))

    def page(last: str) -> Page[ThingView]:
        texts = [*names[:-1], last]
        rows = [ThingView(id=item.id, thing_name=text) for item, text in zip(found.items, texts, strict=True)]
        return page_of(found, rows, kind=Page[ThingView])

    assert len(Tool.render(page(names[-1]))) == MAX_ANSWER
    assert page(names[-1]).truncated is None
    assert page(names[-1] + "x").truncated


@pytest.mark.parametrize(("number", "rest"), [(1, None), (2, True)])
def test_one_row_is_shown_however_long_it_is(number: int, rest: bool | None) -> None:
    found = found_things(number)

    page = page_of(found, views(found, name="x" * MAX_ANSWER), kind=Page[ThingView])

    assert (len(page.data), page.truncated) == (1, rest)


def test_only_what_is_shown_counts() -> None:
    found = found_things(120)

    page = page_of(
        found, views(found, name="x" * 400), kind=Page[ThingView], fields=chosen(ThingView, ["id"])
    )

    assert sent(page) == {"data": [{"id": item.id} for item in found.items]}


def test_what_is_shown_is_cut_too() -> None:
    found = found_things(120)
    fields = chosen(ThingView, ["thingName"])

    page = page_of(found, views(found, name="x" * 400), kind=Page[ThingView], fields=fields)

    assert page.truncated
    assert len(Tool.render(page)) <= MAX_ANSWER
    assert set(sent(page)["data"][0]) == {"id", "thingName"}


def test_every_row_needs_its_item() -> None:
    found = found_things(3)

    with pytest.raises(ValueError, match="each"):
        page_of(found, views(found)[:2], kind=Page[ThingView])


@pytest.mark.parametrize(
    ("row", "given", "expected"),
    [
        (ThingView, None, None),
        (ThingView, [], None),
        (ThingView, ["thingName"], {"id", "thing_name"}),
        (ThingView, ["isOld", "isOld", "id"], {"id", "is_old"}),
        (Nameless, ["thingName"], {"thing_name"}),
    ],
)
def test_fields_are_chosen_by_their_names_on_the_wire_and_the_id_comes_along(
    row: type[Model], given: Sequence[str] | None, expected: set[str] | None
) -> None:
    assert chosen(row, given) == expected


@pytest.mark.parametrize(
    ("wrong", "advice"),
    [("thingname", "thingName"), ("thing_name", "thingName"), ("zzz", "id, thingName, isOld")],
)
def test_an_unknown_field_is_refused_with_the_closest_known_one(wrong: str, advice: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        chosen(ThingView, ["id", wrong])

    assert refused.value.issues is not None
    assert set(refused.value.issues) == {"fields"}
    assert advice in refused.value.issues["fields"]


def test_many_unknown_fields_make_no_long_story() -> None:
    with pytest.raises(InvalidInput) as refused:
        chosen(ThingView, [f"{'z' * 57}{number}" for number in range(40)])

    assert len(str(refused.value.issues)) < 1_000


def test_a_long_list_of_keys_comes_in_pages_that_can_be_sent(office: Office) -> None:
    labels = {f"lbl_{number:036}" for number in range(50)}
    office.put(
        *[
            ApiKeyItem(
                workspace_id=office.workspace.id,
                id=office.world.ids("key"),
                key_hash=f"{number:064}",
                prefix="forge_sk_x",
                name=f"key {number}",
                kind=KeyKind.AGENT,
                label_ids=labels,
                created_at=office.world.clock(),
            )
            for number in range(40)
        ]
    )
    names, cursor = [], None

    for _ in range(5):
        answer = office.send("keys.list", {"cursor": cursor})
        page = json.loads(answer.body)
        names += [row["name"] for row in page["data"]]
        cursor = page.get("nextCursor")
        assert len(answer.body) <= MAX_ANSWER
        assert page.get("truncated") == (True if cursor else None)
        if cursor is None:
            break

    assert names == [*[f"key {number}" for number in range(39, -1, -1)], "Owner"]
