"""Compiles declarations into the catalog document: when the project is generated, never in a function."""

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from forge.contract.schema import portable_schema
from forge.contract.tools import AnyTool, Namespace


def compile_catalog(modules: Mapping[str, Namespace]) -> dict[str, Any]:
    """The catalog document for the namespaces found in these modules, by module path."""
    entries = [
        _entry(tool, module) for module, namespace in modules.items() for tool in namespace.tools.values()
    ]
    _require_unique(tool for namespace in modules.values() for tool in namespace.tools.values())
    return {"tools": sorted(entries, key=lambda entry: str(entry["name"]))}


def _entry(tool: AnyTool, module: str) -> dict[str, Any]:
    attribute = tool.handler.__name__
    if getattr(sys.modules.get(module), attribute, tool) is not tool:
        raise TypeError(f"{tool.name}: {module}.{attribute} is another tool; name the function differently")
    return {
        "name": tool.name,
        "namespace": tool.namespace,
        "module": module,
        "attribute": attribute,
        "surface": tool.surface.value,
        "effect": tool.effect.value,
        "scopes": [scope.value for scope in tool.scopes],
        "description": tool.description,
        "inputSchema": portable_schema(tool.input),
        "annotations": tool.annotations,
    }


def _require_unique(tools: Iterable[AnyTool]) -> None:
    """Both spellings share one table, so `a.b_c` and `a_b.c` can't both exist."""
    seen: dict[str, str] = {}
    for tool in tools:
        if tool.portable_name in seen:
            raise TypeError(f"{tool.name} and {seen[tool.portable_name]} have the same portable name")
        seen[tool.portable_name] = tool.name
