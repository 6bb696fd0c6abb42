"""Exports on one machine: the lines in the answer, and from a terminal, however long they are."""

import json
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from forge.cli.main import app
from tests.integration.cli.dev_process import Dev
from tests.integration.cli.processes import PLAIN

TITLE = "Größe \N{SNOWMAN} of the export"


def export(dev: Dev, **headers: str) -> httpx.Response:
    bearer = {"authorization": f"Bearer {dev.owner_key}"}
    url = f"{dev.base_url}/api/admin/export"
    return httpx.post(url, headers={**bearer, **headers}, timeout=60, trust_env=False, verify=PLAIN)


def typed(dev: Dev, *words: str) -> tuple[int, list[dict[str, object]], str]:
    """How the command ended, the lines that it wrote, and what it said beside them."""
    result = CliRunner().invoke(
        app, ["admin", *words], env={"FORGE_HOME": str(dev.home), "FORGE_URL": None, "FORGE_KEY": None}
    )
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()], result.stderr


@pytest.fixture
def issue(dev: Dev) -> dict[str, str]:
    made = dev.call("issues.create", {"title": TITLE}, key=dev.owner_key)
    assert made.status_code == 200, made.text
    found: dict[str, str] = made.json()
    return found


def test_a_plain_post_gets_the_lines(dev: Dev, issue: dict[str, str]) -> None:
    answer = export(dev)

    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/x-ndjson")
    first, *items, last = (json.loads(line) for line in answer.text.splitlines())
    assert first["export"]["workspace"]["slug"] == "demo"
    assert last["end"]["items"] == len(items)
    assert issue["id"] in [one["item"].get("id") for one in items]


def test_what_is_fetched_by_its_url_is_what_the_terminal_writes(dev: Dev, issue: dict[str, str]) -> None:
    ordered = export(dev, prefer="respond-async")
    code, lines, said = typed(dev, "export")

    assert ordered.status_code == 202
    assert (code, said) == (0, "")
    assert TITLE in json.dumps(lines, ensure_ascii=False)
    assert "end" in lines[-1]


def test_what_is_too_much_for_an_answer_is_waited_for_and_fetched(dev: Dev, issue: dict[str, str]) -> None:
    for _ in range(45):
        body = {"issueId": issue["id"], "body": "\N{SNOWMAN}" * 33_000}
        assert dev.call("comments.create", body, key=dev.owner_key).status_code == 200

    answer = export(dev)
    code, lines, said = typed(dev, "export")

    assert answer.status_code == 202
    assert (code, answer.json()["status"]) == (0, "DONE")
    assert "is being written" in said
    assert lines[-1] == {"end": {"items": len(lines) - 2}}


def test_a_refusal_is_told_in_the_terminal(dev: Dev, tmp_path: Path) -> None:
    code, lines, said = typed(dev, "export", "since=2026")

    assert (code, lines) == (1, [])
    assert "since" in said
