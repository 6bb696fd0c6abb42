"""DynamoDB out of reach: callers are told so, and when to come back, by both doors."""

import socket

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
from forge.testing.instruments import SkippedTime
from forge.testing.world import World
from forge.wire.edge import Backend, Edge, Options
from forge.work.workspace.people.authentication import TableKeys
from tests.unit.wire.answers import body_of, failure_of, rpc_error

LABEL = {"name": "bug"}
CALL = {"name": "labels.create", "arguments": LABEL}


def unreachable_store() -> Store:
    """A store at a loopback port that nobody listens on, for which nobody really waits."""
    with socket.create_server((HOST, 0)) as probe:
        port = probe.getsockname()[1]
    connections, time = Connections(REGION, f"http://{HOST}:{port}", CREDENTIALS), SkippedTime()
    return Store(
        Table("nowhere", connections.tables, pause=time.pause, clock=time.clock),
        Blobs("nowhere", connections.s3),
        Queues({}, connections.sqs),
    )


def a_world_without_table(*, with_keys: bool) -> World:
    """A Forge whose table is out of reach; its keys are known all the same, or on that table too."""
    world = World()
    store = unreachable_store()
    known = world.keys if with_keys else TableKeys(store.table)
    backend = Backend(known, world.services._replace(store=store))
    world.edge = Edge(load_catalog(), backend, Options(write_log=world.log.append))
    return world


@pytest.mark.parametrize("with_keys", [False, True], ids=["the key", "what the tool needs"])
def test_what_can_not_be_looked_up_is_unavailable_by_rest(*, with_keys: bool) -> None:
    world = a_world_without_table(with_keys=with_keys)

    answer = world.rest("labels.create", LABEL, key=world.a_key())

    assert answer.status == 503
    assert int(answer.headers["retry-after"]) > 0
    assert (body_of(answer)["error"], body_of(answer)["retryable"]) == ("unavailable", True)


def test_a_key_that_can_not_be_looked_up_is_no_wrong_key_by_rpc() -> None:
    world = a_world_without_table(with_keys=False)

    answer = world.modern("tools/call", CALL, key=world.a_key())

    assert answer.status == 503
    assert int(answer.headers["retry-after"]) > 0
    assert rpc_error(answer)["data"]["error"] == "unavailable"


def test_a_tool_that_can_not_reach_its_data_says_so_in_its_result_by_rpc() -> None:
    world = a_world_without_table(with_keys=True)

    failure = failure_of(world.modern("tools/call", CALL, key=world.a_key()))

    assert (failure["error"], failure["retryable"]) == ("unavailable", True)


def test_nobody_waits_longer_than_our_patience() -> None:
    store = unreachable_store()
    pauses: list[float] = []

    with pytest.raises(Unavailable) as caught:
        patiently(
            lambda: store.table.client.ask("GetItem", {"TableName": "nowhere", "Key": {}}),
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
