"""A function on Lambda, in a fresh interpreter: what its initialisation did, the first call need not do."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest

from forge.cli.emulator import CREDENTIALS
from forge.store.connections import Connections
from forge.store.store import Store
from forge.testing.world import World
from tests.unit.wire.events import an_event

ON_LAMBDA = {
    "AWS_LAMBDA_FUNCTION_NAME": "forge",
    "AWS_ACCESS_KEY_ID": CREDENTIALS[0],
    "AWS_SECRET_ACCESS_KEY": CREDENTIALS[1],
    "FORGE_BUCKET": "unused",
    "FORGE_TOKEN_SECRET": "a secret for tests that signs nothing real",
}
NOWHERE = {"AWS_ENDPOINT_URL": "http://127.0.0.1:1", "FORGE_TABLE": "unused"}
INVOKING = {"FORGE_ROUTER_MODE": "invoke", "FORGE_FUNCTIONS": '{"workspace": "unused"}'}

# Opening a connection loads these, whatever it leads to.
OF_CONNECTIONS = {"encodings.idna", "stringprep", "unicodedata"}

_CHILD = """
import importlib, json, sys
handler = importlib.import_module(f"functions.{sys.argv[1]}.app").handler
initialised = sorted(sys.modules)
answer = handler(json.loads(sys.argv[2]), None)
later = sorted({*sys.modules} - {*initialised})
print(json.dumps({"initialised": initialised, "answer": answer, "later": later}))
"""


def started(folder: str, event: Mapping[str, Any], environment: Mapping[str, str]) -> dict[str, Any]:
    """What a new process of the function had loaded, answered, and loaded for answering."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "PYTHONPATH") if name in os.environ}
    ended = subprocess.run(
        [sys.executable, "-c", _CHILD, folder, json.dumps(event)],
        env=kept | ON_LAMBDA | dict(environment),
        capture_output=True,
        text=True,
        check=True,
    )
    # Its own log lines come before.
    told: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return told


@pytest.mark.parametrize(
    ("folder", "tool", "arguments"),
    [
        ("workspace", "workspace.get", {}),
        ("issues", "issues.list", {}),
        ("issues", "issues.create", {"title": "Ship"}),
        ("labels", "labels.create", {"name": "bug"}),
        ("runs", "runs.list", {}),
        ("agent", "agent.context.bundle", {"issueId": "iss_none"}),
    ],
)
def test_the_first_authenticated_call_imports_nothing(
    folder: str, tool: str, arguments: dict[str, Any], connections: Connections, store: Store
) -> None:
    key = World(store=store).owner_key()
    deployed = {"AWS_ENDPOINT_URL": str(connections.endpoint), "FORGE_TABLE": store.table.name}

    told = started(folder, an_event(json.dumps(arguments), key=key, path=f"/api/mcp/{tool}"), deployed)

    assert told["answer"]["statusCode"] in (200, 404)
    assert set(told["later"]) <= OF_CONNECTIONS


@pytest.mark.parametrize("mode", [{}, INVOKING])
def test_the_routers_first_list_imports_nothing(
    mode: dict[str, str], connections: Connections, store: Store
) -> None:
    key = World(store=store).owner_key()
    deployed = {"AWS_ENDPOINT_URL": str(connections.endpoint), "FORGE_TABLE": store.table.name}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})

    told = started("router", an_event(body, key=key), deployed | mode)

    assert json.loads(told["answer"]["body"])["result"]["tools"]
    assert set(told["later"]) <= OF_CONNECTIONS


@pytest.mark.parametrize("folder", ["router", "workspace", "issues"])
def test_initialisation_connects_to_nothing(folder: str) -> None:
    told = started(folder, an_event(method="GET", path="/healthz"), NOWHERE)

    assert told["answer"]["statusCode"] == 200


@pytest.mark.parametrize("worker", ["relay", "dispatch"])
def test_workers_are_initialised_without_connecting_too(worker: str) -> None:
    assert started(worker, {"Records": []}, NOWHERE)["answer"] == {"batchItemFailures": []}


@pytest.mark.parametrize("mode", [{}, INVOKING])
def test_the_router_is_initialised_without_pydantic_and_without_any_namespace(mode: dict[str, str]) -> None:
    told = started("router", an_event(method="GET", path="/healthz"), NOWHERE | mode)

    loaded = {*told["initialised"], *told["later"]}
    assert {module.partition(".")[0] for module in loaded} & {"pydantic", "fastapi", "boto3"} == set()
    assert {name.split(".")[1] for name in loaded if name.startswith("functions.")} == {"router"}
