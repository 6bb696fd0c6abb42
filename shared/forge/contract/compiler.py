"""Compiles declarations into the catalog document: when the project is generated, never in a function."""

import sys
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from forge.contract.names import portable
from forge.contract.offering import Offering
from forge.contract.schema import portable_schema, rare_paths
from forge.contract.tools import AnyTool, Namespace

OfferT = TypeVar("OfferT")


def compile_catalog(namespaces: Iterable[Namespace]) -> dict[str, Any]:
    """The catalog document of these namespaces."""
    declared = [*namespaces]
    tools = [tool for namespace in declared for tool in namespace.tools.values()]
    _require_unique(tools)
    return {"tools": sorted((_entry(tool) for tool in tools), key=lambda entry: str(entry["name"]))}


def compile_offers(offerings: Iterable[Offering]) -> dict[str, Any]:
    """What is offered besides tools, as a document."""
    declared = [*offerings]
    completions = _merged(one.completions for one in declared)
    prompts = _merged(one.prompts for one in declared)
    resources = _merged(one.resources for one in declared)
    named = {one.completes for prompt in prompts.values() for one in prompt.arguments if one.completes}
    named |= {name for resource in resources.values() for name in resource.completes.values()}
    if unknown := sorted(named - completions.keys()):
        raise TypeError(f"no namespace declares the completion {', '.join(unknown)}")
    return {
        "prompts": [one.document() for one in prompts.values()],
        "resources": [one.document() for one in resources.values()],
        "completions": [one.document() for one in completions.values()],
    }


def _merged(parts: Iterable[Mapping[str, OfferT]]) -> dict[str, OfferT]:
    """In the order of their names."""
    found = [(name, one) for part in parts for name, one in part.items()]
    merged = dict(sorted(found, key=lambda pair: pair[0]))
    if len(merged) != len(found):
        raise TypeError("two namespaces declare an offer of the same name")
    return merged


def _entry(tool: AnyTool) -> dict[str, Any]:
    module, attribute = tool.handler.__module__, tool.handler.__name__
    if getattr(sys.modules.get(module), attribute, tool) is not tool:
        raise TypeError(f"{tool.name}: {module}.{attribute} is another tool; name the function differently")
    seldom = {
        "rare": rare_paths(tool.input),
        "isRetold": tool.retells is not None,
        "isAudited": tool.audits is not None,
        "isLong": tool.long,
        "artifact": tool.artifact.value if tool.content else None,
        "content": tool.content,
        "files": list(tool.files),
        "aliases": list(tool.aliases),
        "isUnnarrowed": tool.unnarrowed,
        "confirms": bool(tool.confirms),
        "app": tool.app,
        "isForRuns": tool.for_runs,
    }
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
    } | {name: value for name, value in seldom.items() if value}


def _require_unique(tools: Iterable[AnyTool]) -> None:
    """Both spellings and all aliases share one table, so `a.b_c` and `a_b.c` can't both exist."""
    seen: dict[str, str] = {}
    for tool in tools:
        for name in {tool.portable_name, *map(portable, tool.aliases)}:
            if name in seen:
                raise TypeError(f"{tool.name} and {seen[name]} have the same portable name")
            seen[name] = tool.name
