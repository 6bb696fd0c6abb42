"""The guides do what they say: each is followed step by step in a copy of the project."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
GUIDES = ROOT / "docs" / "guides"
EXAMPLES = ROOT / "docs" / "examples"
GUIDE = GUIDES / "add-a-tool.md"
MOST_GENERATED_LINES = 300
"""That a tool adds or changes, with a namespace of its own: more is not looked at by whoever reviews it."""

_FILE_BLOCK = re.compile(r'^```python title="(?P<path>[^"]+)"\n(?P<text>.*?)^```$', re.MULTILINE | re.DOTALL)
_QUOTED_BLOCK = re.compile(
    r'^```(?:python|toml) from="(?P<path>[^"]+)"\n(?P<text>.*?)^```$', re.MULTILINE | re.DOTALL
)
_SHELL_BLOCK = re.compile(r"^```bash\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("guide", sorted(GUIDES.glob("*.md")), ids=lambda guide: str(guide.stem))
def test_the_code_in_a_guide_is_the_code_in_the_examples(guide: Path) -> None:
    shown = {match["path"]: match["text"] for match in _FILE_BLOCK.finditer(guide.read_text())}

    example = EXAMPLES / guide.stem.replace("-", "_")
    kept = {str(path.relative_to(example)): path.read_text() for path in example.rglob("*.py")}

    assert shown == kept


@pytest.mark.parametrize("guide", sorted(GUIDES.glob("*.md")), ids=lambda guide: str(guide.stem))
def test_what_a_guide_quotes_stands_in_the_source(guide: Path) -> None:
    quoted = [(match["path"], match["text"]) for match in _QUOTED_BLOCK.finditer(guide.read_text())]

    assert [path for path, text in quoted if text not in (ROOT / path).read_text()] == []


def test_the_test_of_a_tool_that_the_guide_shows_passes() -> None:
    _run(f"{ROOT}/.venv/bin/pytest -q -p no:cacheprovider docs/examples/test_your_tool", ROOT)


OMISSIONS = {
    "the names that the answer shows": (
        "functions/escalations/tools.py",
        "begin_change(desk, keys_of(desk.issue))",
        "begin_change(desk)",
    ),
    "everything that a change is decided on": (
        "functions/escalations/tools.py",
        "change = begin_change(desk, keys_of(desk.issue))",
        "desk.fetch(keys_of(desk.issue)[:-1])\n    change = IssueChange(desk)",
    ),
    "the event": (
        "functions/escalations/rules.py",
        'change.announce(ISSUE_PRIORITIZED, told, action="escalate")',
        "del told",
    ),
    "what it emits": ("functions/escalations/tools.py", "    emits=[ISSUE_PRIORITIZED, RUN_STARTED],\n", ""),
    "what it costs": ("functions/escalations/tools.py", "    costs=Cost(reads=2, writes=1, items=9),\n", ""),
    "the write": ("functions/escalations/tools.py", "save(ctx.plan(), change)", "change.issue"),
}


def test_following_the_guide_adds_a_tool_that_is_listed_documented_and_tested(tmp_path: Path) -> None:
    copy = _copy_of_the_project(tmp_path / "project")
    guide = GUIDE.read_text()
    _run("git init --quiet && git add .", copy)

    for block in _FILE_BLOCK.finditer(guide):
        target = copy / block["path"]
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(block["text"])
    for commands in _SHELL_BLOCK.findall(guide):
        _run(commands, copy)

    catalog = json.loads((copy / "shared/forge/contract/catalog.json").read_text())
    assert "escalations.escalate" in [tool["name"] for tool in catalog["tools"]]
    page = (copy / "docs/reference/escalations.md").read_text()
    assert "`ISSUE_PRIORITY_CHANGED`" in page
    assert "at most 2 reads and 1 write of at most 9 items" in page
    assert '"priority": "URGENT"' in page
    template = (copy / "template.yaml").read_text()
    assert "EscalationsFunction:" in template
    assert "RouteKey: POST /api/mcp/escalations.escalate" in template
    openapi = json.loads((copy / "shared/forge/wire/openapi.json").read_text())
    assert "/api/mcp/escalations.escalate" in openapi["paths"]
    written = {block["path"] for block in _FILE_BLOCK.finditer(guide)}
    changed = _changed_lines(copy)
    assert written <= changed.keys()
    assert sum(changed[name] for name in changed.keys() - written) <= MOST_GENERATED_LINES, changed
    assert _changed_lines(copy, "':(exclude,attr:generated)'").keys() == written
    _assert_omissions_are_noticed(
        copy, {block["path"]: block["text"] for block in _FILE_BLOCK.finditer(guide)}
    )


def _assert_omissions_are_noticed(copy: Path, files: Mapping[str, str]) -> None:
    """Whoever leaves one out is told by the contract tests, which know nothing of the tool but its sample.

    Each by a namespace of its own, so that one run of the tests tells of all.
    """
    for number, (file, said, instead) in enumerate(OMISSIONS.values()):
        assert said in files[file]
        for path, text in files.items():
            if not path.startswith("tests/unit/"):
                shown = text.replace(said, instead) if path == file else text
                target = copy / path.replace("escalations", f"escalations{number}")
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(shown.replace("escalations", f"escalations{number}"))
    # The catalog is all that these tests need of what is generated.
    _run(".venv/bin/python -m infra.generate --catalog", copy)
    modules = "tests/contract/test_costs.py tests/contract/test_emitted.py tests/contract/test_log_rows.py"

    done = _finished(f".venv/bin/pytest -q -rfE {modules} -k escalat", copy)

    failed = {line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))}
    for number, what in enumerate(OMISSIONS):
        told = [line for line in failed if f"[escalations{number}." in line]
        assert told, f"nobody notices that {what} is missing: {done.stdout[-3000:]}"
    assert not [line for line in failed if "[escalations." in line]


def _changed_lines(copy: Path, among: str = ".") -> dict[str, int]:
    """How many were added and removed since the copy was made, by file."""
    done = _finished(f"git add --intent-to-add . && git diff --numstat -- {among}", copy)
    rows = [row.split("\t") for row in done.stdout.splitlines()]
    return {name: int(added) + int(removed) for added, removed, name in rows}


def _copy_of_the_project(target: Path) -> Path:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.splitlines():
        if (ROOT / name).exists():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    # With what was compiled of it, or the first who imports it compiles for seconds.
    for source in ("shared", "functions", "infra", "tests"):
        for folder in (ROOT / source).rglob("__pycache__"):
            if (target / folder.relative_to(ROOT).parent).exists():
                unfinished = shutil.ignore_patterns("*.pyc.*")
                shutil.copytree(folder, target / folder.relative_to(ROOT), ignore=unfinished)
    # What is installed is borrowed, and marked as installed: make must not install into the original.
    (target / ".tools").symlink_to(ROOT / ".tools")
    (target / ".venv").mkdir()
    for entry in (ROOT / ".venv").iterdir():
        if entry.name != ".installed":
            (target / ".venv" / entry.name).symlink_to(entry)
    (target / ".venv" / ".installed").touch()
    return target


def _run(commands: str, folder: Path) -> None:
    done = _finished(commands, folder)
    if done.returncode != 0:
        pytest.fail(f"{commands}\n{done.stdout}\n{done.stderr}")


def _finished(commands: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    own_sources_first = f"{folder / 'shared'}{os.pathsep}{folder}"
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST_", "MAKE", "MFLAGS"))
    }
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=folder,
        env=environment | {"PYTHONPATH": own_sources_first},
        capture_output=True,
        text=True,
        check=False,
    )
