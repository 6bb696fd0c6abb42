"""Arguments are mended where the meaning is plain, and refused by name where it is not."""

from enum import StrEnum
from typing import Annotated, Any

import pytest
from pydantic import Field

from forge.contract.arguments import parse
from forge.contract.models import Model, NoArguments, NullIsAValue
from forge.errors import ErrorCode, InvalidInput


class Priority(StrEnum):
    LOW = "LOW"
    HIGH = "HIGH"


class Link(Model):
    target_id: str
    weights: list[int] = Field(default_factory=list)
    comment: str | None = None


class PlanWork(Model):
    title: Annotated[str, Field(min_length=1, max_length=300)]
    priority: Priority = Priority.LOW
    estimate: int = 5
    ratio: float | None = None
    is_urgent: bool = False
    label_ids: list[str] | None = None
    watcher_ids: frozenset[str] = frozenset()
    link: Link | None = None
    links: list[Link] = Field(default_factory=list)
    options: dict[str, Any] = Field(default_factory=dict)
    agent_id: Annotated[str | None, NullIsAValue()] = None


def plan(**arguments: object) -> PlanWork:
    return parse(PlanWork, {"title": "Ship", **arguments}, tool="work.plan")


def issues_of(arguments: dict[str, object], model: type[Model] = PlanWork) -> dict[str, str]:
    with pytest.raises(InvalidInput) as caught:
        parse(model, arguments, tool="work.plan")
    assert caught.value.code is ErrorCode.INVALID_INPUT
    return dict(caught.value.issues or {})


def given(request: Model) -> dict[str, object]:
    """What the caller is taken to have said, besides the title."""
    return {name: getattr(request, name) for name in request.model_fields_set - {"title"}}


@pytest.mark.parametrize(
    ("field", "sent", "understood"),
    [
        ("labelIds", '["a", "b"]', {"label_ids": ["a", "b"]}),
        ("labelIds", "[]", {"label_ids": []}),
        ("labelIds", [], {"label_ids": []}),
        ("labelIds", "a", {"label_ids": ["a"]}),
        ("labelIds", '["a"', {"label_ids": ['["a"']}),
        ("watcherIds", "a", {"watcher_ids": frozenset({"a"})}),
        ("link", '{"targetId": "t"}', {"link": Link(target_id="t")}),
        ("link", {"targetId": "t", "weights": "[3, 4]"}, {"link": Link(target_id="t", weights=[3, 4])}),
        ("link", {"targetId": "t", "weights": "3"}, {"link": Link(target_id="t", weights=[3])}),
        ("links", {"targetId": "t"}, {"links": [Link(target_id="t")]}),
        ("links", '{"targetId": "t"}', {"links": [Link(target_id="t")]}),
        ("links", '[{"targetId": "t"}]', {"links": [Link(target_id="t")]}),
        ("links", ['{"targetId": "t"}'], {"links": [Link(target_id="t")]}),
        ("options", '{"depth": 3}', {"options": {"depth": 3}}),
        ("estimate", "3", {"estimate": 3}),
        ("estimate", 3.0, {"estimate": 3}),
        ("ratio", "1.5", {"ratio": 1.5}),
        ("isUrgent", "true", {"is_urgent": True}),
        ("isUrgent", "false", {"is_urgent": False}),
        ("priority", "HIGH", {"priority": Priority.HIGH}),
        ("priority", " high", {"priority": Priority.HIGH}),
    ],
)
def test_a_value_of_the_wrong_kind_is_mended_when_its_meaning_is_plain(
    field: str, sent: object, understood: dict[str, object]
) -> None:
    request = plan(**{field: sent})

    assert given(request) == understood


@pytest.mark.parametrize("nothing", [None, "null"])
@pytest.mark.parametrize(
    "field", ["priority", "estimate", "ratio", "isUrgent", "labelIds", "watcherIds", "link", "options"]
)
def test_null_for_an_optional_field_means_not_given(field: str, nothing: object) -> None:
    assert given(plan(**{field: nothing})) == {}


@pytest.mark.parametrize("field", ["priority", "estimate", "ratio", "isUrgent", "link", "agentId"])
def test_a_list_of_the_text_null_means_not_given(field: str) -> None:
    assert given(plan(**{field: ["null"]})) == {}


@pytest.mark.parametrize(
    ("arguments", "understood"),
    [
        pytest.param({"agentId": None}, {"agent_id": None}, id="null where it is a value"),
        pytest.param({"agentId": "null"}, {}, id="the text null never clears"),
        pytest.param(
            {"options": {"a": None, "b": "null"}},
            {"options": {"a": None, "b": "null"}},
            id="null inside a free object",
        ),
        pytest.param({"agentId": '{"a": 1}'}, {"agent_id": '{"a": 1}'}, id="a text that looks like JSON"),
        pytest.param(
            {"labelIds": ["[1]", '"a"', "true"]}, {"label_ids": ["[1]", '"a"', "true"]}, id="well-formed"
        ),
    ],
)
def test_what_is_meant_as_it_stands_is_left_so(
    arguments: dict[str, object], understood: dict[str, object]
) -> None:
    assert given(plan(**arguments)) == understood


