"""A world with few tools, so that what is found does not change with every tool that is declared."""

from collections.abc import Callable, Iterable
from functools import cache

from forge.contract.catalog import Catalog, load_catalog
from forge.contract.catalog_tools import CatalogTool
from forge.contract.finding import Finder
from forge.contract.terms import Surface
from forge.testing.world import World
from infra.finding import Findable, finding_document


def a_small_world(*entries: CatalogTool) -> World:
    """The catalog and the workspace as they ship, and these entries."""
    shipped = [tool for tool in load_catalog().tools if tool.namespace in {"catalog", "workspace"}]
    tools = [*shipped, *entries]
    return World(catalog=Catalog(tools, finder_of(tools)))


def finder_of(tools: Iterable[CatalogTool]) -> Callable[[], Finder]:
    """As `make generate` makes it."""
    offered = [tool for tool in tools if tool.surface == Surface.MCP]
    findables = (
        Findable(tool.name, tool.description, tuple(tool.input_schema["properties"])) for tool in offered
    )
    return cache(lambda: Finder(finding_document(findables)))
