"""An office with exports, whose requests can be interfered with."""

import pytest

from forge.store.store import Store
from forge.testing.instruments import watched
from forge.testing.world import World
from tests.unit.admin.exporting import Exporter
from tests.workshop.interference import Interference


@pytest.fixture
def interference() -> Interference:
    return Interference()


@pytest.fixture
def exporter(store: Store, interference: Interference) -> Exporter:
    return Exporter(World(store=watched(store, interference)))
