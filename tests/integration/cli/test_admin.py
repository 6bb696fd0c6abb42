"""`forge admin` from a terminal: what it sends, what it shows, and how it ends."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from forge.cli.local.listening import free_port
from forge.cli.main import app
from forge.contract.catalog import load_catalog
from forge.contract.terms import Surface
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.testing.server import serve
from forge.testing.world import World
from tests.integration.cli.processes import HOST, forge

ADMIN_TOOLS = [tool.name for tool in load_catalog().on(Surface.ADMIN)]
NOBODYS_KEY = "forge_sk_" + "A" * 43
NOWHERE = {"FORGE_URL": f"http://{HOST}:1", "FORGE_KEY": NOBODYS_KEY}


@pytest.fixture(scope="module")
def at(connections: Connections) -> Iterator[dict[str, str]]:
    """Where a Forge runs, and its owner's key, as a user would export them: one for all tests here."""
    world = World(store=provision(connections, "forge-test-admin"))
    with serve(world.edge) as url:
        yield {"FORGE_URL": url, "FORGE_KEY": world.owner_key()}


def typed(*words: str, at: Mapping[str, str], home: Path) -> Result:
    """The command in this process: what it prints and its exit code are the same."""
    mine = {name: None for name in os.environ if name.startswith("FORGE_")}
    wide = {"COLUMNS": "400", "FORGE_HOME": str(home)}
    return CliRunner().invoke(app, ["admin", *words], env={**mine, **wide, **at})


def answered(*words: str, at: Mapping[str, str], home: Path) -> Any:
    result = typed(*words, "--json", at=at, home=home)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@contextmanager
