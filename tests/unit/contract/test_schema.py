"""The published schema says only what every client understands, or is not published at all."""

from datetime import date, datetime
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field, WithJsonSchema, create_model

from forge.contract.models import Model, NoArguments, NullIsAValue
from forge.contract.schema import KEYWORDS, NotPortable, portable_schema, rare_paths


class Priority(StrEnum):
    LOW = "LOW"
    HIGH = "HIGH"


class Level(IntEnum):
    FIRST = 1


class Mixed(Enum):
    TEXT = "a"
    NUMBER = 1


class Link(Model):
    """Words for whoever reads the code."""

    target_id: Annotated[str, Field(description="What it points to.")]
    comment: str | None = None


class Tree(Model):
    children: list["Tree"]


class Depth4(Model):
    value: str


class Depth3(Model):
    inner: Depth4


class Depth2(Model):
    inner: Depth3


class Depth1(Model):
    inner: Depth2


class Depth0(Model):
    inner: Depth1


class RareLink(Model, rare=["comment"]):
    target_id: str
    comment: str | None = None


class Chain(Model, rare=["colour"]):
    links: list[RareLink] | None = None
    colour: str | None = None


def published(annotation: Any, default: Any = ...) -> dict[str, Any]:
    """The node that a field `field` of this type gets."""
    schema = portable_schema(create_model("Order", __base__=Model, field=(annotation, default)))
    node: dict[str, Any] = schema["properties"]["field"]
    return node


@pytest.mark.parametrize(
    ("annotation", "node"),
    [
        (str, {"type": "string"}),
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (bool, {"type": "boolean"}),
        (str | None, {"type": "string"}),
        (list[str], {"type": "array", "items": {"type": "string"}}),
        (list[str] | None, {"type": "array", "items": {"type": "string"}}),
        (frozenset[str], {"type": "array", "items": {"type": "string"}}),
        (tuple[str, ...], {"type": "array", "items": {"type": "string"}}),
        (dict[str, Any], {"type": "object"}),
        (dict[str, int], {"type": "object"}),
        (Priority, {"type": "string", "enum": ["LOW", "HIGH"]}),
        (Priority | None, {"type": "string", "enum": ["LOW", "HIGH"]}),
        (list[Priority], {"type": "array", "items": {"type": "string", "enum": ["LOW", "HIGH"]}}),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (Literal["a"], {"type": "string", "enum": ["a"]}),
        (Literal["a"] | None, {"type": "string", "enum": ["a"]}),
        (Annotated[str | None, NullIsAValue()], {"type": "string"}),
    ],
)
def test_a_type_is_published_as_one_plain_node(annotation: Any, node: dict[str, Any]) -> None:
    assert published(annotation) == node


def test_a_nested_model_is_published_in_place_without_its_own_docstring() -> None:
    node = published(Annotated[Link | None, Field(description="A link.")], None)

    assert node == {
        "type": "object",
        "description": "A link.",
        "properties": {
            "targetId": {"type": "string", "description": "What it points to."},
            "comment": {"type": "string"},
        },
        "required": ["targetId"],
    }


def test_models_in_a_list_are_published_in_place() -> None:
    node = published(list[Link])

    assert node["items"]["required"] == ["targetId"]
    assert "description" not in node["items"]


def test_an_optional_field_is_one_that_is_not_required() -> None:
    model = create_model(
        "Order", __base__=Model, first=(str, ...), second=(str | None, None), third_name=(str | None, ...)
    )

    schema = portable_schema(model)

    assert schema["required"] == ["first", "thirdName"]


def test_an_input_without_fields_still_has_properties() -> None:
    assert portable_schema(NoArguments) == {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    ("annotation", "default", "facts"),
    [
        (Annotated[int, Field(ge=1, le=50)], 10, "(1-50, default 10)"),
        (Annotated[int, Field(ge=2)], ..., "(min 2)"),
        (Annotated[int, Field(le=9)], ..., "(max 9)"),
        (Annotated[float, Field(gt=0, lt=1)], ..., "(> 0, < 1)"),
        (Annotated[int, Field(ge=1, le=50)] | None, None, "(1-50)"),
        (Annotated[str, Field(min_length=1, max_length=80)], ..., "(max 80 chars)"),
        (Annotated[str, Field(min_length=2, max_length=8)], ..., "(2-8 chars)"),
        (Annotated[str | None, Field(max_length=5)], None, "(max 5 chars)"),
        (Annotated[list[str], Field(min_length=1, max_length=3)], ..., "(max 3 items)"),
        (datetime, ..., "(ISO-8601 time)"),
        (datetime | None, None, "(ISO-8601 time)"),
        (date, ..., "(ISO-8601 date)"),
        (bool, True, "(default true)"),
        (int, 0, "(default 0)"),
        (Priority, Priority.LOW, "(default LOW)"),
    ],
)
def test_bounds_format_and_default_move_into_the_description(
    annotation: Any, default: Any, facts: str
) -> None:
    node = published(annotation, default)

    assert node["description"] == facts
    assert set(node) <= KEYWORDS


