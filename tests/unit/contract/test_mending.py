"""Arguments as agents really write them, in the shapes that a strict reading lets slip through."""

from collections.abc import Sequence
from typing import Annotated, Literal

import pytest
from pydantic import Field

from forge.contract.arguments import parse
from forge.contract.models import Model
from forge.errors import InvalidInput

Ids = Annotated[list[str], Field(max_length=5)]


class Link(Model):
    target_id: str
    comment: str | None = None


class Write(Model):
    ids: Ids | None = None
    link: Annotated[Link, Field(description="Where to.")] | None = None
    links: list[Annotated[Link, Field(description="Where to.")]] = []
    tags: Sequence[str] = ()
    code: Annotated[str | None, Field(pattern="^[a-z]+$", description="Lower-case letters.")] = None


class Include(Model):
    """Sections, each of them on or off."""

    body_text: bool = False
    comments: bool | Link = False


class Choose(Model):
    include: Include | None = None
    sections: list[Literal["body", "card"]] = []
    section: Literal["body", "card"] | None = None


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ({"include": ["bodyText"]}, Choose(include=Include(body_text=True))),
        ({"include": "comments"}, Choose(include=Include(comments=True))),
        ({"include": '["bodyText", "comments"]'}, Choose(include=Include(body_text=True, comments=True))),
        ({"include": {"bodyText": True}}, Choose(include=Include(body_text=True))),
        ({"sections": {"body": True, "card": False}}, Choose(sections=["body"])),
        ({"sections": '{"card": true}'}, Choose(sections=["card"])),
        ({"sections": "card"}, Choose(sections=["card"])),
        ({"section": ["card"]}, Choose(section="card")),
        ({"section": {"card": True}}, Choose(section="card")),
    ],
)
def test_what_is_wanted_may_be_named_or_switched_on(said: dict[str, object], meant: Choose) -> None:
    assert parse(Choose, said, tool="things.choose") == meant


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ({"include": ["nothing"]}, "include.nothing"),
        ({"include": [1]}, "include"),
        ({"section": ["body", "card"]}, "section"),
        ({"section": {"card": 1}}, "section"),
    ],
)
def test_what_is_not_there_can_be_neither_named_nor_switched_on(said: dict[str, object], wrong: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(Choose, said, tool="things.choose")

    assert set(refused.value.issues or ()) == {wrong}


def read(**arguments: object) -> Write:
    return parse(Write, arguments, tool="things.write")


def test_a_list_that_only_holds_null_was_not_given() -> None:
    assert read(ids=["null"]).ids is None


def test_null_within_a_model_means_the_same_whether_or_not_something_else_needs_mending() -> None:
    link = {"targetId": "t", "comment": "null"}

    alone, beside_a_mistake = read(link=link), read(link=link, ids="a")

    assert alone.link == beside_a_mistake.link == Link(target_id="t")


def test_null_within_a_list_of_models_is_not_given() -> None:
    assert read(links=[{"targetId": "t", "comment": "null"}]).links == [Link(target_id="t")]


def test_metadata_among_the_arguments_is_nobodys_business() -> None:
    assert read(_meta={"progressToken": 1}, ids=["a"]).ids == ["a"]


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        ({"ids": "a"}, Write(ids=["a"])),
        ({"ids": '["a", "b"]'}, Write(ids=["a", "b"])),
        ({"link": '{"targetId": "t"}'}, Write(link=Link(target_id="t"))),
        ({"links": ['{"targetId": "t"}']}, Write(links=[Link(target_id="t")])),
        ({"links": {"targetId": "t"}}, Write(links=[Link(target_id="t")])),
        ({"tags": "a"}, Write(tags=["a"])),
    ],
)
def test_what_is_annotated_further_in_is_mended_too(arguments: dict[str, object], meant: Write) -> None:
    assert read(**arguments) == meant


def test_a_flood_of_mistakes_is_refused_without_listing_them() -> None:
    with pytest.raises(InvalidInput) as refused:
        read(links=[1] * 2000)

    assert list(refused.value.issues or {}) == ["arguments"]


def test_a_text_of_the_wrong_form_is_explained_by_what_the_field_is_for() -> None:
    with pytest.raises(InvalidInput) as refused:
        read(code="A1")

    assert "Lower-case letters." in (refused.value.issues or {})["code"]
