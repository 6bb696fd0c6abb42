"""Every list a client can ask for holds only what every client and provider accepts."""

import importlib
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from forge.contract.catalog import load_catalog
from forge.contract.profiles import DEFAULT_PROFILE, Selection
from forge.contract.terms import Scope
from forge.contract.tools import AnyTool
from forge.wire.identity import instructions_for
from infra.generate import REFERENCE
from infra.registry import find_namespaces, find_tools
from tests.contract.published import (
    Entry,
    Node,
    compiled,
    every_selection,
    listing,
    listing_text,
    nodes,
    selection_id,
)

# Repeated here on purpose: a slip in the publisher must not move the line it is held to.
PORTABLE_KEYWORDS = {"type", "description", "properties", "required", "items", "enum"}
PORTABLE_TYPES = {"object", "array", "string", "integer", "number", "boolean"}
PORTABLE_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_]{2,39}")
FIELD_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")
RESERVED_FIELD_NAMES = {"properties", "items", "required", "enum"}
MAX_DEPTH = 4
MAX_DESCRIPTION = 1000
MAX_DEFAULT_TOOLS = 25
MAX_INSTRUCTIONS = 2_000
_NAMED = re.compile(r"\b[a-zA-Z]+(?:[._][a-zA-Z]+)+\b")
_CALLED = re.compile(r"\b((?:[a-z]+(?:\.[a-zA-Z]+)+)|(?:pipeline_[a-z_]+))\b(?= \{|`| |:|,)")
PROTOCOL_DEFAULTS = {
    "readOnlyHint": False,
    "destructiveHint": True,
    "idempotentHint": False,
    "openWorldHint": True,
}

ALL_TOOLS = find_tools()


def every_entry() -> Iterator[tuple[str, Entry]]:
    """Each entry of each list, and what to call it."""
    for selection in every_selection():
        for entry in listing(selection):
            yield f"{selection_id(selection)}: {entry['name']}", entry


def every_node() -> Iterator[Node]:
    for name, entry in every_entry():
        yield from nodes(entry["inputSchema"], path=name)


def test_schemas_use_only_portable_keywords_and_one_type_per_node() -> None:
    for path, schema, depth in every_node():
        assert set(schema) <= PORTABLE_KEYWORDS, path
        assert isinstance(schema["type"], str), path
        assert schema["type"] in PORTABLE_TYPES, path
        assert depth <= MAX_DEPTH, path


def test_every_input_is_an_object_with_properties() -> None:
    for name, entry in every_entry():
        schema = entry["inputSchema"]
        assert schema["type"] == "object", name
        assert set(schema) <= {"type", "properties", "required"}, name
        assert isinstance(schema["properties"], dict), name


def test_objects_have_properties_or_are_open_and_arrays_have_typed_items() -> None:
    for path, schema, depth in every_node():
        assert "properties" not in schema or schema["type"] == "object", path
        # Adapters close an object whose properties are none; only a tool's input may have none.
        assert schema.get("properties") != {} or depth == 0, path
        assert ("items" in schema) is (schema["type"] == "array"), path
        assert set(schema.get("required", [])) <= set(schema.get("properties", {})), path


def test_enums_are_of_strings() -> None:
    for path, schema, _ in every_node():
        values = schema.get("enum", ["unused"])
        assert values, path
        assert all(isinstance(value, str) for value in values), path
        assert "enum" not in schema or schema["type"] == "string", path


def test_every_field_has_an_acceptable_name_and_a_description() -> None:
    for path, schema, _ in every_node():
        for name, child in schema.get("properties", {}).items():
            assert FIELD_NAME.fullmatch(name), path
            assert name not in RESERVED_FIELD_NAMES, path
            assert child.get("description", "").strip(), f"{path}.{name}"


def test_names_are_unique_and_in_one_order_and_spelt_as_asked() -> None:
    for selection in every_selection():
        names = [entry["name"] for entry in listing(selection)]
        tools = [compiled().get(name) for name in names]

        canonical = [tool.name for tool in tools]
        wanted = canonical if selection.canonical_names else [tool.portable_name for tool in tools]
        assert len(set(names)) == len(names), selection
        assert canonical == sorted(canonical), selection
        assert names == wanted, selection
        assert names == [entry["name"] for entry in listing(selection)], selection


