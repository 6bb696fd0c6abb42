"""What the watchdogs' tests work with."""

import pytest

from forge.store.store import Store
from forge.testing.world import World
from tests.workshop.office import Office


@pytest.fixture
def office(store: Store) -> Office:
    """Alone in its deployment, so that a sweep finds nothing of anybody else's."""
    return Office(World(store=store))
