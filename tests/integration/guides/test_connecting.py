"""The guide to connecting an agent: every command of it is run, in its order, against a `forge dev`."""

import os
import re
import subprocess
from pathlib import Path

from tests.integration.cli.dev_process import running_dev
from tests.integration.guides.test_guides import GUIDES, ROOT

_CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def commands_of(guide: Path) -> list[str]:
    lines = [line for block in _CONSOLE.findall(guide.read_text()) for line in block.splitlines()]
    return [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]


def followed(guide: str, environment: dict[str, str], tmp_path: Path) -> str:
    """What all commands of a guide print, none of which may fail."""
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(commands_of(GUIDES / guide))],
        env={"PATH": f"{ROOT}/.venv/bin:{os.environ['PATH']}", **environment},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert '"error"' not in done.stdout
    return done.stdout


def test_an_agent_is_made_connected_and_given_a_first_task_and_a_person_chats_with_one(
    tmp_path: Path,
) -> None:
    with running_dev(tmp_path / "home") as dev:
        mine = {"URL": dev.base_url, "OWNER": dev.owner_key}
        key = {"FORGE_URL": dev.base_url, "FORGE_KEY": dev.owner_key}
        connected = followed("connect-your-agent.md", {**mine, **key}, tmp_path)
        chatted = followed("chat.md", {"FORGE_HOME": str(dev.home)}, tmp_path)

    for word in ('"profileKey":"fixer"', '"status":"COMPLETED"', '"settled":'):
        assert word in connected
    assert "Two of three steps are done." in chatted