def test_portable_names_are_portable() -> None:
    names = [compiled().get(entry["name"]).portable_name for _, entry in every_entry()]

    assert [name for name in names if "__" in name or not PORTABLE_NAME.fullmatch(name)] == []


def test_descriptions_are_there_and_short_enough() -> None:
    for name, entry in every_entry():
        assert 1 <= len(entry["description"]) <= MAX_DESCRIPTION, name


def test_every_tool_is_annotated_and_every_write_fully() -> None:
    for name, entry in every_entry():
        # What a shorter list does not say, the protocol has clients assume.
        unsaid = PROTOCOL_DEFAULTS if "full-" not in name else {}
        said = entry["annotations"]
        full = compiled().get(entry["name"]).annotations
        hints: dict[str, Any] = {hint: said.get(hint, unsaid.get(hint)) for hint in full}
        assert hints == full, name
        is_read = hints["readOnlyHint"]
        expected = {"readOnlyHint", "openWorldHint"}
        expected |= set() if is_read else {"destructiveHint", "idempotentHint"}
        assert set(hints) == expected, name
        assert all(isinstance(value, bool) for value in hints.values()), name


def test_nothing_in_a_list_is_a_reference_or_null() -> None:
    for selection in every_selection():
        text = listing_text(selection)
        for forbidden in ('"$', '"anyOf"', '"oneOf"', '"allOf"', '"type":"null"', '"type":[', ":null"):
            assert forbidden not in text, selection


def test_the_default_list_is_small_enough_to_send_with_every_prompt() -> None:
    text = listing_text(Selection())

    assert len(json.loads(text)) <= MAX_DEFAULT_TOOLS


def test_the_default_list_is_the_default_profile() -> None:
    assert listing_text(Selection()) == listing_text(Selection(profile=DEFAULT_PROFILE))


@pytest.mark.parametrize("tool", ALL_TOOLS, ids=str)
def test_a_tool_is_published_as_declared_with_an_example_that_it_would_take(tool: AnyTool) -> None:
    entry = compiled().get(tool.name, surface=tool.surface)
    _, found, after = tool.description.partition("Example: ")

    assert found
    example, _ = json.JSONDecoder().raw_decode(after)
    assert isinstance(example, dict)
    tool.input.model_validate(example, by_name=False)
    assert all(isinstance(scope, Scope) for scope in tool.scopes)
    assert len(set(tool.scopes)) == len(tool.scopes)
    assert getattr(importlib.import_module(entry.module), entry.attribute) is tool


def test_the_catalog_that_ships_is_what_is_declared() -> None:
    assert load_catalog().tools == compiled().tools


@pytest.mark.parametrize("folder", find_namespaces())
def test_a_namespace_has_a_page_that_shows_each_of_its_tools(folder: str) -> None:
    namespace = find_namespaces()[folder]
    page = (REFERENCE / f"{folder}.md").read_text(encoding="utf-8")

    headings = set(re.findall(r"^## (.+)$", page, re.MULTILINE))
    assert set(namespace.tools) <= headings


def test_a_namespace_is_declared_once() -> None:
    names = [namespace.name for namespace in find_namespaces().values()]

    assert len(names) == len(set(names))


@pytest.mark.parametrize("profile", ["runtime", "pipeline", "backlog"])
def test_the_instructions_of_a_list_fit_in_what_clients_keep_and_name_only_its_tools(profile: str) -> None:
    text = instructions_for(Selection(profile))
    listed = {one["name"] for one in json.loads(compiled().listing(Selection(profile), frozenset(Scope)))}
    others = {"pipeline_init"} if profile == "runtime" else set()

    mentioned = {name for name in _NAMED.findall(text) if compiled().find(name)}

    assert len(text) <= MAX_INSTRUCTIONS
    assert mentioned
    assert {compiled().get(name).portable_name for name in mentioned} - others <= listed


def test_instructions_name_only_tools_that_exist() -> None:
    texts = [instructions_for(Selection(name)) for name in ("runtime", "pipeline", "backlog")]

    mentioned = {name for text in texts for name in _CALLED.findall(text)}

    assert {"pipeline_next_action", "pipeline_list", "catalog.call"} <= mentioned
    assert [name for name in mentioned if compiled().find(name) is None] == []
