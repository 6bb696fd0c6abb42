"""What the declarations publish, as a client would receive it."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from forge.contract.catalog import Catalog
from forge.contract.compiler import compile_catalog
from forge.contract.profiles import PROFILES, Selection
from forge.contract.terms import Scope
from infra.registry import find_namespaces

ALL_SCOPES = frozenset(scope.value for scope in Scope)

Entry = dict[str, Any]


@cache
def compiled() -> Catalog:
    """The catalog as the declarations stand, whatever was generated last."""
    return Catalog.from_document(compile_catalog(find_namespaces().values()))


def listing_text(selection: Selection, scopes: frozenset[str] = ALL_SCOPES) -> str:
    return compiled().listing(selection, scopes)


def listing(selection: Selection, scopes: frozenset[str] = ALL_SCOPES) -> list[Entry]:
    entries: list[Entry] = json.loads(listing_text(selection, scopes))
    return entries


def every_selection() -> list[Selection]:
    """Each profile in both spellings."""
    return [
        Selection(profile=profile, canonical_names=canonical_names)
        for profile in PROFILES
        for canonical_names in (False, True)
    ]


def selection_id(selection: Selection) -> str:
    return f"{selection.profile}-{'canonical' if selection.canonical_names else 'portable'}"


class Node(NamedTuple):
    """A place in an input schema."""

    path: str
    schema: Mapping[str, Any]
    depth: int


def nodes(schema: Mapping[str, Any], *, path: str = "input", depth: int = 0) -> Iterator[Node]:
    """The schema and every schema inside it."""
    yield Node(path, schema, depth)
    for name, child in schema.get("properties", {}).items():
        yield from nodes(child, path=f"{path}.{name}", depth=depth + 1)
    if "items" in schema:
        yield from nodes(schema["items"], path=f"{path}[]", depth=depth + 1)