@pytest.mark.parametrize("title", ["null", '["a"]'])
def test_a_required_text_may_look_like_anything(title: str) -> None:
    assert plan(title=title, labelIds="a").title == title


def test_null_in_a_nested_model_means_not_given() -> None:
    request = plan(link={"targetId": "t", "weights": None})

    assert request.link is not None
    assert request.link.model_fields_set == {"target_id"}


@pytest.mark.parametrize(
    ("field", "sent", "named"),
    [
        ("estimate", "3.5", "estimate"),
        ("estimate", "many", "estimate"),
        ("estimate", "9" * 5000, "estimate"),
        ("estimate", {"value": 3}, "estimate"),
        ("ratio", "nan", "ratio"),
        ("ratio", "inf", "ratio"),
        ("ratio", "1e999", "ratio"),
        ("isUrgent", "perhaps", "isUrgent"),
        ("priority", "lowest", "priority"),
        ("labelIds", 5, "labelIds.0"),
        ("labelIds", ["a", None], "labelIds.1"),
        ("options", "depth", "options"),
        ("options", '{"depth": NaN}', "options"),
        ("options", [], "options"),
        ("link", "t", "link"),
        ("link", "[]", "link"),
        ("link", {}, "link.targetId"),
        ("link", {"target_id": "t", "targetId": "t"}, "link.target_id"),
        ("links", [{"targetId": "t"}, {"targetId": 5}], "links.1.targetId"),
        ("links", "[" * 200, "links.0"),
    ],
)
def test_a_value_beyond_mending_is_refused_by_its_path(field: str, sent: object, named: str) -> None:
    issues = issues_of({"title": "Ship", field: sent})

    assert list(issues) == [named]


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ("titel", "title"),
        ("Title", "title"),
        ("label_ids", "labelIds"),
        ("labelId", "labelIds"),
        ("is_urgent", "isUrgent"),
    ],
)
def test_an_unknown_field_is_refused_with_the_closest_known_one(sent: str, meant: str) -> None:
    issues = issues_of({"title": "Ship", sent: "x"})

    assert list(issues) == [sent]
    assert meant in issues[sent]


def test_an_unknown_field_like_no_other_is_told_all_that_there_are() -> None:
    issues = issues_of({"title": "Ship", "zzzzqqqq": 1})

    assert list(issues) == ["zzzzqqqq"]
    assert all(name in issues["zzzzqqqq"] for name in ("title", "estimate", "labelIds"))


@pytest.mark.parametrize("link", [{"targetId": "a", "weigth": []}, {"targetId": "a", "WEIGHT": []}])
def test_an_unknown_field_further_down_is_refused_with_the_closest_there(link: dict[str, object]) -> None:
    (path,) = issues = issues_of({"title": "Ship", "links": [link]})

    assert path.startswith("links.0.")
    assert "weights" in issues[path]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"title": None}, {"title"}),
        ({"estimate": "many", "ratio": "half"}, {"title", "estimate", "ratio"}),
    ],
)
def test_every_wrong_or_missing_field_is_named_at_once(arguments: dict[str, object], named: set[str]) -> None:
    assert set(issues_of(arguments)) == named


def test_a_tool_without_arguments_refuses_any() -> None:
    assert list(issues_of({"verbose": True}, NoArguments)) == ["verbose"]


def test_the_wire_knows_no_python_names() -> None:
    issues = issues_of({"title": "Ship", "label_ids": ["a"], "links": [{"target_id": "t"}]})

    assert {"label_ids", "links.0.target_id"} <= set(issues)


def test_python_builds_models_by_their_own_names() -> None:
    built = PlanWork(title="Ship", label_ids=["a"])

    assert built == plan(labelIds=["a"])


def test_a_flood_of_mistakes_gets_a_short_answer() -> None:
    issues = issues_of({f"field{number}": number for number in range(1000)})

    assert 1 <= len(issues) <= 20


@pytest.mark.parametrize("link", [{}, {"link": {"targetId": "t", "n" * 100_000: 1}}], ids=["flat", "deep"])
def test_a_long_unknown_name_is_cut_in_the_answer(link: dict[str, object]) -> None:
    with pytest.raises(InvalidInput) as caught:
        plan(**(link or {"n" * 100_000: 1}))

    assert len(str(caught.value.as_object("req_1"))) < 1000


def test_the_arguments_themselves_are_left_alone() -> None:
    arguments: dict[str, object] = {"title": "Ship", "estimate": None, "links": ['{"targetId": "t"}']}

    parse(PlanWork, arguments, tool="work.plan")

    assert arguments == {"title": "Ship", "estimate": None, "links": ['{"targetId": "t"}']}


def test_a_refusal_repeats_nothing_of_the_values() -> None:
    with pytest.raises(InvalidInput) as caught:
        plan(estimate="hunter2", ratio="hunter2", link={"targetId": 5, "comment": "hunter2"})

    assert "hunter2" not in str(caught.value.as_object("req_1"))


def test_a_refusal_says_where_the_schema_is() -> None:
    with pytest.raises(InvalidInput) as caught:
        plan(estimate="many")

    assert caught.value.hint is not None
    assert "work.plan" in caught.value.hint
