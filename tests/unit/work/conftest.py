"""The store that these tests share, one after the other; and a receiver that events can go to."""

from collections.abc import Iterator

import pytest

from forge.store.connections import Connections
from forge.store.store import Store
from tests.unit.outbound.sites import Site, running_site
from tests.unit.store.lasting import a_lasting_store, empty
from tests.unit.work.deliveries.mailrooms import HOOK, TAKEN, Mailroom


@pytest.fixture(scope="session")
def lasting_store(connections: Connections) -> Store:
    return a_lasting_store(connections)


@pytest.fixture
def store(lasting_store: Store) -> Iterator[Store]:
    """Empty, and nobody else's for as long as the test runs."""
    yield lasting_store
    empty(lasting_store)


@pytest.fixture
def site() -> Iterator[Site]:
    """A receiver on this machine."""
    with running_site() as running:
        running.pages[HOOK] = TAKEN
        yield running


@pytest.fixture
def mailroom(store: Store) -> Mailroom:
    """A workspace that may reach it."""
    return Mailroom(store)
