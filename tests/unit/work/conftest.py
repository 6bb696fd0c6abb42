"""The store that these tests share, one after the other."""

from collections.abc import Iterator

import pytest

from forge.store.connections import Connections
from forge.store.store import Store
from tests.unit.store.lasting import a_lasting_store, empty


@pytest.fixture(scope="session")
def lasting_store(connections: Connections) -> Store:
    return a_lasting_store(connections)


@pytest.fixture
def store(lasting_store: Store) -> Iterator[Store]:
    """Empty, and nobody else's for as long as the test runs."""
    yield lasting_store
    empty(lasting_store)
