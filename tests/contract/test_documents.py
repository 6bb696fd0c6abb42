"""What the documents name is there: the files that they link, and the targets that they tell to make."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
ARCHITECTURE = ROOT / "docs" / "architecture.md"
DOCUMENTS = sorted([*ROOT.glob("*.md"), ARCHITECTURE, *(ROOT / "docs" / "guides").glob("*.md")])
MOST_WORDS = 45
WORKFLOW = ROOT / ".github" / "workflows" / "ci.yml"
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))

_LINK = re.compile(r"\]\((?!https?:|#|mailto:)(?P<path>[^)#\s]+)")
_MAKE = re.compile(r"(?:`|\$ |run: )(?:[A-Z_]+=\S+ )*make (?P<target>[a-z-]+)")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_document_leads_somewhere(document: Path) -> None:
    text = document.read_text(encoding="utf-8")

    missing = [path for path in _LINK.findall(text) if not (document.parent / path).exists()]

    assert missing == []
    assert set(_MAKE.findall(text)) <= TARGETS


def test_the_words_to_know_before_the_first_tool_are_few() -> None:
    rows = re.findall(r"^\| \*\*(.+?)\*\* \|", ARCHITECTURE.read_text(encoding="utf-8"), re.MULTILINE)
    words = [word for row in rows for word in row.split(", ")]

    assert len(set(words)) == len(words) > 0
    assert len(words) <= MOST_WORDS


def test_the_picture_shows_the_floors_that_are_held() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (floors,) = [one["layers"] for one in contracts if one.get("containers") == ["forge.work"]]
    picture = ARCHITECTURE.read_text(encoding="utf-8").split("```")[1]

    assert re.findall(r"^ (?:forge\.work|          )   (\w+) ", picture, re.MULTILINE) == floors


def test_the_workflow_runs_what_ci_runs_and_targets_that_there_are() -> None:
    jobs = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]
    made = {target for job in jobs.values() for target in _made(job)}

    assert (
        set(re.findall(r"^make (\S+)", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)) <= made <= TARGETS
    )


def _made(job: dict[str, object]) -> list[str]:
    return _MAKE.findall(yaml.safe_dump(job))
