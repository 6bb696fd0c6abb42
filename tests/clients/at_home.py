"""What a person sees of Forge in Claude Code: its prompts and resources, and a prompt that is carried out."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from forge.wire.paths import RPC_PATH
from tests.clients.claude_code import claude_code
from tests.clients.model import Model, Step, modelling
from tests.clients.screen import BACKSPACE, ENTER, Screen
from tests.integration.cli.dev_process import Dev

PROMPT, TEMPLATE = "/start_work", "@forge:forge://issue/"
_RUN = re.compile(r'"runId":"(\w+)"')


def seen(dev: Dev, program: Path) -> str:
    """Raises NotSeen, or AssertionError, with what came instead."""
    key = str(dev.description["keys"]["agents"]["worker"])
    order = {"title": "Fix the lock", "queue": True}
    issue = dev.call("issues.create", order, key=dev.owner_key).json()["identifier"]
    steps = (
        Step("issues_claim", {"issueId": issue, "include": "bundle"}),
        Step("comments_upsertStatus", {"issueId": issue, "body": "It is half done."}),
        Step("runs_complete", {"runId": _RUN, "summary": "The lock holds; tried ten times."}),
    )
    with TemporaryDirectory() as folder, modelling(steps) as model:
        at = {"url": f"{dev.base_url}{RPC_PATH}", "key": key}
        with claude_code(program, Path(folder) / "home", model, **at) as screen:
            _look_around(screen, issue)
            screen.type(f"/mcp__forge__start_work {issue}{ENTER}")
            screen.wait_for(model.last_word)
        _require_followed(model, issue)
    run = _run_of(dev, issue)
    assert run["status"] == "COMPLETED", run
    return f"shows prompts and resources, and start_work completed {run['id']}"


def _look_around(screen: Screen, issue: str) -> None:
    screen.type(PROMPT)
    screen.wait_for(r"forge:start_work \(MCP\) .*\(arguments: issue\)")
    screen.type(BACKSPACE * len(PROMPT))
    screen.type(TEMPLATE)
    screen.wait_for(rf"◇ {issue}\b")
    screen.type(BACKSPACE * len(TEMPLATE))


def _require_followed(model: Model, issue: str) -> None:
    """The prompt became the person's words, with its argument filled in."""
    first = model.requests[0]
    said = next((text for text in model.texts(first) if "Take one issue of Forge" in text), "")
    assert f"The issue: {issue} (" in said, model.texts(first)
    assert len(model.requests) == len(model.steps) + 1, len(model.requests)


def _run_of(dev: Dev, issue: str) -> dict[str, Any]:
    (run,) = dev.call("runs.list", {"issueId": issue}, key=dev.owner_key).json()["data"]
    return dict(run)
