"""What the OpenAPI document rules out is refused by every tool, and the field that is wrong is named."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from forge.contract.terms import Surface
from forge.contract.tools import AnyTool
from forge.errors import InvalidInput
from forge.wire.web import OPENAPI_FILE
from tests.contract.stage import ALL_TOOLS

Node = dict[str, Any]

# Texts, too, stand for numbers, lists and objects where they can be read as such: these can't.
OF_ANOTHER_TYPE = {
    "string": {"not": "a text"},
    "integer": "many",
    "number": "many",
    "boolean": "perhaps",
    "array": {"not": "a list"},
    "object": 7,
}
NO_PATTERN = "\n \t"

PASSED_OVER = {"external_context"}
"""What others wrote, of which as much is taken as can be read."""

NAMED_ELSEWHERE = {"mimeType"}
"""What is one of a list that the description names."""

NAMING_WHAT_IS_THERE = {"catalog.call", "pipeline_get_artifact", "pipeline_put_artifact"}
"""Their `name` is looked up, not kept."""


@cache
def document() -> Node:
    """As it ships, so that a bound which moves is noticed here and in the difference of that file."""
    found: Node = json.loads(OPENAPI_FILE.read_text())
    return found


def resolved(node: Node) -> Node:
    """Without references, and without saying that it may be nothing at all."""
    while "$ref" in node:
        node = document()["components"]["schemas"][node["$ref"].rpartition("/")[2]]
    (*kinds,) = [one for one in node.get("anyOf", ()) if one.get("type") != "null"]
    return resolved(kinds[0]) if len(kinds) == 1 else node


def form_of(tool: AnyTool) -> Node:
    prefix = "/api/mcp/" if tool.surface is Surface.MCP else "/api/admin/"
    operation = document()["paths"][f"{prefix}{tool.name}"]["post"]
    return resolved(operation["requestBody"]["content"]["application/json"]["schema"])


def wrong_values(node: Node) -> Iterator[Any]:
    """Each breaks one of the rules for a field, and no other."""
    if node.get("type") in OF_ANOTHER_TYPE:
        yield OF_ANOTHER_TYPE[node["type"]]
    if "enum" in node:
        yield "NONE_OF_THESE"
    if "pattern" in node or "format" in node:
        yield NO_PATTERN
    if node.get("minLength"):
        yield "x" * (node["minLength"] - 1)
    if "maxLength" in node:
        yield "x" * (node["maxLength"] + 1)
    if "minimum" in node:
        yield node["minimum"] - 1
    if "maximum" in node:
        yield node["maximum"] + 1
    if "items" in node:
        yield from wrong_lists(node)
    yield from (wrong for _, wrong in wrong_objects(node))


def wrong_lists(node: Node) -> Iterator[list[Any]]:
    if node.get("minItems"):
        yield []
    if "maxItems" in node:
        yield ["x"] * (node["maxItems"] + 1)
    yield from ([one] for one in wrong_values(resolved(node["items"])))


def wrong_objects(node: Node) -> Iterator[tuple[str, Node]]:
    """With the name of the field that is wrong in each."""
    for name, inner in node.get("properties", {}).items():
        yield from ((name, {name: wrong}) for wrong in wrong_values(resolved(inner)))
    yield from ((name, {}) for name in node.get("required", ()))
    if node.get("additionalProperties") is False:
        yield "nonsense", {"nonsense": True}


def values_at_the_edge(node: Node) -> Iterator[Any]:
    """The least and the most that the rules for a field allow."""
    yield from node.get("enum", ())
    yield from (node[edge] for edge in ("minimum", "maximum") if edge in node)
    if not node.keys() & {"enum", "pattern", "format"}:
        yield from ("x" * node[edge] for edge in ("minLength", "maxLength") if edge in node)


def issues_of(tool: AnyTool, arguments: Node) -> set[str]:
    try:
        tool.parse(arguments)
    except InvalidInput as refusal:
        return {path.split(".")[0] for path in refusal.issues or ()}
    return set()


def test_what_the_document_rules_out_is_refused_and_the_field_is_named() -> None:
    unnoticed = [
        (tool.name, name, str(wrong)[:60])
        for tool in ALL_TOOLS.values()
        for name, wrong in wrong_objects(form_of(tool))
        if name not in issues_of(tool, wrong) | PASSED_OVER
    ]

    assert unnoticed == []


def test_what_the_document_just_allows_is_taken() -> None:
    refused = [
        (tool.name, name, str(value)[:60])
        for tool in ALL_TOOLS.values()
        for name, inner in form_of(tool).get("properties", {}).items()
        for value in values_at_the_edge(resolved(inner))
        if name in issues_of(tool, {name: value}) - NAMED_ELSEWHERE
    ]

    assert refused == []


def test_blanks_are_no_text_wherever_somebody_writes_one() -> None:
    written = {"name", "title", "body", "prompt", "feedback", "rationale", "linkTitle"}
    taken = [
        (tool.name, name)
        for tool in ALL_TOOLS.values()
        for name, inner in form_of(tool).get("properties", {}).items()
        if name in written and resolved(inner).get("minLength")
        if name not in issues_of(tool, {name: " \n\t"}) and tool.name not in NAMING_WHAT_IS_THERE
    ]

    assert taken == []
