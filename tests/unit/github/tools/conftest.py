"""An office with a repository on GitHub."""

from collections.abc import Iterator

import pytest

from forge.store.store import Store
from forge.testing.github import FakeGitHub
from forge.testing.instruments import watched
from forge.testing.world import World
from tests.unit.github.tools.hubs import Hub, connected
from tests.unit.office import Office
from tests.unit.store.interference import Interference


@pytest.fixture
def hub(office: Office) -> Iterator[Hub]:
    with FakeGitHub(now=office.world.clock) as github:
        yield connected(office, github)


@pytest.fixture
def contested(store: Store) -> Iterator[tuple[Hub, Interference]]:
    """A hub whose requests to the table somebody may come before."""
    interference = Interference()
    office = Office(World(store=watched(store, interference)))
    with FakeGitHub(now=office.world.clock) as github:
        yield connected(office, github), interference
