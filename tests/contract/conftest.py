"""What all these tests share: the tables, and rehearsals, which are dear to set up and can be set back."""

from collections.abc import Callable
from functools import cache

import pytest

from forge.store.connections import Connections
from forge.store.provision import provision
from forge.testing.embedded import embed_tables
from tests.contract.calls import SAMPLES
from tests.contract.rehearsals import Rehearsal
from tests.contract.stage import Sample


@pytest.fixture(scope="session")
def connections(served_connections: Connections) -> Connections:
    """With tables in this process: thousands of calls ask them."""
    return embed_tables(served_connections)


@pytest.fixture(scope="session")
def rehearse(connections: Connections) -> Callable[[Sample], Rehearsal]:
    return cache(
        lambda sample: Rehearsal(sample, provision(connections, f"rehearsal-{SAMPLES.index(sample)}"))
    )
