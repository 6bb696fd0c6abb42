"""The compiled catalog: every declaration as data, so that the router needs no namespace and no pydantic.

`make generate` writes catalog.json beside this file from the declarations; CI fails when it drifts.
"""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from forge.contract.catalog_tools import CatalogTool
from forge.contract.names import closest, portable
from forge.contract.profiles import FULL_PROFILE, PROFILES, Profile, Selection
from forge.contract.spelling import AS_WRITTEN, Spelling
from forge.contract.terms import Surface
from forge.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from forge.contract.finding import Finder
    from forge.contract.offers import Offers

# Not pathlib: the router starts without it.
CATALOG_FILE = os.path.join(os.path.dirname(__file__), "catalog.json")


def _shipped_finder() -> "Finder":
    from forge.contract.finding import load_finder  # only a search needs it, and the router starts without it

    return load_finder()


def _shipped_offers() -> "Offers":
    from forge.contract.offers import load_offers  # as above

    return load_offers()


class Catalog:
    """All tools, in one fixed order. Agents' are found by either spelling, operators' by their own."""

    def __init__(
        self,
        tools: Iterable[CatalogTool],
        finder: Callable[[], "Finder"] = _shipped_finder,
        *,
        operators_names: Iterable[str] = (),
        offers: Callable[[], "Offers"] = _shipped_offers,
    ) -> None:
        self.finder = finder
        self.offers = offers
        self._operators_names = frozenset(operators_names)
        self.tools = tuple(sorted(tools, key=lambda tool: tool.name))
        self._by_name = {name: tool for tool in self.tools for name in tool.other_names}
        self._by_name |= {tool.name: tool for tool in self.tools}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> "Catalog":
        return cls(map(CatalogTool.from_document, document["tools"]))

    def for_agents(self) -> "Catalog":
        """Without operators' tools, which have a function and a role of their own; their names stay known."""
        names = [tool.name for tool in self.on(Surface.ADMIN)]
        return Catalog(self.on(Surface.MCP), self.finder, operators_names=names, offers=self.offers)

    def find(self, name: str) -> CatalogTool | None:
        return self._by_name.get(name)

    def get(self, name: str, *, surface: Surface = Surface.MCP) -> CatalogTool:
        """The tool of that name, or NotFound with the closest ones."""
        tool = self._by_name.get(name)
        if tool is None or tool.surface != surface:
            raise self._unknown(name, surface)
        return tool

    def invoked(self, name: str) -> CatalogTool:
        """What a function is invoked for by the router: a tool, or the reader of a resource."""
        reader = None if name in self._by_name else self.offers().readers.get(name)
        return reader or self.get(name)

    def on(self, surface: Surface) -> list[CatalogTool]:
        return [tool for tool in self.tools if tool.surface == surface]

    def spelling(self, *, canonical_names: bool) -> Spelling:
        """How a door with these names spells what is written about tools."""
        return AS_WRITTEN if canonical_names else self._portable

    @cached_property
    def _portable(self) -> Spelling:
        return Spelling({tool.name: tool.portable_name for tool in self.on(Surface.MCP)})

    def listing(self, selection: Selection, scopes: frozenset[str]) -> str:
        """The `tools` array of a `tools/list` answer as JSON text, pruned to the scopes."""
        chosen = self._selected(selection, scopes)
        entry = CatalogTool.mcp_entry if selection.profile == FULL_PROFILE else CatalogTool.lean_entry
        entries = [entry(tool, canonical_name=selection.canonical_names) for tool in chosen]
        if selection.has_apps:
            shown = [{"_meta": {"ui": {"resourceUri": tool.app}}} if tool.app else {} for tool in chosen]
            entries = [one | more for one, more in zip(entries, shown, strict=True)]
        if not selection.canonical_names:
            entries = [self._portable.published(entry) for entry in entries]
        # ASCII only: text with one wide character takes twice the memory, and every answer copies it.
        return json.dumps(entries, separators=(",", ":"))

    def _selected(self, selection: Selection, scopes: frozenset[str]) -> list[CatalogTool]:
        offered = self.on(Surface.MCP)
        if selection.namespaces:
            self._require_known(selection.namespaces)
            chosen = [tool for tool in offered if tool.namespace in selection.namespaces]
        else:
            profile = self._profile(selection.profile)
            chosen = [tool for tool in offered if profile.includes(tool.name, tool.namespace, tool.effect)]
        return [tool for tool in chosen if tool.required_scopes <= scopes]

    def profiles(self) -> list[str]:
        """Those with a tool to show that is theirs; the others are accepted, and not yet worth naming."""
        declared = {tool.namespace for tool in self.on(Surface.MCP)}
        return [name for name, profile in PROFILES.items() if profile.is_worth_naming(declared)]

    def _profile(self, name: str) -> Profile:
        if name not in PROFILES:
            known = self.profiles()
            raise InvalidInput(
                f"Unknown profile {name[:60]!r}. Known profiles: {', '.join(known)}.",
                details={"known": known},
            )
        return PROFILES[name]

    def _require_known(self, namespaces: frozenset[str]) -> None:
        known = sorted({tool.namespace for tool in self.on(Surface.MCP)})
        if unknown := sorted(namespaces.difference(known)):
            raise InvalidInput(
                f"Unknown namespace {', '.join(unknown)[:200]}. Known namespaces: {', '.join(known)}.",
                details={"known": known},
            )

    def _unknown(self, name: str, surface: Surface) -> NotFound:
        known = {tool.name for tool in self.on(surface)}
        if surface is Surface.ADMIN:
            known |= self._operators_names
        if name in known:
            return NotFound(f"{name} is not answered here.", hint=f"Call {name} with POST.")
        suggestions = closest(name, sorted(known))
        advice = (
            f"Did you mean {' or '.join(suggestions)}?"
            if suggestions
            else "catalog.search finds tools by what they do."
        )
        why = f"There is no tool {name[:80]!r}."
        if surface is Surface.MCP and (found := self._find_operators(name)):
            why = f"{found} is an operators' tool: POST /api/admin/{found}, with the scope ADMIN."
        return NotFound(why, hint=advice, details={"didYouMean": suggestions})

    def _find_operators(self, name: str) -> str | None:
        """The operators' tool that somebody means who looks for it among the agents', in either spelling."""
        names = {*self._operators_names, *(tool.name for tool in self.on(Surface.ADMIN))}
        return next((one for one in names if name in (one, portable(one))), None)


@cache
def load_catalog() -> Catalog:
    """The catalog that ships with this build."""
    with open(CATALOG_FILE, "rb") as file:
        return Catalog.from_document(json.load(file))
