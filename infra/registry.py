"""Finds every namespace by its folder under functions/."""

import importlib
import pkgutil
from importlib.util import find_spec

import functions
from forge.contract.offering import Offering
from forge.contract.tools import AnyTool, Namespace


def find_namespaces() -> dict[str, Namespace]:
    """Each namespace by its folder, in the order of their names; a function without tools has none."""
    folders = [folder.name for folder in pkgutil.iter_modules(functions.__path__) if folder.ispkg]
    return {folder: found for folder in sorted(folders) if (found := _namespace(f"functions.{folder}.tools"))}


def find_offerings() -> dict[str, Offering]:
    """What namespaces offer besides tools, by their folders."""
    names = {folder: f"functions.{folder}.offers" for folder in find_namespaces()}
    return {folder: importlib.import_module(name).offers for folder, name in names.items() if find_spec(name)}


def find_tools() -> list[AnyTool]:
    tools = [tool for namespace in find_namespaces().values() for tool in namespace.tools.values()]
    return sorted(tools, key=str)


def _namespace(name: str) -> Namespace | None:
    """Of `tools.py`, or of a `tools` folder, into which each of its modules registers its tools."""
    found = find_spec(name)
    if found is None:
        return None
    for module in pkgutil.iter_modules(found.submodule_search_locations or ()):
        importlib.import_module(f"{name}.{module.name}")
    namespace: Namespace = importlib.import_module(name).namespace
    return namespace
