"""The store that these tests share, one after the other, on each of two engines or on the one asked for."""

from collections.abc import Iterator

import pytest

from forge.store.connections import Connections
from forge.store.store import Store
from forge.store.transactions import Transaction
from forge.testing.clock import FakeClock
from forge.testing.instruments import Counter
from forge.testing.mocked import mocked_connections, mocked_store
from forge.testing.world import World
from tests.unit.store.lasting import a_lasting_store, empty
from tests.unit.store.ledger import a_ledger_world
from tests.unit.store.things import begin

_SOUND, _SECOND_OPINION, _AMAZONS = "ministack engine", "moto", "another DynamoDB"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine" not in metafunc.fixturenames:
        return
    is_beyond_moto = metafunc.definition.get_closest_marker("not_on_moto") is not None
    engines = [_SOUND] if is_beyond_moto else [_SOUND, _SECOND_OPINION]
    if metafunc.config.getoption("--tables"):
        engines = [_AMAZONS]
    # By package: what moto intercepts must not outlast these tests.
    metafunc.parametrize("engine", engines, indirect=True, scope="package")


@pytest.fixture(scope="package")
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="package")
def connections(engine: str, near_connections: Connections) -> Iterator[Connections]:
    if engine != _SECOND_OPINION:
        yield near_connections
        return
    with mocked_connections() as mocked:
        yield mocked


@pytest.fixture(scope="package")
def lasting_store(connections: Connections) -> Store:
    return a_lasting_store(connections)


@pytest.fixture
def store(engine: str, request: pytest.FixtureRequest) -> Iterator[Store]:
    """Empty, and nobody else's for as long as the test runs."""
    if engine == _SECOND_OPINION:
        # A new one: moto empties a queue once a minute at most.
        yield mocked_store(request.getfixturevalue("connections"))
        return
    lasting = request.getfixturevalue("lasting_store")
    yield lasting
    empty(lasting)


@pytest.fixture
def tx(store: Store) -> Transaction:
    return begin(store)


@pytest.fixture
def counter() -> Counter:
    return Counter()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def ledger(store: Store) -> World:
    """A world with an open account."""
    return a_ledger_world(store)


@pytest.fixture
def key(ledger: World) -> str:
    return ledger.a_key()
