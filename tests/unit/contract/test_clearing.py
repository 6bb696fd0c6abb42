"""An update empties the fields that it names, and no others."""

from typing import Annotated

import pytest
from pydantic import Field

from forge.contract.arguments import parse
from forge.contract.clearing import Changes, Clearable
from forge.contract.schema import portable_schema
from forge.errors import InvalidInput


class Rename(Changes):
    id: str
    title: str | None = None
    due_date: Annotated[str | None, Clearable(), Field(description="When.")] = None
    owner_id: Annotated[str | None, Clearable()] = None


def rename(**arguments: object) -> dict[str, object]:
    return parse(Rename, {"id": "a", **arguments}, tool="things.rename").given()


def wrong_fields(**arguments: object) -> set[str]:
    with pytest.raises(InvalidInput) as caught:
        rename(**arguments)
    return set(caught.value.issues or ())


def test_what_is_named_is_emptied_and_the_rest_stays() -> None:
    assert rename(title="New", clear=["dueDate"]) == {"id": "a", "title": "New", "due_date": None}


@pytest.mark.parametrize("sent", ["dueDate", '["dueDate"]', ["dueDate", "dueDate"]])
def test_one_name_need_not_be_a_list(sent: object) -> None:
    assert rename(clear=sent) == {"id": "a", "due_date": None}


@pytest.mark.parametrize("nothing", [None, "null", ["null"], [None], []])
def test_null_and_nothing_empty_nothing(nothing: object) -> None:
    assert rename(title=None, dueDate=None, ownerId=nothing if nothing != [] else None, clear=nothing) == {
        "id": "a"
    }


@pytest.mark.parametrize("name", ["title", "id", "clear", "due_date", "nonsense"])
def test_only_marked_fields_can_be_named(name: str) -> None:
    assert wrong_fields(clear=["ownerId", name]) == {"clear.1"}


def test_what_is_given_is_not_cleared_too() -> None:
    assert wrong_fields(dueDate="today", clear=["ownerId", "dueDate"]) == {"clear"}


def test_what_is_null_may_be_cleared() -> None:
    assert rename(dueDate=None, clear=["dueDate"]) == {"id": "a", "due_date": None}


def test_the_names_that_can_be_cleared_are_published() -> None:
    properties = portable_schema(Rename)["properties"]

    assert list(properties) == ["id", "title", "dueDate", "ownerId", "clear"]
    assert properties["clear"]["items"] == {"type": "string", "enum": ["dueDate", "ownerId"]}


def test_an_update_with_nothing_to_clear_is_refused_at_import() -> None:
    with pytest.raises(TypeError):
        type("Bare", (Changes,), {"__annotations__": {"id": str}})
