"""Connections: made on first use, shared by all threads, and impatient."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from forge.store.connections import Connections
from forge.store.http_pool import CONNECT_SECONDS, READ_SECONDS


def test_all_threads_share_one_client_per_service(connections: Connections) -> None:
    fresh = Connections(connections.region, connections.endpoint, connections.credentials)

    with ThreadPoolExecutor(8) as pool:
        clients = list(pool.map(lambda _: fresh.dynamodb(), range(16)))
        tables = list(pool.map(lambda _: fresh.tables(), range(16)))

    assert all(client is clients[0] for client in clients)
    assert all(client is tables[0] for client in tables)
    assert fresh.s3() is fresh.s3()


def test_a_client_sends_a_request_once_and_does_not_wait_long(connections: Connections) -> None:
    client: Any = Connections(connections.region, connections.endpoint, connections.credentials).dynamodb()
    config = client.meta.config

    assert config.retries["total_max_attempts"] == 1
    assert config.connect_timeout + config.read_timeout <= 3


def test_tables_are_not_waited_for_longer_than_the_rest() -> None:
    assert CONNECT_SECONDS + READ_SECONDS <= 3


def test_showing_connections_shows_no_clients(connections: Connections) -> None:
    connections.dynamodb()
    connections.tables()

    assert "DynamoDB" not in repr(connections)
