"""A running `forge dev`: what it writes down, who may do what, whom it listens to, what it prints."""

import json
import re
import shlex
import socket
import stat
import tomllib
import urllib.request
from pathlib import Path
from typing import Any

import httpx
import pytest

from forge.cli import function_variables
from forge.cli.seed import AGENTS
from forge.context import KeyKind
from forge.contract.terms import Scope
from forge.store.connections import Connections
from forge.wire.paths import HEALTH_PATH, RPC_PATH
from forge.wire.protocol import LATEST_LEGACY_VERSION
from tests.integration.cli.dev_process import Dev
from tests.integration.cli.processes import (
    HOST,
    bound_sockets,
    forge,
)

EVERYTHING = {scope.value for scope in Scope}
ALL_BUT_ADMIN = EVERYTHING - {Scope.ADMIN}
READING = {scope for scope in EVERYTHING if scope.startswith("READ_")}
SCOPES = {"owner": EVERYTHING, "member": ALL_BUT_ADMIN, "readonly": READING} | dict.fromkeys(
    AGENTS, ALL_BUT_ADMIN
)


def keys_of(dev: Dev) -> dict[str, str]:
    """Every key that is written down, by whose it is."""
    known = dict(dev.description["keys"])
    agents = known.pop("agents")
    return {**known, **agents}


def listed_keys(dev: Dev) -> list[Any]:
    response = dev.call("keys.list", {"limit": 100}, key=dev.owner_key, surface="admin")
    return list(response.json()["data"])


def mode_of(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def shape_of(value: object) -> object:
    return (
        {name: shape_of(inner) for name, inner in value.items()} if isinstance(value, dict) else type(value)
    )


def lines_after(heading: str, output: str) -> str:
    """The indented lines below a heading."""
    below = output[output.index(f"\n{heading}") :].split("\n", 2)[2]
    return below.split("\n\n", 1)[0]


def test_dev_json_has_the_documented_shape(dev: Dev) -> None:
    agent = {"id": str, "profileKey": str}
    user = {"id": str, "handle": str}

    assert shape_of(dev.description) == {
        "baseUrl": str,
        "workspace": {"id": str, "slug": str, "key": str},
        "repository": str,
        "keys": {
            "owner": str,
            "member": str,
            "readonly": str,
            "agents": {"planner": str, "worker": str, "reviewer": str},
        },
        "users": {"owner": user, "member": user},
        "agents": {"planner": agent, "worker": agent, "reviewer": agent},
    }


def test_dev_json_describes_what_is_really_there(dev: Dev) -> None:
    known = dev.description
    members = dev.call("members.list", key=dev.owner_key, surface="admin").json()["data"]
    agents = dev.call("agents.list", key=dev.owner_key).json()["data"]
    workspace = dev.call("workspace.get", key=dev.owner_key).json()

    assert known["baseUrl"] == dev.base_url
    assert known["repository"] == "demo/app"
    assert {name: workspace[name] for name in known["workspace"]} == known["workspace"]
    assert known["workspace"]["slug"] == "demo"
    assert {member["handle"]: member["id"] for member in members} == {
        user["handle"]: user["id"] for user in known["users"].values()
    }
    assert {agent["profileKey"]: agent["id"] for agent in agents} == {
        key: agent["id"] for key, agent in known["agents"].items()
    }


def test_links_in_answers_lead_to_this_server(dev: Dev) -> None:
    order = {"title": "A link that works", "priority": "low", "type": "docs"}

    made = dev.call("create_issue", order, key=dev.owner_key).json()["issue"]

    assert made["html_url"] == f"{dev.base_url}/console/issues/{made['identifier']}"


def test_dev_json_is_readable_by_its_owner_only(dev: Dev) -> None:
    assert mode_of(dev.home / "dev.json") == 0o600


def test_a_token_works_and_the_secret_that_signs_it_is_private(dev: Dev) -> None:
    (key_id, *_) = [key["id"] for key in listed_keys(dev) if dev.owner_key.startswith(key["prefix"])]

    minted = dev.call("tokens.create", {"keyId": key_id}, key=dev.owner_key, surface="admin").json()

    assert dev.call("workspace.get", key=minted["token"]).status_code == 200
    assert mode_of(dev.home / "token-secret") == 0o600


@pytest.mark.parametrize("whose", SCOPES)
def test_every_key_has_the_scopes_of_its_role(dev: Dev, whose: str) -> None:
    raw_key = keys_of(dev)[whose]

    (entry,) = [entry for entry in listed_keys(dev) if raw_key.startswith(entry["prefix"])]

    assert set(entry["scopes"]) == SCOPES[whose]
    is_agent = whose in AGENTS
    assert entry["kind"] == (KeyKind.AGENT if is_agent else KeyKind.PERSONAL)
    assert entry["linkedAgentId"] == (dev.description["agents"][whose]["id"] if is_agent else None)


@pytest.mark.parametrize("whose", SCOPES)
def test_every_key_works_and_only_the_owner_administers(dev: Dev, whose: str) -> None:
    raw_key = keys_of(dev)[whose]

    assert dev.call("workspace.get", key=raw_key).status_code == 200
    administering = dev.call("workspaces.get", key=raw_key, surface="admin")
    assert (administering.status_code == 200) == (whose == "owner")


@pytest.mark.parametrize("whose", AGENTS)
def test_an_agents_key_speaks_for_that_agent(dev: Dev, whose: str) -> None:
    me = dev.call("agents.me", key=keys_of(dev)[whose]).json()

    assert {"id": me["id"], "profileKey": me["profileKey"]} == dev.description["agents"][whose]


def test_nothing_listens_beyond_loopback(dev: Dev) -> None:
    ours, emulators = bound_sockets(dev.process.pid), bound_sockets(dev.emulator)

    assert dev.port in [bound.port for bound in ours]
    assert emulators
    assert [bound for bound in ours + emulators if not bound.address.is_loopback] == []


@pytest.mark.parametrize("path", [HEALTH_PATH, "/docs", "/openapi.json", "/api/mcp/describe"])
def test_a_page_under_a_foreign_name_is_refused(dev: Dev, path: str) -> None:
    own, foreign = dev.get(path), dev.get(path, host="forge.example")

    assert (own.status_code, foreign.status_code) == (200, 403)


def test_the_printed_curl_line_works(dev: Dev) -> None:
    command, silent, url, *options = shlex.split(lines_after("curl", dev.output))
    given = dict(zip(options[::2], options[1::2], strict=True))
    header, _, value = given["-H"].partition(": ")

    request = urllib.request.Request(url, method=given["-X"], headers={header: value})
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=30) as response:
        answer = json.load(response)

    assert (command, silent) == ("curl", "-s")
    assert answer["profileKey"] == "worker"


