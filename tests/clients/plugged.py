"""The plugin in Claude Code: a session begins with what waits, has skills, and does not end in silence."""

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from forge.wire.paths import RPC_PATH
from infra.plugin import PLUGIN
from tests.clients.claude_code import PROJECT, command_of, environment
from tests.clients.model import Step, modelling
from tests.integration.cli.dev_process import Dev

_SECONDS = 90


def used(dev: Dev, program: Path) -> str:
    key = str(dev.description["keys"]["agents"]["worker"])
    me = dev.call("agents.me", key=key).json()["id"]
    order = {"title": "Oil the hinge", "queue": True, "assignedAgentId": me}
    issue = dev.call("issues.create", order, key=dev.owner_key).json()["identifier"]
    steps = (Step("issues_claim", {"issueId": issue}),)
    with TemporaryDirectory() as folder, modelling(steps) as model:
        home = Path(folder) / "home"
        command = command_of(program, home, url=f"{dev.base_url}{RPC_PATH}", key=key)
        subprocess.run(
            [*command, "--plugin-dir", str(PLUGIN), "-p", "Do what waits for you."],
            env={**environment(home, model), "FORGE_URL": dev.base_url, "FORGE_AGENT_KEY": key},
            cwd=home / PROJECT,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=True,
        )
        began = "\n".join(model.texts(model.requests[0]))
        ended = "\n".join(model.texts(model.requests[-1]))
    assert f"{issue}: Oil the hinge" in began, began[-1500:]
    assert "forge:start-work" in began, began[-1500:]
    assert "Nobody knows how your run on" in ended, ended[-1500:]
    return "told its session what waits, offered its skills, and held it at a silent run"
