"""What namespaces offer besides tools: prompts, resources, and words that complete what somebody is typing.

`make generate` writes offers.json beside this file from the declarations. Few calls ask for any of it, so the
router starts without.
"""

import json
import os
import re
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from typing import Any, NamedTuple

from forge.contract.catalog_tools import CatalogTool
from forge.contract.prompts import Prompt
from forge.contract.terms import Effect, Surface
from forge.errors import NotFound

OFFERS_FILE = os.path.join(os.path.dirname(__file__), "offers.json")
SCHEME = "forge://"
_VARIABLE = re.compile(r"\{(\w+)\}")


class Completion(NamedTuple):
    """Words of the workspace: what `value` is in the rows of a list tool, called as who is typing.

    Rows fit whose value begins with what was typed, or in which a field of `also` has it somewhere. `query`:
    the argument by which the tool looks for words further than its first page. `without`: what values begin
    with that an address does not say.
    """

    name: str
    tool: str
    value: str
    also: tuple[str, ...] = ()
    arguments: Mapping[str, Any] = {}
    query: str = ""
    without: str = ""

    @classmethod
    def from_document(cls, entry: Mapping[str, Any]) -> "Completion":
        return cls(**{**entry, "also": tuple(entry["also"])})

    def document(self) -> dict[str, Any]:
        return {**self._asdict(), "also": list(self.also)}


class Resource(NamedTuple):
    """Something to read by its address. `module` and `attribute` say where its reader is declared."""

    uri: str
    """An address, or a template of addresses with variables such as `{id}`."""
    title: str
    description: str
    mime_type: str
    scopes: tuple[str, ...]
    namespace: str
    module: str
    attribute: str
    completes: Mapping[str, str] = {}
    """The completion of each variable."""

    @classmethod
    def from_document(cls, entry: Mapping[str, Any]) -> "Resource":
        return cls(**{**entry, "scopes": tuple(entry["scopes"])})

    def document(self) -> dict[str, Any]:
        return {**self._asdict(), "scopes": list(self.scopes), "completes": dict(self.completes)}

    @property
    def name(self) -> str:
        """`issue` of `forge://issue/{identifier}`."""
        return self.uri.removeprefix(SCHEME).partition("/")[0]

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(_VARIABLE.findall(self.uri))

    def mcp_entry(self) -> dict[str, str]:
        return {
            "uriTemplate" if self.variables else "uri": self.uri,
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "mimeType": self.mime_type,
        }

    def match(self, uri: str) -> dict[str, object] | None:
        """The variables of an address of this kind, or None for any other. The last may have slashes."""
        last = self.variables[-1] if self.variables else ""
        parts = _VARIABLE.split(self.uri)
        pattern = "".join(
            re.escape(part) if place % 2 == 0 else f"(?P<{part}>{'.+' if part == last else '[^/]+'})"
            for place, part in enumerate(parts)
        )
        found = re.fullmatch(pattern, uri)
        if found is None:
            return None
        from urllib.parse import unquote  # with the first resource that is read, and no earlier

        return {name: unquote(value) for name, value in found.groupdict().items()}

    def reader(self) -> CatalogTool:
        """As that which a switchboard runs: a tool that only reads, and has an address for a name."""
        return CatalogTool(
            name=self.uri,
            namespace=self.namespace,
            module=self.module,
            attribute=self.attribute,
            surface=Surface.RESOURCE,
            effect=Effect.READ_ONLY,
            scopes=self.scopes,
            description=self.description,
            input_schema={},
            rare=(),
            annotations={},
            portable_name=self.uri,
            required_scopes=frozenset(self.scopes),
        )


class Offers:
    """All of it, in one fixed order; what a key has not the scopes for is not there for it."""

    def __init__(
        self, prompts: Iterable[Prompt], resources: Iterable[Resource], completions: Iterable[Completion]
    ) -> None:
        self.prompts = {prompt.name: prompt for prompt in prompts}
        self.resources = {resource.uri: resource for resource in resources}
        self.completions = {completion.name: completion for completion in completions}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> "Offers":
        return cls(
            map(Prompt.from_document, document["prompts"]),
            map(Resource.from_document, document["resources"]),
            map(Completion.from_document, document["completions"]),
        )

    @cached_property
    def readers(self) -> dict[str, CatalogTool]:
        return {uri: resource.reader() for uri, resource in self.resources.items()}

    def prompts_for(self, scopes: frozenset[str]) -> list[Prompt]:
        """Those whose tools a key with these scopes may call."""
        return [prompt for prompt in self.prompts.values() if scopes.issuperset(prompt.scopes)]

    def prompt(self, name: str, scopes: frozenset[str]) -> Prompt:
        offered = {prompt.name: prompt for prompt in self.prompts_for(scopes)}
        if name not in offered:
            known = ", ".join(offered) or "none for this key"
            raise NotFound("There is no such prompt.", hint=f"Known: {known}.")
        return offered[name]

    def resources_for(self, scopes: frozenset[str]) -> list[Resource]:
        return [one for one in self.resources.values() if scopes.issuperset(one.scopes)]

    def resource_at(self, uri: str, scopes: frozenset[str]) -> tuple[Resource, dict[str, object]]:
        """What is at an address, with its variables."""
        offered = self.resources_for(scopes)
        for resource in offered:
            variables = resource.match(uri)
            if variables is not None:
                return resource, variables
        known = ", ".join(resource.uri for resource in offered) or "none for this key"
        raise NotFound("There is no such resource.", hint=f"Known: {known}.")


@cache
def load_offers() -> Offers:
    """What ships with this build."""
    with open(OFFERS_FILE, "rb") as file:
        return Offers.from_document(json.load(file))
