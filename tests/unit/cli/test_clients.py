"""What is printed for people to paste: every block is what its client reads, and has an agent's key."""

import json
import re
import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from forge.cli import agents_md, clients
from forge.cli.clients import AGENT_KEY, CLIENTS
from forge.contract.catalog import load_catalog
from forge.contract.profiles import Selection
from forge.contract.terms import Scope

BASE_URL = "http://127.0.0.1:8787"
URL = f"{BASE_URL}/api/mcp/rpc"
KEY = "forge_sk_an-example_of-a-key"
ROOT = Path(__file__).parents[3]
GUIDE = ROOT / "docs" / "guides" / "connect-your-agent.md"

READERS: dict[str, Callable[[str], Any]] = {
    "json": json.loads,
    "toml": tomllib.loads,
    "yaml": yaml.safe_load,
    "shell": shlex.split,
}


def read(name: str, key: str = KEY, url: str = URL) -> Any:
    client = CLIENTS[name]
    return READERS[client.form.name](client.block(url, key))


HEADERS = {"Authorization": f"Bearer {KEY}"}
EXPECTED: dict[str, object] = {
    "claude": [
        *shlex.split("claude mcp add --transport http forge"),
        URL,
        "--header",
        f"Authorization: Bearer {KEY}",
    ],
    "codex": {"mcp_servers": {"forge": {"url": URL, "bearer_token_env_var": AGENT_KEY}}},
    "cursor": {"mcpServers": {"forge": {"url": URL, "headers": HEADERS}}},
    "vscode": {"servers": {"forge": {"type": "http", "url": URL, "headers": HEADERS}}},
    "windsurf": {"mcpServers": {"forge": {"serverUrl": URL, "headers": HEADERS}}},
    "gemini": {"mcpServers": {"forge": {"httpUrl": URL, "headers": HEADERS}}},
    "zed": {"context_servers": {"forge": {"url": URL, "headers": HEADERS}}},
    "hermes": {"mcp_servers": {"forge": {"url": URL, "headers": HEADERS}}},
}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_client_gets_what_it_reads(name: str) -> None:
    assert read(name) == EXPECTED[name]


def test_a_client_that_knows_only_programs_gets_the_header_by_its_environment() -> None:
    entry = read("mcp-remote")["mcpServers"]["forge"]

    assert entry["command"] == "npx"
    assert "Authorization:${AUTHORIZATION}" in entry["args"]
    assert entry["env"] == {"AUTHORIZATION": f"Bearer {KEY}"}
    assert KEY not in json.dumps(entry["args"])
    assert "--allow-http" in entry["args"]
    safe = read("mcp-remote", url="https://forge.example/api/mcp/rpc")["mcpServers"]["forge"]
    assert "--allow-http" not in safe["args"]


def test_every_client_is_tested() -> None:
    assert {*EXPECTED, "mcp-remote"} == CLIENTS.keys()


@pytest.mark.parametrize("name", ["claude", "codex", "cursor"])
def test_a_machine_of_ones_own_prints_the_same_blocks_below_where_they_go(name: str) -> None:
    client, printed = CLIENTS[name], clients.welcome(BASE_URL, KEY)
    (section,) = [part for part in printed.split("\n\n") if part.startswith(client.label)]
    heading, block = section.split("\n", 1)

    assert printed.splitlines()[0].split()[-1] == BASE_URL
    assert KEY in section
    assert READERS[client.form.name](_dedented(block)) == EXPECTED[name]
    assert (client.form.file or "") in heading


def test_an_owners_key_is_shown_on_a_terminal_and_kept_out_of_files() -> None:
    seen, kept = (
        clients.way_in(f"{BASE_URL}/console", KEY, kept_in=".forge/dev.json", is_seen_by_a_person=is_seen)
        for is_seen in (True, False)
    )

    assert KEY in seen
    assert KEY not in kept
    assert ".forge/dev.json" in kept


def _dedented(block: str) -> str:
    return "\n".join(line.removeprefix("  ") for line in block.splitlines())


@pytest.mark.parametrize(
    ("output", "name"), [("ClaudeCode", "claude"), ("Codex", "codex"), ("Cursor", "cursor")]
)
def test_a_stack_puts_out_the_same_blocks_with_an_agents_variable(output: str, name: str) -> None:
    template = yaml.load((ROOT / "template.yaml").read_text(), yaml.CSafeLoader)
    text, _ = template["Outputs"][output]["Value"]["Fn::Sub"]
    client = CLIENTS[name]

    block = text.replace("${At}", BASE_URL).replace("${!", "${")

    assert block == client.block(URL, client.reference or "")
    assert AGENT_KEY in block


@pytest.mark.parametrize("name", CLIENTS)
def test_the_guide_shows_the_same_blocks(name: str) -> None:
    client = CLIENTS[name]

    assert client.block("$URL/api/mcp/rpc", f"${AGENT_KEY}") in GUIDE.read_text()


def test_what_agents_are_told_names_tools_as_they_are_listed() -> None:
    named = re.findall(r"`([a-zA-Z]+_[a-zA-Z]+)\b", agents_md.BLOCK)
    listed = load_catalog().listing(Selection(), frozenset(Scope))

    assert len(named) > 5
    assert [name for name in named if f'"name":"{name}"' not in listed] == []


def test_no_person_is_asked_for_their_own_key() -> None:
    everything = [client.block(URL, client.reference or KEY) for client in CLIENTS.values()]

    assert all("FORGE_KEY" not in block for block in everything)
