"""What tests of a namespace through its real app work with."""

import pytest

from forge.store.store import Store
from forge.testing.instruments import watched
from forge.testing.world import World
from tests.workshop.interference import Interference
from tests.workshop.office import Office


@pytest.fixture
def interference() -> Interference:
    """With the requests of `office`, which pass until a test says otherwise."""
    return Interference()


@pytest.fixture
def office(store: Store, interference: Interference) -> Office:
    return Office(World(store=watched(store, interference)))
