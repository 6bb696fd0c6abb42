"""DynamoDB out of reach: callers are told so, and when to come back, by both doors."""

import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from forge.cli.emulator import CREDENTIALS, REGION
from forge.cli.local.listening import HOST
from forge.contract.catalog import load_catalog
from forge.errors import Unavailable
from forge.store.blobs import Blobs
from forge.store.connections import Connections
from forge.store.failures import PATIENCE_SECONDS, patiently
from forge.store.queues import Queues
from forge.store.store import Store
from forge.store.table import Table
from forge.testing.world import World
from forge.wire.edge import Backend, Edge, Options
from forge.wire.http import Response
from forge.work.workspace.people.authentication import TableKeys
from tests.unit.wire.answers import body_of, failure_of, rpc_error

LABEL = {"name": "bug"}
CALL = {"name": "labels.create", "arguments": LABEL}


def unreachable_store() -> Store:
    """A store at a loopback port that nobody listens on."""
    with socket.create_server((HOST, 0)) as probe:
        port = probe.getsockname()[1]
    connections = Connections(REGION, f"http://{HOST}:{port}", CREDENTIALS)
    return Store(
        Table("nowhere", connections.tables), Blobs("nowhere", connections.s3), Queues({}, connections.sqs)
    )


def a_world_without_table(*, with_keys: bool) -> World:
    """A Forge whose table is out of reach; its keys are known all the same, or on that table too."""
    world = World()
    store = unreachable_store()
    known = world.keys if with_keys else TableKeys(store.table)
    backend = Backend(known, world.services._replace(store=store))
    world.edge = Edge(load_catalog(), backend, Options(write_log=world.log.append))
    return world


@pytest.fixture(scope="module")
def answers() -> dict[str, Response]:
    """Every answer at once, because each takes all of our patience."""
    lost, known = a_world_without_table(with_keys=False), a_world_without_table(with_keys=True)
    calls: dict[str, Callable[[], Response]] = {
        "key by rest": lambda: lost.rest("labels.list", key=lost.a_key()),
        "key by rpc": lambda: lost.modern("tools/call", CALL, key=lost.a_key()),
        "tool by rest": lambda: known.rest("labels.create", LABEL, key=known.a_key()),
        "tool by rpc": lambda: known.modern("tools/call", CALL, key=known.a_key()),
    }
    with ThreadPoolExecutor(len(calls)) as pool:
        futures = {name: pool.submit(call) for name, call in calls.items()}
        return {name: future.result() for name, future in futures.items()}


def test_a_key_that_can_not_be_looked_up_is_no_wrong_key_by_rest(answers: dict[str, Response]) -> None:
    answer = answers["key by rest"]

    assert answer.status == 503
    assert int(answer.headers["retry-after"]) > 0
    assert body_of(answer)["error"] == "unavailable"
    assert body_of(answer)["retryable"] is True


def test_a_key_that_can_not_be_looked_up_is_no_wrong_key_by_rpc(answers: dict[str, Response]) -> None:
    answer = answers["key by rpc"]

    assert answer.status == 503
    assert int(answer.headers["retry-after"]) > 0
    assert rpc_error(answer)["data"]["error"] == "unavailable"


def test_a_tool_that_can_not_reach_its_data_says_so_by_rest(answers: dict[str, Response]) -> None:
    answer = answers["tool by rest"]

    assert answer.status == 503
    assert int(answer.headers["retry-after"]) > 0
    assert body_of(answer)["retryable"] is True


def test_a_tool_that_can_not_reach_its_data_says_so_in_its_result_by_rpc(
    answers: dict[str, Response],
) -> None:
    failure = failure_of(answers["tool by rpc"])

    assert failure["error"] == "unavailable"
    assert failure["retryable"] is True


def test_nobody_waits_longer_than_our_patience() -> None:
    store = unreachable_store()
    pauses: list[float] = []

    with pytest.raises(Unavailable) as caught:
        patiently(
            lambda: store.table.client.get_item(TableName="nowhere", Key={}),
            pause=pauses.append,
            clock=lambda: sum(pauses),
        )

    assert len(pauses) > 5
    assert sum(pauses) <= PATIENCE_SECONDS
    assert caught.value.retry_after_seconds is not None


def test_what_needs_no_data_works_without_a_table() -> None:
    world = a_world_without_table(with_keys=True)

    found = world.call("catalog.search", {"query": "labels"}, key=world.a_key())

    assert not found["isError"]
