"""A healthy stack, a workspace in it, and something that answers for it."""

from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from threading import Thread

import pytest

from forge.cli.bootstrap import store_at
from forge.cli.doctor.deployments import Deployment
from forge.clock import system_now
from forge.store.connections import Connections
from forge.store.operators import operators_like
from forge.testing.clock import NOON
from forge.testing.world import World
from tests.integration.cli.doctor.stacks import Answering, deployed, found_in
from tests.workshop.office import Office


@pytest.fixture(scope="module")
def answering() -> Iterator[str]:
    """The address of something that answers as this version does."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture(scope="module")
def operators(served_connections: Connections) -> Connections:
    return operators_like(served_connections)


@pytest.fixture
def deployment(operators: Connections, answering: str) -> Deployment:
    return found_in(operators, deployed(operators), answering)


@pytest.fixture
def office(deployment: Deployment) -> Office:
    """A workspace in it, founded now: keys are judged by the time of this machine."""
    world = World(store=store_at(deployment.table_name, deployment.connections))
    world.clock.advance(seconds=(system_now() - NOON).total_seconds())
    return Office(world)
