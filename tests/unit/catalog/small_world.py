"""A world with few tools, so that what is found does not change with every tool that is declared."""

from forge.contract.catalog import Catalog, CatalogTool, load_catalog
from forge.testing.world import World


def a_small_world(*entries: CatalogTool) -> World:
    """The catalog and the workspace as they ship, and these entries."""
    shipped = [tool for tool in load_catalog().tools if tool.namespace in {"catalog", "workspace"}]
    return World(catalog=Catalog([*shipped, *entries]))
