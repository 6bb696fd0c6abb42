"""Finds every namespace by its folder under functions/."""

import importlib
import pkgutil
from importlib.util import find_spec

import functions
from forge.contract.tools import AnyTool, Namespace


def find_namespaces() -> dict[str, Namespace]:
    """Each namespace by the module that declares it, in the order of the folders' names."""
    modules = [
        f"functions.{folder.name}.tools"
        for folder in pkgutil.iter_modules(functions.__path__)
        if folder.ispkg and find_spec(f"functions.{folder.name}.tools")
    ]
    return {module: importlib.import_module(module).namespace for module in sorted(modules)}


def find_tools() -> list[AnyTool]:
    tools = [tool for namespace in find_namespaces().values() for tool in namespace.tools.values()]
    return sorted(tools, key=str)