def a_stranger(status: int, body: bytes) -> Iterator[str]:
    """A web server that is no Forge."""

    class Stranger(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer((HOST, 0), Stranger) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://{HOST}:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def test_without_a_tool_it_lists_all_of_them(tmp_path: Path) -> None:
    listed = typed(at={}, home=tmp_path)

    assert (listed.exit_code, listed.stderr) == (0, "")
    assert [name for name in ADMIN_TOOLS if name not in listed.stdout] == []


@pytest.mark.parametrize("tool", load_catalog().on(Surface.ADMIN), ids=lambda tool: str(tool.name))
def test_help_shows_everything_a_tool_takes(tmp_path: Path, tool: Any) -> None:
    result = typed(tool.name, "help", at={}, home=tmp_path)

    assert (result.exit_code, result.stderr) == (0, "")
    assert tool.description.splitlines()[0] in result.stdout
    assert [name for name in tool.input_schema["properties"] if name not in result.stdout] == []


def test_a_list_is_shown_as_a_table(at: dict[str, str], tmp_path: Path) -> None:
    shown = forge("admin", "members.list", **at, FORGE_HOME=str(tmp_path), COLUMNS="200")

    heading, owner = shown.stdout.splitlines()
    assert (shown.returncode, shown.stderr) == (0, "")
    assert heading.split()[:2] == ["id", "email"]
    assert "owner@demo.example" in owner.split()


def test_one_thing_is_shown_field_by_field(at: dict[str, str], tmp_path: Path) -> None:
    result = typed("workspaces.get", at=at, home=tmp_path)

    fields = dict(line.split(maxsplit=1) for line in result.stdout.splitlines() if len(line.split()) > 1)
    assert result.exit_code == 0
    assert fields["slug"].strip() == "demo"
    assert fields["cycleLengthDays"].strip() == "7"


def test_an_empty_list_is_said_to_be_one(tmp_path: Path) -> None:
    with a_stranger(200, b'{"data": []}') as url:
        result = typed("members.list", at={**NOWHERE, "FORGE_URL": url}, home=tmp_path)

    assert result.exit_code == 0
    assert result.stdout.strip()


def test_json_is_the_answer_and_nothing_else(at: dict[str, str], tmp_path: Path) -> None:
    shown = typed("members.list", "--json", at=at, home=tmp_path)

    assert (shown.exit_code, shown.stderr) == (0, "")
    assert [member["email"] for member in json.loads(shown.stdout)["data"]] == ["owner@demo.example"]


def test_words_become_the_types_that_the_tool_declares(at: dict[str, str], tmp_path: Path) -> None:
    made = answered(
        "agents.create",
        "profileKey=007",
        "name=a=b, and c",
        "capabilities=python,rust",
        "maxConcurrent=3",
        "autoDispatchEligible=false",
        "webhookUrl=http://agents.example/?x=1",
        at=at,
        home=tmp_path,
    )

    assert made["profileKey"] == "007"
    assert made["name"] == "a=b, and c"
    assert made["capabilities"] == ["python", "rust"]
    assert made["maxConcurrent"] == 3
    assert made["autoDispatchEligible"] is False
    assert made["webhookUrl"] == "http://agents.example/?x=1"


def test_a_named_field_is_cleared_and_numbers_may_have_a_point(at: dict[str, str], tmp_path: Path) -> None:
    answered("workspaces.update", "runCostBudgetUsd=2.5", "runMaxMinutes=10", at=at, home=tmp_path)
    changed = answered("workspaces.update", "clear=runMaxMinutes", at=at, home=tmp_path)

    assert (changed["runCostBudgetUsd"], changed["runMaxMinutes"]) == (2.5, None)


def test_an_array_may_also_be_written_as_json_or_empty(at: dict[str, str], tmp_path: Path) -> None:
    ways = {"a": 'capabilities=["a,b","c"]', "b": "capabilities=", "c": "capabilities=[]"}

    made = [
        answered("agents.create", f"profileKey={key}", "name=A", given, at=at, home=tmp_path)
        for key, given in ways.items()
    ]

    assert [agent["capabilities"] for agent in made] == [["a,b", "c"], [], []]


def test_all_arguments_may_be_one_json_object(at: dict[str, str], tmp_path: Path) -> None:
    arguments = {"profileKey": "j", "name": "null", "capabilities": ["x y"], "maxConcurrent": 0}

    made = answered("agents.create", json.dumps(arguments), at=at, home=tmp_path)

    assert {name: made[name] for name in arguments} == arguments


@pytest.mark.parametrize(
    "words", [["name"], ['["name"]'], ['{"name": '], ["{]}"], ["name=x", "{}"], ["help", "me"]], ids=repr
)
def test_words_that_say_nothing_are_not_sent(tmp_path: Path, words: list[str]) -> None:
    result = typed("agents.create", *words, at=NOWHERE, home=tmp_path)

    assert (result.exit_code, result.stdout) == (2, "")
    assert NOWHERE["FORGE_URL"] not in result.stderr
    assert result.stderr


def test_an_unknown_tool_gets_a_suggestion(tmp_path: Path) -> None:
    refused = typed("keys.creat", at=NOWHERE, home=tmp_path)

    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "keys.create" in refused.stderr


def test_a_tool_of_agents_is_no_admin_tool(tmp_path: Path) -> None:
    result = typed("labels.list", at=NOWHERE, home=tmp_path)

    assert (result.exit_code, result.stdout) == (2, "")
    assert NOWHERE["FORGE_URL"] not in result.stderr


def test_a_refused_call_tells_what_is_wrong_and_what_to_do(at: dict[str, str], tmp_path: Path) -> None:
    refused = forge("admin", "keys.create", "name=x", "scops=ADMIN", **at, FORGE_HOME=str(tmp_path))

    assert (refused.returncode, refused.stdout) == (1, "")
    lines = refused.stderr.splitlines()
    assert lines[0].startswith("invalid_input: ")
    assert any(line.startswith("  scopes: ") for line in lines)
    assert any(line.startswith("  scops: ") for line in lines)
    assert not lines[-1].startswith(" ")


def test_a_refused_call_is_json_too_when_asked_for(at: dict[str, str], tmp_path: Path) -> None:
    result = typed("members.setRole", "userId=usr_x", "role=ADMIN", "--json", at=at, home=tmp_path)

    assert result.exit_code == 1
    assert json.loads(result.stdout)["error"] == "not_found"


def test_a_key_that_nobody_has_is_refused(at: dict[str, str], tmp_path: Path) -> None:
    result = typed("members.list", "--key", NOBODYS_KEY, at=at, home=tmp_path)

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("unauthorized: ")


@pytest.mark.parametrize("missing", ["FORGE_URL", "FORGE_KEY"])
def test_without_an_address_or_a_key_nothing_is_sent(tmp_path: Path, missing: str) -> None:
    rest = {name: value for name, value in NOWHERE.items() if name != missing}

    result = typed("members.list", at=rest, home=tmp_path)

    assert (result.exit_code, result.stdout) == (2, "")
    assert missing in result.stderr


def test_what_is_typed_counts_more_than_what_is_exported(at: dict[str, str], tmp_path: Path) -> None:
    words = ["--url", f"{at['FORGE_URL']}/", "--key", at["FORGE_KEY"]]

    assert typed("members.list", *words, at=NOWHERE, home=tmp_path).exit_code == 0


@pytest.mark.parametrize(("status", "body"), [(200, b"<html>"), (404, b"not here"), (302, b""), (200, b"")])
def test_a_server_that_is_no_forge_is_recognized(tmp_path: Path, status: int, body: bytes) -> None:
    with a_stranger(status, body) as url:
        result = typed("members.list", at={**NOWHERE, "FORGE_URL": url}, home=tmp_path)

    assert (result.exit_code, result.stdout) == (2, "")
    assert url in result.stderr


@pytest.mark.parametrize("url", ["http://127.0.0.1:{port}", "127.0.0.1:{port}", "http://[", "no url"])
def test_an_address_where_nobody_answers_is_named(tmp_path: Path, url: str) -> None:
    nowhere = url.format(port=free_port())

    result = typed("members.list", at={**NOWHERE, "FORGE_URL": nowhere}, home=tmp_path)

    assert (result.exit_code, result.stdout) == (2, "")
    assert nowhere in result.stderr
    assert isinstance(result.exception, SystemExit)
