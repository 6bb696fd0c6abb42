"""Finds every namespace by its folder under functions/."""

import importlib
import pkgutil
from importlib.util import find_spec

import functions
from forge.contract.tools import AnyTool, Namespace


def find_namespaces() -> dict[str, Namespace]:
    """Each namespace by the module that declares it, in the order of their names."""
    folders = [folder.name for folder in pkgutil.iter_modules(functions.__path__) if folder.ispkg]
    modules = [module for folder in folders for module in _tool_modules(f"functions.{folder}.tools")]
    return {module: importlib.import_module(module).namespace for module in sorted(modules)}


def _tool_modules(name: str) -> list[str]:
    """`tools.py` itself, or each module of a `tools` folder; a function without tools has neither."""
    found = find_spec(name)
    if found is None:
        return []
    folders = found.submodule_search_locations
    return [f"{name}.{module.name}" for module in pkgutil.iter_modules(folders)] if folders else [name]


def find_tools() -> list[AnyTool]:
    tools = [tool for namespace in find_namespaces().values() for tool in namespace.tools.values()]
    return sorted(tools, key=str)
