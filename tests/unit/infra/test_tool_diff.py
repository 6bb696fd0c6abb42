"""Whoever reads a pull request sees what it does to callers."""

from collections.abc import Mapping
from typing import Any

import pytest

from infra.tool_diff import differences, report

Document = Mapping[str, Any]


def a_tool(name: str = "issues.list", **changed: Any) -> Document:
    entry = {
        "name": name,
        "scopes": ["READ_ISSUES"],
        "effect": "READ_ONLY",
        "description": "List issues.\n\nAnd more.",
        "inputSchema": a_schema(),
    }
    return {"tools": [entry | changed]}


def a_schema(*required: str, **properties: Any) -> dict[str, Any]:
    known = {"order": {"type": "string", "enum": ["asc", "desc"]}, "rows": {"type": "integer"}}
    return {"type": "object", "properties": known | properties, "required": list(required)}


TEXT = {"type": "string"}
LESS = {"type": "object", "properties": {"order": TEXT}}
WITH_A_LIST = {"type": "array", "items": {"type": "object", "properties": {"at": TEXT}}}
WITHOUT_ITS_FIELD = {"type": "array", "items": {"type": "object", "properties": {}}}


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        pytest.param(a_tool(), {"tools": []}, id="a tool is gone"),
        pytest.param(a_tool(), a_tool("issues.all"), id="a tool is renamed, and nothing answers to its name"),
        pytest.param(a_tool(), a_tool(scopes=["READ_ISSUES", "ADMIN"]), id="another scope"),
        pytest.param(a_tool(), a_tool(inputSchema=LESS), id="a field is gone"),
        pytest.param(a_tool(), a_tool(inputSchema=a_schema("rows")), id="a field is required"),
        pytest.param(a_tool(), a_tool(inputSchema=a_schema("new", new=TEXT)), id="a new one is"),
        pytest.param(a_tool(), a_tool(inputSchema=a_schema(rows=TEXT)), id="another type"),
        pytest.param(
            a_tool(), a_tool(inputSchema=a_schema(order=TEXT | {"enum": ["asc"]})), id="a choice is gone"
        ),
        pytest.param(
            a_tool(inputSchema=a_schema(name=TEXT)),
            a_tool(inputSchema=a_schema(name=TEXT | {"enum": ["Ada"]})),
            id="only some values",
        ),
        pytest.param(
            a_tool(inputSchema=a_schema(times=WITH_A_LIST)),
            a_tool(inputSchema=a_schema(times=WITHOUT_ITS_FIELD)),
            id="a field of an item is gone",
        ),
    ],
)
def test_what_breaks_a_caller_is_marked(older: Document, newer: Document) -> None:
    assert any(one.is_breaking for one in differences(older, newer))


@pytest.mark.parametrize(
    "newer",
    [
        pytest.param(a_tool("issues.all", aliases=["issues.list"]), id="renamed, and answers as before"),
        pytest.param({"tools": [*a_tool()["tools"], *a_tool("issues.get")["tools"]]}, id="one more tool"),
        pytest.param(a_tool(scopes=[]), id="fewer scopes"),
        pytest.param(a_tool(description="Deprecated: use issues.all. List issues."), id="deprecated"),
        pytest.param(a_tool(inputSchema=a_schema(new=TEXT)), id="one more field"),
        pytest.param(a_tool(inputSchema=a_schema(rows={"type": "number"})), id="a wider type"),
        pytest.param(a_tool(inputSchema=a_schema(order=TEXT)), id="any value"),
    ],
)
def test_what_breaks_nobody_is_told_as_well(newer: Document) -> None:
    found = list(differences(a_tool(), newer))

    assert found
    assert not any(one.is_breaking for one in found)


def test_what_breaks_comes_first_in_the_report() -> None:
    newer = {"tools": [*a_tool("a.first")["tools"], *a_tool(inputSchema=LESS)["tools"]]}

    first, second, *_ = report(list(differences(a_tool(), newer))).splitlines()[2:]

    assert ("issues.list" in first, "breaks" in first) == (True, True)
    assert ("a.first" in second, "breaks" in second) == (True, False)


def test_the_same_catalog_has_nothing_to_report() -> None:
    assert list(differences(a_tool(), a_tool())) == []
