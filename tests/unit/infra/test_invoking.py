"""`make invoke`: what can be asked, what an answer means, and the way from a container to this machine."""

import json
import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest

from forge.cli import function_variables
from forge.cli.local.listening import free_port
from infra.events import EXAMPLE_KEY
from infra.invoking.asked import EVENTS, CannotBeAsked, invocation_of
from infra.invoking.bridge import bridged
from infra.invoking.outcomes import has_failed

KEYS = {"owner": "forge_sk_o", "member": "forge_sk_m", "agents": {"worker": "forge_sk_w"}}
ALSO_LOOPBACK = "127.0.0.2"
"""Another address of this machine, as Docker's bridge has one."""


class _Well(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: Any) -> None:
        """Nobody reads it."""


@pytest.fixture
def served() -> Iterator[int]:
    """The port of something that is well."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Well) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


@pytest.fixture
def home(tmp_path: Path, served: int) -> Path:
    """Of a Forge that runs."""
    described = {"baseUrl": f"http://127.0.0.1:{served}", "keys": KEYS}
    (tmp_path / "dev.json").write_text(json.dumps(described))
    variables = {"AWS_ENDPOINT_URL": "http://host.docker.internal:4566", "FORGE_TABLE": "forge-dev"}
    function_variables.file_in(tmp_path).write_text(json.dumps({"Parameters": variables}))
    return tmp_path


def test_a_function_is_asked_its_own_example_unless_another_is_given(home: Path) -> None:
    asked = invocation_of("issues", "", name="owner", home=home)

    assert asked.event["rawPath"] == json.loads((EVENTS / "issues.json").read_text())["rawPath"]


def test_whoever_is_named_asks(home: Path) -> None:
    asked = invocation_of("issues", "", name="worker", home=home)

    assert asked.event["headers"]["authorization"] == "Bearer forge_sk_w"
    assert EXAMPLE_KEY not in json.dumps(asked.event)


def test_a_key_of_the_event_itself_stays(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text('{"headers": {"authorization": "Bearer forge_sk_mine"}}')

    asked = invocation_of("issues", str(file), name="nobody", home=home)

    assert asked.event == {"headers": {"authorization": "Bearer forge_sk_mine"}}


def test_a_process_on_this_machine_finds_its_aws_on_loopback(home: Path) -> None:
    asked = invocation_of("sweep", "", name="owner", home=home)

    assert asked.variables == {"AWS_ENDPOINT_URL": "http://127.0.0.1:4566", "FORGE_TABLE": "forge-dev"}


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"folder": "isues"}, "Did you mean issues?"),
        ({"event": "docs/examples/events/isues.json"}, "Did you mean docs/examples/events/issues.json?"),
        ({"event": "docs"}, "EVENT="),
        ({"event": "pyproject.toml"}, "not JSON"),
        ({"name": "nobody"}, "AS="),
    ],
)
def test_what_cannot_be_asked_is_told_with_what_can(home: Path, asked: dict[str, str], told: str) -> None:
    given = {"folder": "issues", "event": "", "name": "owner", **asked}

    with pytest.raises(CannotBeAsked) as problem:
        invocation_of(given["folder"], given["event"], name=given["name"], home=home)

    assert told in str(problem.value)


def test_without_a_forge_that_runs_one_is_told_to_start_it(home: Path) -> None:
    described = {"baseUrl": f"http://127.0.0.1:{free_port()}", "keys": KEYS}
    (home / "dev.json").write_text(json.dumps(described))

    for place in (home, home / "elsewhere"):
        with pytest.raises(CannotBeAsked) as problem:
            invocation_of("issues", "", name="owner", home=place)
        assert f"make dev FORGE_HOME={place}" in str(problem.value)


@pytest.mark.parametrize(
    ("answer", "is_failure"),
    [
        ({"statusCode": 200, "body": "{}"}, False),
        ({"statusCode": 404, "body": "{}"}, True),
        ({"statusCode": 200, "body": '{"jsonrpc": "2.0", "result": {"content": []}}'}, False),
        ({"statusCode": 200, "body": '{"jsonrpc": "2.0", "result": {"isError": true}}'}, True),
        ({"statusCode": 200, "body": '{"jsonrpc": "2.0", "error": {}}'}, True),
        ({"errorType": "Runtime.ImportModuleError", "errorMessage": "no"}, True),
        ({"batchItemFailures": []}, False),
        ({"batchItemFailures": [{"itemIdentifier": "1"}]}, True),
        ({"settled": 3}, False),
        (None, False),
    ],
)
def test_a_failure_is_told_from_an_answer(answer: object, is_failure: bool) -> None:
    assert has_failed(answer) is is_failure


def test_a_container_reaches_what_listens_on_loopback_for_as_long_as_it_runs(served: int) -> None:
    with bridged(served, ALSO_LOOPBACK) as is_there:
        assert is_there
        for _ in range(2):
            assert httpx.get(f"http://{ALSO_LOOPBACK}:{served}/", trust_env=False).json() == {}

    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((ALSO_LOOPBACK, served), timeout=5)


def test_where_there_is_no_bridge_the_invocation_goes_on_without() -> None:
    # Of those that are kept for documents: no machine has it.
    with bridged(free_port(), "192.0.2.1") as is_there:
        assert not is_there
