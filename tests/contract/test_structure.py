"""What no review should have to look for: who builds which keys, who opens issues, how large a room gets."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.contract.followed import Place, functions_of, reads_of
from tests.contract.sources import ROOT, mistakes_in, product_files, source_of

WORK = ROOT / "shared" / "forge" / "work"
ISSUES = WORK / "issues"
KEYS = ROOT / "shared" / "forge" / "store" / "keys.py"
MAX_MODULES = 12
WITH_WHAT_ENDS_THEM = {f"forge.work.workspace.signins.{one}" for one in ("client_keys", "signins")}
"""Only `oauth` begins these; what makes an end of them, which others do, stands beside."""


def names_called(file: Path) -> Iterator[str]:
    """`IssueItem.at` of `IssueItem.at(…)`, `Desk` of `Desk(…)`."""
    for node in ast.walk(source_of(file).tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func)


def test_only_the_doors_to_issues_build_the_keys_of_heads() -> None:
    """Whoever else reads a head could forget to ask whether the caller may see it."""
    guilty = [
        file
        for file in product_files(outside=ISSUES)
        if file != WORK / "overviews" / "whole.py"
        and any(name.startswith(("IssueItem.at", "IssueItem.stored")) for name in names_called(file))
    ]

    assert guilty == []


def test_only_the_door_makes_a_desk() -> None:
    door = ISSUES / "desks.py"
    guilty = [file for file in product_files(outside=Path()) if file != door and "Desk" in names_called(file)]

    assert "Desk" in names_called(door)
    assert guilty == []


def test_attributes_as_dynamodb_writes_them_never_leave_the_store() -> None:
    def speaks_dynamodb(file: Path) -> bool:
        """`{"S": …}` or `row["S"]`."""
        for node in ast.walk(source_of(file).tree):
            keys = node.keys if isinstance(node, ast.Dict) else [getattr(node, "slice", None)]
            if any(isinstance(key, ast.Constant) and key.value in ("S", "N", "SS") for key in keys):
                return True
        return False

    store = ROOT / "shared" / "forge" / "store"
    assert [file for file in product_files(outside=store) if speaks_dynamodb(file)] == []
    assert [file for file in product_files(outside=store) if "find_rows" in file.read_text()] == []


def test_rules_reach_no_table_what_is_private_stays_so_and_plain_writes_are_few() -> None:
    assert [mistake for file in product_files() for mistake in mistakes_in(source_of(file))] == []


def test_no_save_reads() -> None:
    """Whatever a change is decided on was read before: so it can be decided without a table."""
    functions = functions_of(file for file in product_files() if "cli" not in file.parts)
    saves = [place for place in functions if place.name.startswith("save")]

    assert Place("forge.work.plans.saving", "save") in saves
    assert [chain for save in saves for chain in reads_of(save, functions)] == []


def test_a_save_that_reads_further_down_is_found(tmp_path: Path) -> None:
    (tmp_path / "found.py").write_text("def all_of(table):\n    return table.query_all('WS#1#THINGS')\n")
    (tmp_path / "kept.py").write_text(
        "from found import all_of\n\ndef _count(table):\n    return len(all_of(table))\n\n"
        "def save(tx, table):\n    tx.replace(_count(table))\n"
    )
    functions = functions_of(tmp_path.glob("*.py"), root=tmp_path)

    assert reads_of(Place("kept", "save"), functions) == ["kept.save > kept._count > found.all_of: query_all"]


def test_a_room_has_a_dozen_modules_at_most() -> None:
    rooms = {file.parent for file in WORK.rglob("*.py")}
    sizes = {room: len([file for file in room.glob("*.py") if file.stem != "__init__"]) for room in rooms}

    assert {room: size for room, size in sizes.items() if size > MAX_MODULES} == {}


def test_what_one_namespace_alone_uses_stands_in_it() -> None:
    users: dict[str, set[str]] = {}
    for file in product_files():
        source = source_of(file)
        for module in source.imports:
            users.setdefault(module, set()).add(source.module)
    rooms = {source_of(file).module for file in WORK.rglob("*.py") if file.stem != "__init__"}

    def namespaces(module: str) -> set[str]:
        return {".".join(user.split(".")[:2]) for user in users.get(module, ())}

    alone = {one for one in rooms if len(own := namespaces(one)) == 1 and "functions." in str(own)}
    assert alone == WITH_WHAT_ENDS_THEM


def test_no_modules_import_each_other_not_even_later_or_by_way_of_others() -> None:
    """What only types are taken from is not imported when it runs."""
    sources = [source_of(file) for file in product_files()]
    modules = {source.module for source in sources}
    left = {source.module: source.imports_when_run & modules - {source.module} for source in sources}
    while free := {module for module, imported in left.items() if not imported & left.keys()}:
        left = {
            module: imported & left.keys() - free for module, imported in left.items() if module not in free
        }

    imported_again = {one for imported in left.values() for one in imported}
    assert {module: left[module] for module in sorted(imported_again)} == {}


def test_a_floor_takes_nothing_from_above_not_even_types() -> None:
    """import-linter holds the floors, but for what only types are taken from."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (floors,) = [one["layers"] for one in contracts if one.get("containers") == ["forge.work"]]

    def floor_of(module: str) -> int | None:
        parts = module.split(".")
        return floors.index(parts[2]) if parts[:2] == ["forge", "work"] and len(parts) > 2 else None

    upward = [
        f"{source.module} imports {module}"
        for source in map(source_of, WORK.rglob("*.py"))
        for module in source.imports
        if (above := floor_of(module)) is not None and above < (floor_of(source.module) or 0)
    ]

    assert {path.name for path in WORK.iterdir() if path.is_dir()} - {"__pycache__"} == set(floors)
    assert upward == []


