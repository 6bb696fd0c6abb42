"""An office with a repository on GitHub."""

from collections.abc import Iterator

import pytest

from forge.testing.github import FakeGitHub
from tests.unit.github.tools.hubs import Hub, connected
from tests.workshop.interference import Interference
from tests.workshop.office import Office


@pytest.fixture
def hub(office: Office) -> Iterator[Hub]:
    with FakeGitHub(now=office.world.clock) as github:
        yield connected(office, github)


@pytest.fixture
def contested(office: Office) -> Iterator[tuple[Hub, Interference]]:
    """A hub whose requests to the table somebody may come before."""
    with FakeGitHub(now=office.world.clock) as github:
        yield connected(office, github), office.interference
