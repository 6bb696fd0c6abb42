"""Where the tables of these tests are."""

import pytest

from forge.store.connections import Connections


@pytest.fixture(scope="session")
def connections(near_connections: Connections) -> Connections:
    """In this process: these tests are about those who drive a pipeline, not about the way to a table."""
    return near_connections
