"""A receiver on this machine, and a workspace that may reach it."""

from collections.abc import Iterator

import pytest

from forge.store.store import Store
from tests.unit.outbound.sites import Site, running_site
from tests.unit.work.background.deliveries.mailrooms import HOOK, TAKEN, Mailroom


@pytest.fixture
def site() -> Iterator[Site]:
    with running_site() as running:
        running.pages[HOOK] = TAKEN
        yield running


@pytest.fixture
def mailroom(store: Store) -> Mailroom:
    return Mailroom(store)
