"""The example events are answered by the functions they are for."""

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from forge.auth.keys import KeyOrder, Minted, hash_of, mint
from forge.context import KeyKind, Role
from forge.contract.terms import Scope
from forge.errors import ErrorCode
from forge.store.connections import Connections
from forge.store.store import Store
from forge.testing.clock import NOON
from forge.testing.world import World
from forge.work.record.log.kinds import EventKind
from forge.work.record.log.rows import LogItem
from infra.events import EXAMPLE_KEY
from infra.generate import EVENTS
from infra.stack.functions import IN_ROUTER
from tests.unit.store.things import begin

FOLDERS = sorted(file.stem for file in EVENTS.glob("*.json"))
FOR_AGENTS = {"chat"}
"""Every tool of theirs needs an agent's key."""


@pytest.fixture(scope="module")
def connections(served_connections: Connections) -> Connections:
    """Handlers find their tables by an address."""
    return served_connections


def event_of(folder: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EVENTS / f"{folder}.json").read_text())
    return found


@pytest.fixture
def deployed(store: Store, connections: Connections, monkeypatch: pytest.MonkeyPatch) -> World:
    """The environment of a deployed function, in which the examples' key is known."""
    world = World(store=store)
    order = KeyOrder("e", KeyKind.PERSONAL, world.workspace.id, tuple(Scope), "usr_example", Role.OWNER)
    record = mint(order, key_id="key_example", now=world.clock()).record
    world.keeper.add_key(Minted(EXAMPLE_KEY, "example", record.replaced(key_hash=hash_of(EXAMPLE_KEY))))
    access_key, secret_key = connections.credentials or ("", "")
    queue = connections.sqs().get_queue_url(QueueName=f"{store.table.name}-dispatch")["QueueUrl"]
    for name, value in {
        "AWS_ENDPOINT_URL": str(connections.endpoint),
        "AWS_ACCESS_KEY_ID": access_key,
        "AWS_SECRET_ACCESS_KEY": secret_key,
        "FORGE_TABLE": store.table.name,
        "FORGE_BUCKET": store.blobs.bucket,
        "FORGE_TOKEN_SECRET": "a secret for tests that signs nothing real",
        "FORGE_QUEUE_DISPATCH": queue,
    }.items():
        monkeypatch.setenv(name, value)
    return world


def answer_of(folder: str) -> Any:
    """From a handler that has not been called before."""
    return importlib.reload(importlib.import_module(f"functions.{folder}.app")).handler(
        event_of(folder), None
    )


def test_every_function_has_an_event() -> None:
    functions = Path(EVENTS).parents[2] / "functions"

    folders = {app.parent.name for app in functions.glob("*/app.py")}

    assert set(FOLDERS) == folders - IN_ROUTER


WORKERS = {"relay", "dispatch", "waits", "tasks", "errands", "exports", "erasures", "words", "sweep"}


@pytest.mark.parametrize(
    "folder",
    [one for one in FOLDERS if one not in {"router", *WORKERS}],
)
def test_a_namespace_answers_its_example(folder: str, deployed: World) -> None:
    answer = answer_of(folder)

    body = json.loads(answer["body"])
    # Where the example names an issue, there is none in an empty workspace, and no agent either.
    refusals = {404: ErrorCode.NOT_FOUND} | ({403: ErrorCode.FORBIDDEN} if folder in FOR_AGENTS else {})
    assert answer["statusCode"] in (200, *refusals)
    assert body.get("error") == refusals.get(answer["statusCode"])


def test_the_router_answers_an_mcp_call(deployed: World) -> None:
    body = json.loads(answer_of("router")["body"])

    assert body["result"]["structuredContent"]["id"] == deployed.workspace.id


def test_the_relay_sends_the_row_of_its_batch(
    deployed: World, connections: Connections, store: Store
) -> None:
    queue = connections.sqs().get_queue_url(QueueName=f"{store.table.name}-dispatch")["QueueUrl"]
    tx = begin(store)
    tx.create(
        LogItem(
            workspace_id="ws_example",
            id="evt_example",
            kind=EventKind.AGENT_STATUS_CHANGED,
            subject_type="agent",
            subject_id="agt_example",
            action="heartbeat",
            tool="agents.heartbeat",
            key_id="key_example",
            request_id="example-request",
            created_at=NOON,
        )
    )
    store.commit(tx)

    assert answer_of("relay") == {"batchItemFailures": []}

    (message,) = connections.sqs().receive_message(QueueUrl=queue)["Messages"]
    assert json.loads(message["Body"])["id"] == "evt_example"


def test_the_dispatch_passes_over_a_delivery_that_is_gone(deployed: World) -> None:
    assert answer_of("dispatch") == {"batchItemFailures": []}


def test_whoever_tends_waits_passes_over_one_that_is_gone(deployed: World) -> None:
    assert answer_of("waits") == {"batchItemFailures": []}


def test_the_worker_of_tasks_passes_over_one_that_is_gone(deployed: World) -> None:
    assert answer_of("tasks") == {"batchItemFailures": []}


def test_whoever_runs_errands_passes_over_an_issue_without_one(deployed: World) -> None:
    assert answer_of("errands") == {"batchItemFailures": []}


def test_whoever_keeps_the_words_passes_over_an_issue_that_is_gone(deployed: World) -> None:
    assert answer_of("words") == {"batchItemFailures": []}


def test_whoever_erases_passes_over_an_order_that_is_gone(deployed: World) -> None:
    assert answer_of("erasures") == {"batchItemFailures": []}


def test_whoever_exports_passes_over_an_order_that_is_gone(deployed: World) -> None:
    assert answer_of("exports") == {"batchItemFailures": []}


def test_the_sweep_answers_its_tick(deployed: World) -> None:
    assert answer_of("sweep") == {"settled": 0}
