"""The plugin for Claude Code: its hooks are run as Claude Code runs them, against a `forge dev`."""

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from infra.plugin import PLUGIN
from tests.integration.cli.dev_process import Dev, running_dev
from tests.integration.cli.processes import HOST, an_environment

STOP = {"hook_event_name": "Stop", "stop_hook_active": False}


class Office(NamedTuple):
    """A Forge with an agent at work."""

    dev: Dev
    key: str

    def call(self, tool: str, arguments: Mapping[str, Any], *, by_owner: bool = False) -> dict[str, Any]:
        answer = self.dev.call(tool, arguments, key=self.dev.owner_key if by_owner else self.key)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def hook(self, event: str, told: Mapping[str, Any]) -> subprocess.CompletedProcess[str]:
        return run_hook(event, told, FORGE_URL=self.dev.base_url, FORGE_AGENT_KEY=self.key)


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    with running_dev(tmp_path_factory.mktemp("plugin") / "home") as dev:
        yield Office(dev, str(dev.description["keys"]["agents"]["worker"]))


def run_hook(event: str, told: Mapping[str, Any], **environment: str) -> subprocess.CompletedProcess[str]:
    """The command that is declared for the event."""
    declared = json.loads((PLUGIN / "hooks" / "hooks.json").read_text())["hooks"][event]
    (command,) = [hook["command"] for entry in declared for hook in entry["hooks"]]
    return subprocess.run(
        ["bash", "-c", command],
        input=json.dumps(told),
        env=an_environment(CLAUDE_PLUGIN_ROOT=str(PLUGIN), PYTHONDONTWRITEBYTECODE="1", **environment),
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def silent(done: subprocess.CompletedProcess[str]) -> bool:
    return (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_session_begins_with_what_waits_for_its_agent(office: Office) -> None:
    order = {"title": "Fix the door", "assignedAgentId": office.call("agents.me", {})["id"]}
    issue = office.call("issues.create", order, by_owner=True)["identifier"]
    row = next(one for one in office.call("agent.inbox", {})["data"] if one.get("issue") == issue)

    done = office.hook("SessionStart", {"source": "startup"})

    assert done.returncode == 0, done.stderr
    assert f"{issue}: Fix the door -> {row['call']['tool'].replace('.', '_')}" in done.stdout


def test_a_session_does_not_end_on_a_live_run_without_a_status(office: Office) -> None:
    issue = office.call("issues.create", {"title": "Fix it", "queue": True}, by_owner=True)["identifier"]
    run = office.call("issues.claim", {"issueId": issue})["runId"]

    refused = office.hook("Stop", STOP)
    again = office.hook("Stop", {**STOP, "stop_hook_active": True})
    office.dev.advance(1)
    office.call("comments.upsertStatus", {"issueId": issue, "body": "Half of it."})
    let_go = office.hook("Stop", STOP)

    told = json.loads(refused.stdout)
    assert told["decision"] == "block"
    assert run in told["reason"]
    assert silent(again)
    assert run not in let_go.stdout


@pytest.mark.parametrize("event", ["SessionStart", "Stop"])
@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"FORGE_AGENT_KEY": "forge_sk_none", "FORGE_URL": f"http://{HOST}:1"},
        {"FORGE_AGENT_KEY": "x", "FORGE_URL": "?"},
    ],
)
def test_without_a_key_or_a_network_hooks_say_nothing(event: str, environment: dict[str, str]) -> None:
    assert silent(run_hook(event, STOP, **environment))


def test_a_key_that_is_not_known_holds_nobody_up(office: Office) -> None:
    wrong = {"FORGE_URL": office.dev.base_url, "FORGE_AGENT_KEY": "forge_sk_wrong"}

    assert silent(run_hook("Stop", STOP, **wrong))
    assert silent(run_hook("SessionStart", {}, **wrong))


def test_the_plugin_connects_to_where_its_hooks_ask() -> None:
    entry = json.loads((PLUGIN / ".mcp.json").read_text())["mcpServers"]["forge"]

    assert entry["url"] == "${FORGE_URL:-http://127.0.0.1:8787}/api/mcp/rpc"
    assert entry["headers"] == {"Authorization": "Bearer ${FORGE_AGENT_KEY}"}
    assert all(os.access(path, os.R_OK) for path in (PLUGIN / "hooks").glob("*.py"))
    assert Path(PLUGIN / ".claude-plugin" / "plugin.json").exists()