def test_a_floor_or_room_says_what_it_offers() -> None:
    packages = [file for file in WORK.rglob("__init__.py") if ast.get_docstring(ast.parse(file.read_text()))]

    assert {file.parent for file in packages} == {file.parent for file in WORK.rglob("*.py")}


def test_every_partition_is_declared_in_one_place_and_built_nowhere_else() -> None:
    """A template such as `WS#{workspace_id}#LABELS` stands once; whoever needs such a key asks its item."""
    seen: dict[str, Path] = {}
    for file in product_files(outside=Path()):
        tree = source_of(file).tree
        built = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
        is_building = any(text.startswith(("f'WS#", 'f"WS#')) for text in built)
        assert file == KEYS or not is_building, file
        for node in ast.walk(tree):
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str) and text.startswith("WS#{"):
                assert text not in seen, f"{text} stands in {file} and in {seen[text]}"
                seen[text] = file

    assert seen


def test_a_name_of_a_class_means_one_thing_within_reach_of_a_tool() -> None:
    """That is: among all floors, whatever floors and namespaces import, and the namespace's own modules."""
    sources = {source_of(file).module: source_of(file) for file in product_files()}
    own = {name for name in sources if name.startswith(("functions.", "forge.work."))}
    imported = {
        name
        for module in own
        for node in ast.walk(sources[module].tree)
        if isinstance(node, ast.ImportFrom)
        for name in (str(node.module), *(f"{node.module}.{one.name}" for one in node.names))
    }
    places: dict[str, list[str]] = {}
    for module in sorted(own | (imported & sources.keys())):
        for node in sources[module].tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(module)

    def is_ambiguous(modules: list[str]) -> bool:
        namespaces = [one.split(".")[1] for one in modules if one.startswith("functions.")]
        shared = len(modules) - len(namespaces)
        return shared > 1 or (shared == 1 and bool(namespaces)) or len(set(namespaces)) < len(namespaces)

    assert {name: modules for name, modules in places.items() if is_ambiguous(modules)} == {}
