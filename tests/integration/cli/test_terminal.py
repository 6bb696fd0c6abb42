"""A person's terminal: every tool, tables of what there is, and agents connected."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from forge import __version__
from forge.cli import agents_md, clients, lists
from forge.cli.main import app
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.testing.server import serve
from forge.testing.world import World
from tests.integration.cli.terminals import Terminal

SOURCES = Path(__file__).parents[3] / "shared" / "forge"
_COMMAND = re.compile(r"\bforge ((?:pipeline )?[a-z]+(?:-[a-z]+)*)(?![a-z.])")


@pytest.fixture(scope="module")
def terminal(connections: Connections, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    world = World(store=provision(connections, "forge-test-terminal"))
    with serve(world.edge) as url:
        yield Terminal(url, world.owner_key(), tmp_path_factory.mktemp("home"))


def test_any_tool_is_called_by_name_with_what_it_takes(terminal: Terminal) -> None:
    made = terminal.typed("call", "issues.create", "title=Fix login", "priority=HIGH", "--json")
    found = terminal.typed("call", "issues_get", f"id={json.loads(made.stdout)['identifier']}")

    assert (made.exit_code, found.exit_code) == (0, 0), found.stderr
    assert "Fix login" in found.stdout


def test_what_a_tool_takes_is_shown_and_what_it_refuses_is_told(terminal: Terminal) -> None:
    shown, unknown = terminal.typed("call", "issues.create", "help"), terminal.typed("call", "isues.create")
    behind_the_other, refused = terminal.typed("call", "keys.list"), terminal.typed("call", "issues.get")

    assert "priority" in shown.stdout
    assert (unknown.exit_code, "issues.create" in unknown.stderr) == (2, True)
    assert (behind_the_other.exit_code, "forge admin keys.list" in behind_the_other.stderr) == (2, True)
    assert (refused.exit_code, "id" in refused.stderr) == (1, True)


def test_an_agent_is_made_given_a_key_and_connected(terminal: Terminal) -> None:
    printed = terminal.typed("connect", "fixer", "--client", "vscode")
    again = json.loads(terminal.typed("connect", "FIXER", "--client", "codex", "--json").stdout)

    block = "\n".join(line for line in printed.stdout.splitlines() if line.startswith("  "))
    entry = json.loads(block)["servers"]["forge"]
    me = terminal.typed(
        "call", "agents.me", "--key", entry["headers"]["Authorization"].removeprefix("Bearer ")
    )
    assert "fixer" in me.stdout
    assert "X-Forge-Session" in printed.stdout
    assert all(line in printed.stdout.splitlines() for line in agents_md.BLOCK.splitlines())
    assert again["agentsMd"] == agents_md.BLOCK
    assert again["block"].startswith("[mcp_servers.forge]")
    agents = json.loads(terminal.typed("call", "agents.list", "--json").stdout)["data"]
    assert [one["profileKey"] for one in agents] == ["fixer"]


def test_a_client_that_nobody_knows_is_told_with_those_that_are(terminal: Terminal) -> None:
    refused = terminal.typed("connect", "nobody", "--client", "emacs")

    assert refused.exit_code == 2
    assert all(name in refused.stderr for name in clients.CLIENTS)


@pytest.mark.parametrize("what", lists.LISTS)
def test_what_there_is_is_a_table(terminal: Terminal, what: str) -> None:
    terminal.typed("call", "issues.create", "title=Ship it")

    table, data = terminal.typed("list", what), terminal.typed("list", what, "--json")

    assert (table.exit_code, data.exit_code) == (0, 0), table.stderr
    rows = json.loads(data.stdout)["data"]
    first, *_ = lists.LISTS[what].columns
    assert (first if rows else "nothing") in table.stdout


def test_the_version_is_said() -> None:
    assert CliRunner().invoke(app, ["--version"]).stdout == f"forge {__version__}\n"


def test_no_text_names_a_command_that_is_not_there() -> None:
    texts = [
        path.read_text()
        for folder in (SOURCES, SOURCES.parents[1] / "functions", SOURCES.parents[1] / "docs" / "guides")
        for path in folder.rglob("*")
        if path.suffix in (".py", ".md", ".js", ".html")
    ]
    named = {match for text in texts for line in text.splitlines() for match in _quoted_commands(line)}

    missing = {one for one in named if CliRunner().invoke(app, [*one.split(), "--help"]).exit_code != 0}

    assert len(named) > 8
    assert missing == set()


def _quoted_commands(line: str) -> list[str]:
    """What is written as a command: in code marks, quotes, or after a prompt."""
    marked = re.findall(r"[`\"'$]\s?(?:\.venv/bin/)?(forge [a-z][^`\"']*)", line)
    return [found[1] for one in marked if (found := _COMMAND.match(one))]
