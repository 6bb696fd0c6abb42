"""A Forge on moto: no server and no emulator, so a team's own test needs nothing but Python.

moto is a second opinion on what DynamoDB does, for small tables only: it copies a whole table for each
transaction. It loses writes of transactions that run at once, applies one request token twice, and reports
capacity as constants, so no claim about any of these may rest on it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from moto import mock_aws

from forge.contract.catalog import Catalog
from forge.store.botocore_calls import BotocoreRequests
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.store.store import Store
from forge.testing.world import World

# Mocks that are open at once share their data.
_numbers = count(1)


@contextmanager
def mocked_world(catalog: Catalog | None = None) -> Iterator[World]:
    """A world with a table, a bucket and queues that are gone when the block ends."""
    with mocked_connections() as connections:
        yield World(store=mocked_store(connections), catalog=catalog)


@contextmanager
def mocked_connections() -> Iterator[Connections]:
    """For many worlds in one block: making the clients takes longer than making a store."""
    with mock_aws():
        connections = Connections("us-east-1", credentials=("nobody", "nothing"))
        # moto sees only what botocore sends.
        connections.send = BotocoreRequests(connections.dynamodb)
        yield connections


def mocked_store(connections: Connections, name: str = "") -> Store:
    """Empty, and nobody else's."""
    return provision(connections, name or f"forge-mocked-{next(_numbers)}")
