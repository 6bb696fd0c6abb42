"""What all these tests share: the tables, and rehearsals, which are dear to set up and can be set back."""

from collections.abc import Callable
from functools import cache

import pytest

from forge.store.blobs import Blobs
from forge.store.connections import Connections
from forge.store.physical import table_definition
from forge.store.provision import provision
from forge.store.secrets import Secrets
from forge.store.store import Store
from forge.store.table import Table
from forge.testing.embedded import ask, embed_tables
from tests.contract.calls import SAMPLES
from tests.contract.rehearsals import Rehearsal
from tests.contract.stage import Sample


@pytest.fixture(scope="session")
def connections(served_connections: Connections) -> Connections:
    """With tables in this process: thousands of calls ask them."""
    return embed_tables(served_connections)


@pytest.fixture(scope="session")
def rehearse(connections: Connections) -> Callable[[Sample], Rehearsal]:
    """The rehearsal of a sample. All tests of this process share it, so whoever begins with it rewinds it."""
    # Queues take most of the time that a store takes, and no tool sends anything to them.
    queues = provision(connections, "rehearsals").queues

    def a_store(name: str) -> Store:
        ask("CreateTable", {"TableName": name, **table_definition()})
        connections.s3().create_bucket(Bucket=name)
        secrets = Secrets(connections.secrets)
        return Store(Table(name, connections.tables), Blobs(name, connections.s3), queues, secrets=secrets)

    return cache(lambda sample: Rehearsal(sample, a_store(f"rehearsal-{SAMPLES.index(sample)}")))
