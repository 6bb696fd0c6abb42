"""The emulated AWS, started once per test process, and a table of its own for every test that asks."""

import gc
from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import settings

from forge.cli.emulator import running_emulator
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.store.store import Store
from forge.testing.embedded import embed_tables
from forge.testing.world import World
from tests import shares
from tests.engines import with_tables_at
from tests.tiers import Tiers

# Tables live in this process; looking through all of them for garbage would take longer than most tests.
gc.set_threshold(200_000, 20, 100)

# How long an example takes says something of the machine, and nothing of the code.
settings.register_profile("forge", deadline=None)
settings.load_profile("forge")

_numbers = count(1)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", action="store_true", help="record the examples of the reference anew")
    parser.addoption("--tables", metavar="URL", help="ask the tables of this DynamoDB, not the emulator's")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(shares)
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Tiers())


@pytest.fixture(scope="session")
def served_connections(
    tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config
) -> Iterator[Connections]:
    """To an emulator in a process of its own, which others can reach, too."""
    with running_emulator(tmp_path_factory.mktemp("aws")) as emulator:
        url = pytestconfig.getoption("--tables")
        signer = getattr(pytestconfig, "workerinput", {}).get("workerid", "alone")
        yield with_tables_at(url, emulator.connections(), signer) if url else emulator.connections()


@pytest.fixture(scope="session")
def connections(served_connections: Connections) -> Connections:
    return served_connections


@pytest.fixture(scope="session")
def near_connections(served_connections: Connections, pytestconfig: pytest.Config) -> Connections:
    """With tables in this process, where a request costs least; or wherever `--tables` says."""
    return served_connections if pytestconfig.getoption("--tables") else embed_tables(served_connections)


@pytest.fixture
def store(connections: Connections) -> Store:
    """Empty, and nobody else's."""
    return provision(connections, f"forge-test-{next(_numbers)}")


@pytest.fixture
def stored_world(store: Store) -> World:
    """A world whose workspaces, keys and everything else are on a table."""
    return World(store=store)
