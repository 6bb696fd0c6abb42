"""A Forge on moto: no server and no emulator, so a team's own test needs nothing but Python.

moto is a second opinion on what DynamoDB does, for small tables only: it copies a whole table for each
transaction (for each write of one, if it is let). It loses writes of transactions that run at once, applies
one request token twice, and reports capacity as constants, so no claim about any of these may rest on it.
"""

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from types import SimpleNamespace
from typing import Any

from moto import mock_aws
from moto.core.serialize import BaseJSONSerializer
from moto.dynamodb import models
from moto.dynamodb.models.table import Table

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
    _copy_once_per_transaction()
    _answer_with_values_as_they_are()
    with mock_aws():
        connections = Connections("us-east-1", credentials=("nobody", "nothing"))
        # moto sees only what botocore sends.
        connections.send = BotocoreRequests(connections.dynamodb)
        yield connections


def mocked_store(connections: Connections, name: str = "") -> Store:
    """Empty, and nobody else's."""
    return provision(connections, name or f"forge-mocked-{next(_numbers)}")


@cache
def _copy_once_per_transaction() -> None:
    """For the whole process: the copies that moto makes for the writes of a transaction are all the same."""
    module: Any = models
    transact = module.DynamoDBBackend.transact_write_items
    copies: dict[int, object] = {}

    def transact_with_one_copy(*arguments: object) -> None:
        copies.clear()
        transact(*arguments)

    def copied(value: Any) -> Any:
        if not isinstance(value, Table):
            return copy.deepcopy(value)
        if id(value) not in copies:
            copies[id(value)] = copy.deepcopy(value)
        return copies[id(value)]

    module.copy = SimpleNamespace(deepcopy=copied)
    module.DynamoDBBackend.transact_write_items = transact_with_one_copy


@cache
def _answer_with_values_as_they_are() -> None:
    """For the whole process: moto would look for ten kinds of value in every attribute."""
    serializer: Any = BaseJSONSerializer
    serialize = serializer._serialize_type_structure  # noqa: SLF001 - moto offers no other way

    def serialize_structure(self: Any, serialized: dict[str, Any], value: Any, shape: Any, key: str) -> None:
        if shape.name == "AttributeValue" and isinstance(value, dict) and not value.keys() & {"B", "BS"}:
            serialized[key] = value
        else:
            serialize(self, serialized, value, shape, key)

    serializer._serialize_type_structure = serialize_structure  # noqa: SLF001 - as above
