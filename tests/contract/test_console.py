"""What the console calls exists and takes what it sends; nothing in its files makes markup or asks others."""

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

from forge.contract.catalog import load_catalog
from forge.contract.catalog_tools import CatalogTool
from forge.work.pipelines.phases import COMPLETED, PHASES
from forge.work.record.links import CONSOLE_PATH, subject_url
from infra.console.vendoring import COPIES, LOCK, adapted
from infra.registry import find_namespaces

CONSOLE = Path(__file__).parents[2] / "shared" / "forge" / "console"
VENDOR = CONSOLE / "vendor"
SCOPES = CONSOLE / "js" / "calls" / "scopes.js"
SCRIPTS = sorted(CONSOLE.glob("js/**/*.js"))
FILES = sorted(file for file in CONSOLE.rglob("*") if file.is_file() and VENDOR not in file.parents)

_MARKUP = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|createContextualFragment|DOMParser"
    r"|\beval\(|new Function|javascript:|setAttributeNS|dangerouslySetInnerHTML(?!\";)"
)
_INLINE = re.compile(r"<style|\sstyle=[\"'a-z]|\son[a-z]+=[\"'{]|<script(?![^>]*\ssrc=)")
_ELSEWHERE = re.compile(r"(?:https?:)?//[a-z0-9-]+\.[a-z]|@import|url\(", re.IGNORECASE)
_ASKING = re.compile(r"\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|new Worker|serviceWorker")
_LOADING = re.compile(r"""(?<![{<|(])\bimport\((?!\"\.)""")
"""What is loaded later is named where it is, and ours."""


