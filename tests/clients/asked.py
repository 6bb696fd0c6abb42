"""Claude Code is asked back: at its screen somebody answers; without one nobody does, and it is told how."""

import json
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from forge.wire.paths import RPC_PATH
from tests.clients.at_home import PROMPT
from tests.clients.claude_code import PROJECT, claude_code, command_of, environment
from tests.clients.model import Model, Step, modelling
from tests.clients.screen import BACKSPACE, DOWN, ENTER, RIGHT, Screen
from tests.integration.cli.dev_process import Dev

_SECONDS = 60


def answered(dev: Dev, program: Path) -> str:
    key = str(dev.description["keys"]["agents"]["worker"])
    _projects(dev)
    steps = (
        Step("catalog_call", {"name": "issues.create", "arguments": {"title": "Where", "projectId": "Lock"}}),
        Step("catalog_call", {"name": "projects.archive", "arguments": {"id": "ONE"}}),
    )
    at = {"url": f"{dev.base_url}{RPC_PATH}", "key": key}
    with TemporaryDirectory() as folder, modelling(steps) as model:
        with claude_code(program, Path(folder) / "home", model, **at) as screen:
            _wait_for_tools(screen)
            screen.type(f"Do it.{ENTER}")
            _choose_the_second(screen)
            _say_yes(screen, model)
        told = model.texts(model.requests[-1])
    assert any('"key":"TWO"' in text for text in told), told[-4:]
    assert _archived(dev) == {"ONE": True, "TWO": False}
    _require_told_how(dev, program, key)
    return "puts our questions before somebody, and tells a model without one which argument confirms"


def _projects(dev: Dev) -> None:
    for key in ("ONE", "TWO"):
        made = dev.call("projects.create", {"key": key, "name": "Lock"}, key=dev.owner_key)
        dev.call("issues.create", {"title": "Open", "projectId": made.json()["id"]}, key=dev.owner_key)


def _wait_for_tools(screen: Screen) -> None:
    """Its prompts are there once it is connected."""
    screen.type(PROMPT)
    screen.wait_for(r"forge:start_work \(MCP\)")
    screen.type(BACKSPACE * len(PROMPT))


def _choose_the_second(screen: Screen) -> None:
    screen.wait_for("More than one project is meant by 'Lock'")
    screen.press_until(RIGHT, r"◯ TWO \(Lock\)")
    screen.press_until(DOWN, r"❯ ◯ TWO \(Lock\)")
    screen.press_until(ENTER, r"❯ Accept")
    screen.press_until(ENTER, r"Archive the project Lock \(ONE\)\?")


def _say_yes(screen: Screen, model: Model) -> None:
    screen.press_until(" ", "✔ Do it")
    screen.press_until(DOWN, r"❯ Accept")
    screen.press_until(ENTER, model.last_word)


def _archived(dev: Dev) -> dict[str, bool]:
    listed = dev.call("projects.list", {"includeArchived": True}, key=dev.owner_key).json()["data"]
    return {one["key"]: one["archived"] for one in listed if one["name"] == "Lock"}


def _require_told_how(dev: Dev, program: Path, key: str) -> None:
    step = Step("catalog_call", {"name": "projects.archive", "arguments": {"id": "TWO"}})
    with TemporaryDirectory() as folder, modelling([step]) as model:
        home = Path(folder) / "home"
        command = command_of(program, home, url=f"{dev.base_url}{RPC_PATH}", key=key)
        subprocess.run(
            [*command, "-p", "Do it."],
            env=environment(home, model),
            cwd=home / PROJECT,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=True,
        )
        told = [text for text in model.texts(model.requests[-1]) if "Nothing was done" in text]
    error: dict[str, Any] = json.loads(told[-1][told[-1].index("{") :]) if told else {}
    assert error.get("issues", {}).keys() == {"confirm"}, told
    assert _archived(dev)["TWO"] is False
