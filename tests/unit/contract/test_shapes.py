"""Whoever sends a wrong shape or an unknown choice is shown the right ones in a line."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from forge.contract.arguments import parse
from forge.contract.fields import Fields
from forge.contract.models import Model
from forge.contract.shapes import chosen, shape_of, wrong_choice
from forge.errors import InvalidInput


class Kind(StrEnum):
    IN_REVIEW = "IN_REVIEW"
    DONE = "DONE"


class Check(Model):
    label: str
    is_done: bool = False
    kind: Kind | None = None
    weights: list[float] = Field(default_factory=list)


class Report(Model):
    checks: list[Check] = Field(default_factory=list)
    first: Check | None = None
    kind: Kind = Kind.DONE
    before: datetime | None = None
    cursor: str | None = None
    fields: Fields = None


CHECK = '{"label": text, "isDone"?: true or false, "kind"?: IN_REVIEW|DONE, "weights"?: [number, …]}'


def issues_of(**arguments: object) -> dict[str, str]:
    with pytest.raises(InvalidInput) as caught:
        parse(Report, arguments, tool="work.report")
    return dict(caught.value.issues or {})


@pytest.mark.parametrize(
    ("annotation", "shape"),
    [
        (Annotated[Check | None, Field(description="x")], CHECK),
        (list[Check], f"[{CHECK}, …]"),
        (Literal["a", "b"], "a|b"),
        (datetime | None, "ISO-8601 time"),
        (bool | Check, f"true or false or {CHECK}"),
        (dict[str, Any], "object"),
    ],
)
def test_a_shape_is_one_line(annotation: Any, shape: str) -> None:
    assert shape_of(annotation) == shape


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"checks": ["Tests pass"]}, "checks.0"),
        ({"checks": [{"label": "x"}, {"text": "y"}]}, "checks.1.label"),
        ({"first": "Tests pass"}, "first"),
        ({"first": {"name": "Tests pass"}}, "first.label"),
    ],
)
def test_a_wrong_nested_shape_shows_the_right_one_once(arguments: dict[str, Any], named: str) -> None:
    issues = issues_of(**arguments)

    assert CHECK in issues[named]
    assert sum(CHECK in issue for issue in issues.values()) == 1


def test_a_flat_field_needs_no_shape() -> None:
    assert "Expected" not in issues_of(cursor=5)["cursor"]


@pytest.mark.parametrize("given", ["in_review", "In Review", "in-review", " IN_REVIEW"])
def test_a_choice_is_known_however_it_is_written(given: str) -> None:
    assert chosen(Kind | None, given) == "IN_REVIEW"
    assert (
        parse(Report, {"kind": given, "checks": [{"label": "x", "kind": given}]}, tool="t").kind
        is Kind.IN_REVIEW
    )


def test_an_unknown_choice_gets_the_closest_and_all_others() -> None:
    assert issues_of(kind="REVIEW") == {"kind": "Did you mean IN_REVIEW? Known: IN_REVIEW, DONE."}
    assert issues_of(kind=5)["kind"] == wrong_choice(["IN_REVIEW", "DONE"], 5)
    assert "Known: IN_REVIEW, DONE." in issues_of(first={"label": "x", "kind": "zzz"})["first.kind"]


def test_a_cursor_under_before_is_told_where_it_goes() -> None:
    assert "cursor" in issues_of(before="eyJwIjoiMSJ9")["before"]


@pytest.mark.parametrize(
    "given", ["id,title", "id, title,", ["id,title"], ["id", "title"], '["id", "title"]', ["id, ", "title"]]
)
def test_fields_may_be_one_text_with_commas(given: object) -> None:
    assert parse(Report, {"fields": given}, tool="t").fields == ["id", "title"]


class HowMany(Model):
    limit: Annotated[int, Field(le=100)] = 20


class Read(Model):
    comments: bool | HowMany = False
    check: Check | None = None


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        ({"comments": {"limit": 101}}, {"comments.limit"}),
        ({"comments": {"limits": 1}}, {"comments.limits"}),
        ({"comments": 5}, {"comments"}),
        ({"check": "Tests pass"}, {"check"}),
    ],
)
def test_what_is_wrong_has_the_callers_names_and_none_of_ours(
    arguments: dict[str, object], wrong: set[str]
) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse(Read, arguments, tool="issues.read")

    issues = refused.value.issues or {}
    assert set(issues) == wrong
    assert not any(name in f"{issues}" for name in ("HowMany", "instance of"))