def initialize(url: str, authorization: str) -> Any:
    """What a client says first."""
    params = {
        "protocolVersion": LATEST_LEGACY_VERSION,
        "capabilities": {},
        "clientInfo": {"name": "a client", "version": "1"},
    }
    response = httpx.post(
        url,
        json={"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params},
        headers={"authorization": authorization, "accept": "application/json, text/event-stream"},
        trust_env=False,
    )
    assert response.status_code == 200, response.text
    return response.json()["result"]


def test_the_printed_configuration_of_cursor_works(dev: Dev) -> None:
    server = json.loads(lines_after("Cursor", dev.output))["mcpServers"]["forge"]

    result = initialize(server["url"], server["headers"]["Authorization"])

    assert result["serverInfo"]["name"] == "forge"


def test_the_printed_configuration_of_codex_works(dev: Dev) -> None:
    server = tomllib.loads(lines_after("Codex", dev.output))["mcp_servers"]["forge"]
    exported = re.search(rf"export {server['bearer_token_env_var']}=([^\s)]+)", dev.output)

    assert exported
    result = initialize(server["url"], f"Bearer {exported[1]}")

    assert result["serverInfo"]["name"] == "forge"


def test_the_printed_command_for_claude_code_works(dev: Dev) -> None:
    words = shlex.split(lines_after("Claude Code", dev.output))
    header, _, value = words[words.index("--header") + 1].partition(": ")

    assert words[words.index("--transport") + 1] == "http"
    assert header == "Authorization"
    assert initialize(f"{dev.base_url}{RPC_PATH}", value)["serverInfo"]["name"] == "forge"
    assert f"{dev.base_url}{RPC_PATH}" in words


def test_calls_are_logged_without_keys(dev: Dev) -> None:
    dev.call("workspace.get", key=dev.owner_key)

    logged = (dev.home / "calls.jsonl").read_text(encoding="utf-8")

    assert "workspace.get" in [json.loads(line).get("operation") for line in logged.splitlines()]
    assert [key for key in keys_of(dev).values() if key in logged] == []


def test_forge_admin_finds_it_by_its_home(dev: Dev) -> None:
    asked = forge("admin", "workspaces.get", "--json", FORGE_HOME=str(dev.home))

    assert asked.returncode == 0, asked.stderr
    assert json.loads(asked.stdout)["id"] == dev.description["workspace"]["id"]


def test_a_taken_port_is_refused_before_anything_is_started(dev: Dev, tmp_path: Path) -> None:
    with socket.create_server((HOST, 0)) as other:
        port = other.getsockname()[1]
        refused = forge("dev", "--port", str(port), "--home", str(tmp_path / "home"))

    assert refused.returncode == 1
    assert str(port) in refused.stdout
    assert "Traceback" not in refused.stdout + refused.stderr
    assert list(tmp_path.iterdir()) == []
    assert dev.is_healthy()


def test_a_second_one_on_the_same_home_is_refused_and_the_first_goes_on(dev: Dev) -> None:
    before, files = dev.description, sorted(dev.home.rglob("*"))

    refused = forge("dev", "--port", str(dev.port), "--home", str(dev.home))

    assert refused.returncode == 1
    assert str(dev.home) in refused.stdout
    assert str(dev.process.pid) in refused.stdout
    assert dev.base_url in refused.stdout
    assert "Traceback" not in refused.stdout + refused.stderr
    assert dev.description == before
    assert sorted(dev.home.rglob("*")) == files
    assert dev.call("workspace.get", key=dev.owner_key).status_code == 200


def test_nobody_else_can_read_anything_in_the_home(dev: Dev) -> None:
    modes = {file: mode_of(file) for file in (dev.home, *dev.home.rglob("*"))}

    assert {file: oct(mode) for file, mode in modes.items() if mode & 0o077} == {}


def test_what_functions_need_beside_it_is_written_for_its_owner_alone(dev: Dev) -> None:
    file = function_variables.file_in(dev.home)

    variables = function_variables.read(dev.home)
    connections = Connections(
        variables["AWS_REGION"],
        variables["AWS_ENDPOINT_URL"],
        (variables["AWS_ACCESS_KEY_ID"], variables["AWS_SECRET_ACCESS_KEY"]),
    )
    waiting = connections.sqs().get_queue_attributes(QueueUrl=variables["FORGE_QUEUE_DISPATCH"])

    assert file.stat().st_mode & 0o077 == 0
    assert connections.tables().ask("DescribeTable", {"TableName": variables["FORGE_TABLE"]})
    assert waiting["ResponseMetadata"]["HTTPStatusCode"] == 200
