"""Declarations compile into data that can be found by either spelling, or not at all."""

import json
from typing import Annotated

import pytest
from pydantic import Field

from forge.context import Context
from forge.contract.catalog import Catalog
from forge.contract.compiler import compile_catalog
from forge.contract.models import Model, NoArguments
from forge.contract.profiles import Selection
from forge.contract.schema import NotPortable
from forge.contract.terms import Effect, Scope, Surface
from forge.contract.tools import Namespace
from infra.openapi import openapi_document


class Find(Model):
    text: Annotated[str, Field(description="What to look for.")]


class Unportable(Model):
    value: int | str


def find_all(request: Find, ctx: Context) -> NoArguments:
    """Find everything."""
    return NoArguments()


def careless(request: Unportable, ctx: Context) -> NoArguments:
    """Take what can't be published."""
    return NoArguments()


# Where a folder's tools are declared, which is never a test.
find_all.__module__ = careless.__module__ = "functions.things.tools"


def a_namespace(name: str, *tools: str, bare_names: bool = False) -> Namespace:
    namespace = Namespace(name, "A namespace.", bare_names=bare_names)
    for tool in tools:
        namespace.tool(scopes=[], effect=Effect.READ_ONLY, name=tool)(find_all)
    return namespace


def test_a_declaration_becomes_one_entry_of_plain_data() -> None:
    namespace = Namespace("things", "Things.", surface=Surface.ADMIN)
    namespace.tool(scopes=[Scope.ADMIN, Scope.READ_USERS], effect=Effect.EXTERNAL_EXEC)(find_all)

    document = compile_catalog([namespace])

    assert document["tools"] == [
        {
            "name": "things.findAll",
            "namespace": "things",
            "module": "functions.things.tools",
            "attribute": "find_all",
            "surface": "admin",
            "effect": "EXTERNAL_EXEC",
            "scopes": ["ADMIN", "READ_USERS"],
            "description": "Find everything.",
            "inputSchema": {
                "type": "object",
                "properties": {"text": {"type": "string", "description": "What to look for."}},
                "required": ["text"],
            },
            "annotations": {
                "readOnlyHint": False,
                "destructiveHint": False,
                "idempotentHint": False,
                "openWorldHint": True,
            },
            "isUnnarrowed": True,
        }
    ]


def test_entries_are_in_the_order_of_their_names() -> None:
    namespaces = [a_namespace("zebras", "get"), a_namespace("ants", "put", "get")]

    document = compile_catalog(namespaces)

    assert [entry["name"] for entry in document["tools"]] == ["ants.get", "ants.put", "zebras.get"]


def test_what_is_compiled_can_be_found_again() -> None:
    document = compile_catalog([a_namespace("ants", "getAll")])

    catalog = Catalog.from_document(document)

    assert catalog.get("ants_getAll") is catalog.get("ants.getAll")


def an_alias(name: str, alias: str) -> Namespace:
    namespace = Namespace("aliased", "Tools with other names.", bare_names=True)
    namespace.tool(scopes=[], effect=Effect.READ_ONLY, name=name, aliases=(alias,))(find_all)
    return namespace


def test_a_tool_answers_to_its_aliases_and_is_listed_by_none() -> None:
    catalog = Catalog.from_document(compile_catalog([an_alias("state_of_it", "state")]))

    assert catalog.get("state") is catalog.get("state_of_it")
    assert [tool.name for tool in catalog.tools] == ["state_of_it"]


@pytest.mark.parametrize(
    ("surface", "answered"),
    [(Surface.MCP, {"things.seek", "things_seek"}), (Surface.ADMIN, {"things.seek"})],
    ids=["agents'", "operators'"],
)
def test_a_renamed_tool_answers_to_what_it_was_called(surface: Surface, answered: set[str]) -> None:
    namespace = Namespace("things", "Things.", surface=surface)
    namespace.tool(scopes=[], effect=Effect.READ_ONLY, aliases=("things.seek",))(find_all)
    catalog = Catalog.from_document(compile_catalog([namespace]))

    found = {name for name in ("things.seek", "things_seek") if catalog.find(name)}

    assert found == answered


def test_what_to_use_instead_of_a_deprecated_tool_is_shown_wherever_it_is() -> None:
    namespace = Namespace("things", "Things.")
    namespace.tool(scopes=[], effect=Effect.READ_ONLY, deprecated="use things.list")(find_all)
    catalog = Catalog.from_document(compile_catalog([namespace]))

    (listed,) = json.loads(
        catalog.listing(Selection(namespaces=frozenset({"things"}), canonical_names=True), frozenset())
    )
    published = openapi_document([namespace])["paths"]["/api/mcp/things.findAll"]["post"]

    said = "Deprecated: use things.list. Find everything."
    assert listed["description"] == catalog.get("things.findAll").description == said
    assert published["summary"] == said
    assert published["deprecated"]


@pytest.mark.parametrize(
    "namespaces",
    [
        pytest.param([a_namespace("a", "b_c"), a_namespace("a_b", "c")], id="two namespaces"),
        pytest.param([a_namespace("abc", "d.e", "d_e")], id="one namespace"),
        pytest.param(
            [a_namespace("abc", "def"), a_namespace("x", "abc_def", bare_names=True)],
            id="a bare name",
        ),
        pytest.param([a_namespace("abc", "def"), a_namespace("abc", "def")], id="one name twice"),
        pytest.param([a_namespace("abc", "def"), an_alias("other", "abc_def")], id="another's alias"),
    ],
)
def test_two_tools_with_one_portable_name_do_not_compile(namespaces: list[Namespace]) -> None:
    with pytest.raises(TypeError):
        compile_catalog(namespaces)


def test_an_input_that_can_not_be_published_does_not_compile() -> None:
    namespace = Namespace("things", "Things.")
    namespace.tool(scopes=[], effect=Effect.READ_ONLY)(careless)

    with pytest.raises(NotPortable):
        compile_catalog([namespace])


def test_no_namespaces_make_an_empty_catalog() -> None:
    assert compile_catalog([]) == {"tools": []}
