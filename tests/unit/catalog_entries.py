"""Catalog entries for tests that need tools nobody has declared."""

from collections.abc import Iterable

from forge.contract.catalog_tools import CatalogTool
from forge.contract.terms import Effect, Surface


def an_entry(
    name: str,
    description: str = "Do something.",
    *,
    scopes: Iterable[str] = (),
    effect: Effect = Effect.READ_ONLY,
    surface: Surface = Surface.MCP,
    namespace: str | None = None,
) -> CatalogTool:
    return CatalogTool.from_document(
        {
            "name": name,
            "namespace": namespace or name.split(".")[0],
            "module": "functions.nowhere.tools",
            "attribute": "nothing",
            "surface": surface.value,
            "effect": effect.value,
            "scopes": list(scopes),
            "description": description,
            "inputSchema": {"type": "object", "properties": {}},
            "annotations": {"readOnlyHint": effect is Effect.READ_ONLY, "openWorldHint": False},
        }
    )
