"""Which functions a function calls, as far as names tell it, and what is read on the way."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from tests.contract.sources import ROOT, Source

READS = frozenset({"fetch", "look_up", "query", "query_all", "read"})
READS_OF_TABLE = frozenset({"table.find", "table.get"})


class Place(NamedTuple):
    module: str
    name: str

    def __str__(self) -> str:
        return f"{self.module}.{self.name}"


class Function(NamedTuple):
    node: ast.FunctionDef
    imported: Mapping[str, str]
    """What names of its module mean that come from elsewhere."""


def functions_of(files: Iterable[Path], *, root: Path = ROOT) -> dict[Place, Function]:
    """Those at the top of their modules."""
    found = {}
    for file in files:
        source = Source(PurePosixPath(file.relative_to(root)), file.read_text(encoding="utf-8"))
        imported = {
            one.asname or one.name: f"{node.module}.{one.name}"
            for node in ast.walk(source.tree)
            if isinstance(node, ast.ImportFrom)
            for one in node.names
        }
        for node in source.tree.body:
            if isinstance(node, ast.FunctionDef):
                found[Place(source.module, node.name)] = Function(node, imported)
    return found


def reads_of(start: Place, functions: Mapping[Place, Function]) -> list[str]:
    """Each read that it comes to, with the way there. Methods are not followed: names don't say whose."""
    return list(_reads([start], functions, set()))


def _reads(way: list[Place], functions: Mapping[Place, Function], seen: set[Place]) -> Iterator[str]:
    here = way[-1]
    seen.add(here)
    for node in ast.walk(functions[here].node):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        if called.endswith(tuple(f".{name}" for name in READS | READS_OF_TABLE)):
            yield f"{' > '.join(map(str, way))}: {called.rpartition('.')[2]}"
        place = _place_of(called, here, functions)
        if place in functions and place not in seen:
            yield from _reads([*way, place], functions, seen)


def _place_of(called: str, here: Place, functions: Mapping[Place, Function]) -> Place:
    first, _, rest = called.partition(".")
    whole = functions[here].imported.get(first, f"{here.module}.{first}") + (f".{rest}" if rest else "")
    module, _, name = whole.rpartition(".")
    return Place(module, name)
