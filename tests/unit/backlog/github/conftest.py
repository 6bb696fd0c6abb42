"""A GitHub on this machine, and an office that has a backlog there."""

from collections.abc import Iterator

import pytest

from forge.store.connections import Connections
from forge.testing.github import FakeGitHub
from tests.unit.backlog.github.workshop import Workshop
from tests.workshop.office import Office


@pytest.fixture
def workshop(office: Office, connections: Connections) -> Iterator[Workshop]:
    with FakeGitHub(now=office.world.clock) as github:
        yield Workshop(office, github, connections)
