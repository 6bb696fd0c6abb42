"""What the product's own sources may not do, each as a function from a source to what is wrong with it."""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

ROOT = Path(__file__).parents[2]

# Whatever reads, writes or tells the time: a rule gets what was read, and says what shall happen.
REACHING = frozenset({"Context", "Readings", "Rows", "Store", "Table", "Transaction", "read_page", "walk"})
READING = frozenset({"begin_change", "open_issue", "open_issues", "read_issues", "save"})
PLAIN_WRITERS = {
    "store/counters.py": "numbers of a series, and tickets",
    "people/authentication.py": "counting the calls of a key",
    "people/ceilings.py": "what a key takes of its workspace's ceiling",
    "stored/windows.py": "what strangers may have done in an hour",
    "people/agents.py": "heartbeats that change no status",
    "sweep/outbox.py": "what was sent is not due any more",
    "search/search.py": "which words an issue is found by",
}
"""Who writes outside transactions, by module."""
OURS = ("forge", "functions", "infra")


@cache
def parsed(text: str) -> ast.Module:
    return ast.parse(text)


class Source(NamedTuple):
    path: PurePosixPath
    """From the root of the repository."""
    text: str

    @property
    def tree(self) -> ast.Module:
        return parsed(self.text)

    @property
    def module(self) -> str:
        return ".".join(self.path.with_suffix("").parts).removeprefix("shared.")

    @property
    def package(self) -> str:
        return ".".join(self.path.parent.parts).removeprefix("shared.")

    @property
    def imports(self) -> set[str]:
        """The modules that it imports, also for types alone."""
        return _modules_of(_imports(self.tree))

    @property
    def imports_when_run(self) -> set[str]:
        """The same without what types alone are taken from."""
        for_types = [node for node in self.tree.body if _is_for_types(node)]
        within = {id(one) for node in for_types for one in ast.walk(node)}
        return _modules_of(_imports_among(node for node in ast.walk(self.tree) if id(node) not in within))

    @property
    def is_rule(self) -> bool:
        """By its name, or in a package that says that nothing is read there."""
        return bool({"rules", "rules.py", "engine"} & set(self.path.parts))


def product_files(*, outside: Path = Path()) -> list[Path]:
    """Everything that runs, but for one folder."""
    folders = (ROOT / "functions", ROOT / "shared" / "forge")
    found = [file for folder in folders for file in folder.rglob("*.py")]
    return sorted(file for file in found if outside not in file.parents and "testing" not in file.parts)


def source_of(file: Path) -> Source:
    return Source(PurePosixPath(file.relative_to(ROOT)), file.read_text(encoding="utf-8"))


def mistakes_in(source: Source) -> list[str]:
    found = [*_private_imports(source), *_plain_writes(source)]
    return [*found, *_reaching(source)] if source.is_rule else found


def _reaching(source: Source) -> Iterator[str]:
    for module, name in _imports(source.tree):
        if name in REACHING or (name in READING and module.startswith("forge.work")):
            yield f"{source.path}: a rule imports {name}"
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Attribute) and node.attr in ("table", "now") and _is_context(node.value):
            yield f"{source.path}:{node.lineno}: a rule asks {ast.unparse(node)}"


def _is_context(node: ast.expr) -> bool:
    return ast.unparse(node).split(".")[-1] == "ctx"


def _private_imports(source: Source) -> Iterator[str]:
    """What begins with an underscore is for the modules beside it, and its names for the module itself."""
    for module, name in _imports(source.tree):
        if not module.startswith(OURS):
            continue
        parts = [*module.split("."), name]
        private = next((place for place, part in enumerate(parts) if _is_private(part)), None)
        if private is None:
            continue
        owner = ".".join(parts[:private])
        is_inside = f"{source.package}.".startswith(f"{owner}.") and (ROOT / _file_of(owner)).is_dir()
        if not is_inside:
            yield f"{source.path}: {owner}.{parts[private]} is private"


def _plain_writes(source: Source) -> Iterator[str]:
    is_store = source.package == "forge.store"
    for node in ast.walk(source.tree):
        called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        if called.endswith(("table.update", "table.assign")) and not _is_plain_writer(source):
            yield f"{source.path}: a plain write outside transactions"
        if called in ("Write", "SharedKey") and not is_store and not source.path.stem.endswith("keys"):
            yield f"{source.path}: {called} is for the store, and for modules of keys"


def _is_plain_writer(source: Source) -> bool:
    return any(source.path.match(one) for one in PLAIN_WRITERS)


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    return _imports_among(ast.walk(tree))


def _imports_among(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, one.name) for one in node.names)
        elif isinstance(node, ast.Import):
            yield from ((one.name.rpartition(".")[0], one.name.rpartition(".")[2]) for one in node.names)


def _modules_of(imports: Iterable[tuple[str, str]]) -> set[str]:
    """What is taken out of a module may be one itself."""
    return {one for module, name in imports for one in (module, f"{module}.{name}")} - {""}


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def _file_of(module: str) -> str:
    return ("shared/" if module.startswith("forge") else "") + module.replace(".", "/")