def test_facts_follow_the_words_of_the_author() -> None:
    node = published(Annotated[int, Field(ge=1, le=50, description="How many.")], 10)

    assert node["description"] == "How many. (1-50, default 10)"


@pytest.mark.parametrize("default", [None, "", [], {}])
def test_an_empty_default_goes_without_saying(default: Any) -> None:
    node = published(str | None, default)

    assert "description" not in node


@pytest.mark.parametrize(
    "annotation",
    [
        Annotated[int, Field(ge=0)],
        Annotated[int, Field(ge=0, le=10**12)],
        Annotated[str, Field(min_length=1, max_length=300)],
    ],
)
def test_what_nobody_does_by_accident_is_not_warned_of(annotation: Any) -> None:
    assert "description" not in published(annotation)


def test_rare_fields_are_published_and_their_places_known() -> None:
    paths = rare_paths(Chain)

    assert paths == ["colour", "links.comment"]
    assert portable_schema(Chain)["properties"].keys() == {"links", "colour"}


def test_what_is_inside_a_rare_field_has_no_place_of_its_own() -> None:
    hidden = create_model("Hidden", __base__=Chain, __cls_kwargs__={"rare": ["links"]})

    assert rare_paths(hidden) == ["colour", "links"]


def test_bounds_of_items_are_said_of_the_items() -> None:
    node = published(list[Annotated[str, Field(max_length=4)]])

    assert node["items"] == {"type": "string", "description": "(max 4 chars)"}


@pytest.mark.parametrize(
    "annotation",
    [
        pytest.param(int | str, id="union"),
        pytest.param(int | str | None, id="optional union"),
        pytest.param(Link | Depth4, id="union of models"),
        pytest.param(Decimal, id="hidden union"),
        pytest.param(list[int | str], id="union in a list"),
        pytest.param(Any, id="no type"),
        pytest.param(list[Any], id="untyped items"),
        pytest.param(tuple[str, int], id="positional items"),
        pytest.param(Level, id="integer enum"),
        pytest.param(Mixed, id="mixed enum"),
        pytest.param(Literal[1], id="integer literal"),
        pytest.param(Literal["a", 1], id="mixed literal"),
        pytest.param(Literal["a", None], id="literal with null"),
        pytest.param(Annotated[Any, WithJsonSchema({"type": ["string", "null"]})], id="two types by hand"),
        pytest.param(Annotated[Any, WithJsonSchema({"type": "array"})], id="untyped items by hand"),
        pytest.param(Annotated[Any, WithJsonSchema({"oneOf": [{"type": "string"}]})], id="oneOf by hand"),
        pytest.param(Annotated[Any, WithJsonSchema({"allOf": [{"type": "string"}]})], id="allOf by hand"),
    ],
)
def test_what_some_client_would_refuse_is_not_published(annotation: Any) -> None:
    with pytest.raises(NotPortable):
        published(annotation)


@pytest.mark.parametrize(
    "name", ["items", "required", "enum", "properties", "$ref", "a-b", "a b", "", "n" * 65]
)
def test_a_field_name_that_some_provider_would_refuse_is_not_published(name: str) -> None:
    model = create_model("Order", __base__=Model, field=(str, Field(alias=name)))

    with pytest.raises(NotPortable):
        portable_schema(model)


def test_a_reserved_name_is_refused_at_any_depth() -> None:
    inner = create_model("Inner", __base__=Model, items=(list[str], ...))

    with pytest.raises(NotPortable):
        published(list[inner])


def test_a_recursive_model_is_not_published() -> None:
    with pytest.raises(NotPortable):
        portable_schema(Tree)


def test_four_levels_below_the_root_are_published_and_five_are_not() -> None:
    deepest = portable_schema(Depth1)["properties"]["inner"]["properties"]["inner"]["properties"]["inner"]

    assert deepest["properties"]["value"] == {"type": "string"}
    with pytest.raises(NotPortable):
        portable_schema(Depth0)


def test_the_author_may_say_what_is_published_for_a_union() -> None:
    node = published(
        Annotated[int | str, WithJsonSchema({"type": "string"}), Field(description="A number or a name.")]
    )

    assert node == {"type": "string", "description": "A number or a name."}


def test_what_the_author_says_is_held_to_the_same_keywords() -> None:
    by_hand = {"type": "object", "additionalProperties": True, "properties": {"at": {"type": "string"}}}

    node = published(Annotated[Any, WithJsonSchema(by_hand)])

    assert node == {"type": "object", "properties": {"at": {"type": "string"}}}


def test_publishing_does_not_change_what_is_validated() -> None:
    before = Link.model_json_schema()

    portable_schema(Link)

    assert Link.model_json_schema() == before
