"""Models are camelCase outside, snake_case inside, strict both ways, and never change."""

from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from pydantic import ValidationError

from forge.contract.models import Model, NullIsAValue, Omittable, Page
from forge.contract.tools import Tool


class PersonView(Model):
    first_name: str
    is_active: bool
    nick_name: Omittable[str] = None


class Shares(Model):
    ratio: float


class Change(Model):
    id: str
    owner_id: Annotated[str | None, NullIsAValue()] = None


@dataclass
class PersonItem:
    first_name: str
    is_active: bool
    nick_name: str | None = None
    password_hash: str = "hunter2"


def test_a_model_is_camel_case_on_the_wire_and_snake_case_in_python() -> None:
    view = PersonView(first_name="Ada", is_active=True)

    assert Tool.render(view) == '{"firstName":"Ada","isActive":true}'
    assert view.model_dump() == {"first_name": "Ada", "is_active": True}


def test_a_rare_field_is_an_optional_one_and_is_taken_like_any_other() -> None:
    class Order(Model, rare=["colour"]):
        size: int
        colour: str | None = None

    class BigOrder(Order, rare=["note"]):
        note: str | None = None

    assert Order.rare_fields == {"colour"}
    assert BigOrder.rare_fields == {"colour", "note"}
    assert BigOrder.model_validate({"size": 3, "colour": "red"}).colour == "red"


@pytest.mark.parametrize("misnamed", ["color", "size"])
def test_a_rare_field_that_is_not_there_or_is_required_is_refused(misnamed: str) -> None:
    with pytest.raises(TypeError):

        class Order(Model, rare=[misnamed]):
            size: int
            colour: str | None = None


def test_what_was_given_differs_from_what_was_left_out() -> None:
    models = [Change(id="a"), Change(id="a", owner_id=None), Change(id="a", owner_id="b")]

    given = [model.given() for model in models]

    assert given == [{"id": "a"}, {"id": "a", "owner_id": None}, {"id": "a", "owner_id": "b"}]


@pytest.mark.parametrize(
    "arguments", [{"first_name": "Ada", "is_active": True}, {"firstName": "Ada", "isActive": True}]
)
def test_a_model_is_built_by_either_spelling(arguments: dict[str, Any]) -> None:
    assert PersonView(**arguments).first_name == "Ada"


def test_a_model_takes_no_unknown_field() -> None:
    with pytest.raises(ValidationError):
        PersonView.model_validate({"firstName": "Ada", "isActive": True, "age": 36})


def test_a_model_does_not_change() -> None:
    view = PersonView(first_name="Ada", is_active=True)

    with pytest.raises(ValidationError):
        view.first_name = "Eve"  # type: ignore[misc]  # that is what is refused


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_model_takes_no_number_that_json_can_not_write(number: float) -> None:
    with pytest.raises(ValidationError):
        Shares(ratio=number)


def test_the_view_of_an_item_shows_its_own_fields_and_no_others() -> None:
    view = PersonView.of(PersonItem(first_name="Ada", is_active=True, nick_name="countess"))

    assert view == PersonView(first_name="Ada", is_active=True, nick_name="countess")
    assert "hunter2" not in view.model_dump_json()


def test_what_is_given_besides_wins_over_the_item() -> None:
    view = PersonView.of(PersonItem(first_name="Ada", is_active=True), first_name="Lady Ada")

    assert view.first_name == "Lady Ada"


def test_a_view_of_an_item_that_lacks_a_field_fails() -> None:
    with pytest.raises(AttributeError):
        PersonView.of(Shares(ratio=0.5))


def test_a_page_says_only_what_there_is_to_say() -> None:
    last = Page[Shares](data=[Shares(ratio=0.5)])
    cut = Page[Shares](data=[], next_cursor="c", truncated=True, total=0)

    assert Tool.render(last) == '{"data":[{"ratio":0.5}]}'
    assert Tool.render(cut) == '{"data":[],"nextCursor":"c","truncated":true,"total":0}'


def test_the_rows_of_a_page_can_be_slimmed_and_the_rest_of_it_stays() -> None:
    ada = PersonView(first_name="Ada", is_active=True, nick_name="countess")
    page = Page[PersonView](data=[ada], next_cursor="c", total=1)

    text = page.render({"first_name", "nick_name"})

    assert text == '{"data":[{"firstName":"Ada","nickName":"countess"}],"nextCursor":"c","total":1}'
    assert Tool.render(page) == text
    assert page.data == [ada]


def test_a_page_that_says_more_keeps_that_too() -> None:
    class People(Page[PersonView]):
        coverage: str

    page = People(data=[PersonView(first_name="Ada", is_active=True)], coverage="names")

    assert page.render({"is_active"}) == '{"data":[{"isActive":true}],"coverage":"names"}'


def test_a_changed_copy_of_a_page_is_rendered_anew() -> None:
    page = Page[Shares](data=[])
    assert page.render() == '{"data":[]}'

    changed = page.model_copy(update={"total": 7})

    assert Tool.render(changed) == '{"data":[],"total":7}'
    assert Tool.render(page) == '{"data":[]}'