def text_of(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def declared_calls() -> dict[str, list[str]]:
    calls: dict[str, list[str]] = {}
    for script in sorted(set(CONSOLE.glob("js/calls/*.js")) - {SCOPES}):
        found = re.search(r"^export const [A-Z]+ = (\{.*?^\});", text_of(script), re.M | re.S)
        assert found is not None, script.name
        declared: dict[str, list[str]] = json.loads(found[1])
        assert not declared.keys() & calls.keys(), "a call is declared once"
        calls |= declared
    return calls


def entry_of(tool: str) -> CatalogTool:
    """Of either surface."""
    surface, _, name = tool.rpartition("/")
    (entry,) = [one for one in load_catalog().tools if (one.name, one.surface) == (name, surface or "mcp")]
    return entry


@pytest.mark.parametrize("tool", sorted(declared_calls()))
def test_every_tool_that_the_console_calls_takes_what_it_sends(tool: str) -> None:
    surface, _, name = tool.rpartition("/")
    (declared,) = [
        one
        for namespace in find_namespaces().values()
        for one in namespace.tools.values()
        if one.name == name
    ]
    known = {field.alias or name for name, field in declared.input.model_fields.items()}

    assert set(declared_calls()[tool]) <= known
    assert declared.surface == (surface or "mcp")


def test_nobody_is_offered_what_their_key_may_not() -> None:
    """What the console believes that a change needs is what the catalog says."""
    found = re.search(r"^export const SCOPES = (\{.*?^\});", text_of(SCOPES), re.M | re.S)
    assert found is not None
    changing = {tool for tool in declared_calls() if entry_of(tool).effect != "READ_ONLY"}

    assert json.loads(found[1]) == {tool: sorted(entry_of(tool).scopes) for tool in sorted(changing)}


def test_every_call_in_the_scripts_is_declared_and_every_declared_one_is_made() -> None:
    called = {
        name
        for script in SCRIPTS
        for name in re.findall(r'\b(?:call|pages|rowsOf|write|change)\(\s*"([\w./]+)"', text_of(script))
    }

    assert called == set(declared_calls())


def test_one_module_asks_the_server() -> None:
    asking = {script.name for script in SCRIPTS if _ASKING.search(text_of(script))}

    assert asking == {"api.js"}
    assert not [script.name for script in SCRIPTS if _LOADING.search(text_of(script))]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_a_script_names_what_it_imports_by_where_it_is(script: Path) -> None:
    """Browsers know no packages, and the policy admits no map of them."""
    imports = re.findall(r'^(?:import|export) (?:.*? from )?"(.+)";$', text_of(script), re.M)

    assert all(name.startswith(".") and (script.parent / name).is_file() for name in imports)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_file_makes_markup_out_of_text_or_names_another_host(file: Path) -> None:
    text = text_of(file).replace('xmlns="http://www.w3.org/2000/svg"', "")

    assert _MARKUP.search(text) is None
    assert _INLINE.search(text) is None
    assert _ELSEWHERE.search(text) is None


def test_a_path_of_our_own_leads_to_no_other_host() -> None:
    """As browsers read it: they take a backslash for a slash, and leave out tabs and ends of lines."""
    found = re.search(r"^const OWN_PATH = /(.+)/;$", text_of(CONSOLE / "js" / "dom.js"), re.M)
    assert found is not None
    own_path = re.compile(found[1].replace(r"\/", "/"))

    for path in ("/console", "/console/issues/DEMO-1", "/console/board?status=To+do&q=%5Cx"):
        assert own_path.search(path), path
    for path in (
        "//host",
        "/\\host",
        "/\t/host",
        "/\n\\host",
        "/\r/host",
        "/console\\..\\..//host",
        "javascript:x",
    ):
        assert not own_path.search(path), repr(path)


def test_the_addresses_that_tools_give_out_are_pages_of_the_console() -> None:
    """`links.py` writes them, `routes.js` reads them."""
    patterns = [
        re.compile(found.replace(r"\/", "/"))
        for area in CONSOLE.glob("js/areas/*.js")
        for found in re.findall(r'^ +(?:routes: )?\[{1,2}"\w+", /(.+?)/, \[', text_of(area), re.M)
    ]

    subjects = ("issue", "action-request", "review-gate", "goal", "agent")
    shown = [str(subject_url("", one, "it", issue_id=None, goal_id=None)) for one in subjects]
    for path in ("/repositories/demo/app/pulls/1", *(one.removeprefix(CONSOLE_PATH) for one in shown)):
        assert sum(bool(pattern.search(path)) for pattern in patterns) == 1, path
    assert text_of(CONSOLE / "js" / "routes.js").count(f'"{CONSOLE_PATH}"') == 1


def test_the_phases_of_a_pipeline_are_drawn_in_their_order() -> None:
    drawn = re.findall(r'^  \["([\w-]+)", "(.+)"\],$', text_of(CONSOLE / "js/pictures/phase_strip.js"), re.M)

    assert drawn == [(one.id, one.label or one.id.capitalize()) for one in PHASES if one.id != COMPLETED]


def test_what_is_copied_from_npm_is_what_the_lock_pins() -> None:
    """`make vendor` copies it; whoever changes a byte of it by hand is found out."""
    manifest = json.loads(text_of(VENDOR / "manifest.json"))
    locked = json.loads(LOCK.read_text(encoding="utf-8"))["packages"]

    for copied in manifest:
        package = locked[f"node_modules/{copied['package']}"]
        assert sha256((VENDOR / copied["file"]).read_bytes()).hexdigest() == copied["sha256"], copied["file"]
        assert (copied["version"], copied["license"]) == (package["version"], package["license"])
        assert (VENDOR / f"{copied['package']}.LICENSE").is_file()
    assert {copied["file"] for copied in manifest} == {copy.name for copy in COPIES}
    served = {file.name for file in VENDOR.iterdir() if file.suffix in {".js", ".css"}}
    assert served == {copied["file"] for copied in manifest}


def test_a_copied_module_finds_the_others_by_where_they_are() -> None:
    text = adapted('import{options as n}from"preact";n();\n//# sourceMappingURL=hooks.mjs.map\n')

    assert text == 'import{options as n}from"./preact.js";n();\n'
    assert adapted("var one=1;", "one") == "var one=1;\nexport default one;\n"


def test_every_picture_is_shown_somewhere_and_all_of_them_are_small() -> None:
    """They are fetched with every clone; `make pictures` takes them."""
    root = CONSOLE.parents[2]
    shown = {
        name
        for page in [root / "README.md", *(root / "docs").rglob("*.md")]
        for name in re.findall(r"images/([\w-]+\.png)", text_of(page))
    }
    pictures = {picture.name: picture.stat().st_size for picture in (root / "docs" / "images").iterdir()}

    assert shown <= pictures.keys()
    assert sum(pictures.values()) < 1_500_000
