"""A deployment whose bucket is as empty as its table, and a workspace in it."""

import pytest

from forge.store.store import Store
from forge.testing.instruments import watched
from forge.testing.world import World
from tests.workshop.interference import Interference
from tests.workshop.office import Office


@pytest.fixture
def interference() -> Interference:
    return Interference()


@pytest.fixture
def world(store: Store, interference: Interference) -> World:
    for name in store.blobs.list_names(""):
        store.blobs.delete(name)
    return World(store=watched(store, interference))


@pytest.fixture
def office(world: World) -> Office:
    return Office(world)
