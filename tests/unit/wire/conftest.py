"""Servers in memory, each of them one test's own, and the waiting of those who follow."""

import asyncio
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from forge.testing.world import World
from forge.wire.web import create_app
from tests.unit.wire.probes import a_probe_world
from tests.unit.wire.waiting import Waiting


@pytest.fixture(autouse=True)
def an_event_loop_that_is_closed() -> Iterator[None]:
    """What Mangum leaves behind is tidied up: in Lambda its event loop lives as long as the process."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield
    asyncio.set_event_loop(None)
    loop.close()


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def key(world: World) -> str:
    """Of the world's workspace, with every scope."""
    return world.a_key()


@pytest.fixture
def probe_world() -> World:
    return a_probe_world()


@pytest.fixture
def browser(world: World) -> TestClient:
    """Somebody without a key, at the human face."""
    return TestClient(create_app(world.edge))


@pytest.fixture
def waiting() -> Waiting:
    return Waiting()
