"""What tests of tools work with."""

from collections.abc import Iterator
from itertools import count

import pytest

from forge.store.connections import Connections
from forge.store.provision import provision
from forge.testing.embedded import embed_tables
from forge.testing.engine import forget_tenant
from forge.testing.instruments import watched
from forge.testing.world import World
from tests.workshop.interference import Interference, let_pass
from tests.workshop.office import Office

_numbers = count(1)
_interference = Interference()


@pytest.fixture(scope="session")
def connections(served_connections: Connections) -> Connections:
    """With tables in this process: a test is about a tool, not about the way to it."""
    return embed_tables(served_connections)


@pytest.fixture(scope="session")
def lasting_world(connections: Connections) -> World:
    """One deployment for many tests, because making a table takes longer than most of them."""
    world = World(store=watched(provision(connections, "forge-offices"), _interference))
    # The emulator purges what has expired by its own clock, which must never be ahead of ours.
    world.clock.advance(days=100 * 365)
    return world


@pytest.fixture
def office(lasting_world: World) -> Iterator[Office]:
    """A workspace that is nobody else's: what other tests do is as far away as another tenant."""
    yield from _a_tenant(lasting_world, "of")


@pytest.fixture
def other_office(lasting_world: World) -> Iterator[Office]:
    """Another tenant of the same deployment."""
    yield from _a_tenant(lasting_world, "ot")


def _a_tenant(world: World, prefix: str) -> Iterator[Office]:
    workspace = world.add_workspace(f"{prefix}{next(_numbers)}")
    yield Office(world, workspace, _interference)
    _interference.handle = let_pass
    forget_tenant(world.services.store.table.name, workspace.id)


@pytest.fixture
def tableless_office() -> Office:
    """Enough for calls that are refused for their form: they must not get as far as a table."""
    return Office(World())
