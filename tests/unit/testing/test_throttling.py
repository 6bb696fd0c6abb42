"""Partitions with so many units a second: what passes, what is refused, and what a batch leaves out."""

from collections.abc import Iterator
from typing import Any

import pytest

from forge.store.answers import Refused
from forge.store.connections import Connections
from forge.store.physical import table_definition
from forge.testing.throttling import Throttle

TABLE = "throttled"


class Tables:
    """A table behind a throttle, and the clock of both."""

    def __init__(self, connections: Connections) -> None:
        self.seconds = 0.0
        self.throttle = Throttle(connections, lambda: self.seconds)
        self.client = self.throttle.connections.tables()

    def put(self, partition: str, sort: str = "x", **more: str) -> None:
        self.client.ask("PutItem", {"TableName": TABLE, "Item": item(partition, sort, **more)})

    def put_all(self, *partitions: str) -> dict[str, Any]:
        writes = [{"PutRequest": {"Item": item(one, "x")}} for one in partitions]
        return self.client.ask("BatchWriteItem", {"RequestItems": {TABLE: writes}})


def item(partition: str, sort: str, **more: str) -> dict[str, Any]:
    return {name: {"S": value} for name, value in ({"pk": partition, "sk": sort} | more).items()}


@pytest.fixture
def tables(connections: Connections) -> Iterator[Tables]:
    found = Tables(connections)
    found.client.ask("CreateTable", {"TableName": TABLE, **table_definition()})
    yield found
    found.client.ask("DeleteTable", {"TableName": TABLE})


def test_units_come_back_with_time(tables: Tables) -> None:
    tables.throttle.limit_writes("hot", 2)
    tables.put("hot")
    tables.put("hot")

    with pytest.raises(Refused) as refusal:
        tables.put("hot")
    tables.seconds += 0.5
    tables.put("hot")

    assert refusal.value.code == "ProvisionedThroughputExceededException"
    assert tables.throttle.refused == 1


def test_a_partition_of_an_index_refuses_what_would_stand_in_it(tables: Tables) -> None:
    tables.throttle.limit_writes("those", 0, index="board")

    tables.put("one", boardPk="others", boardSk="1")
    with pytest.raises(Refused):
        tables.put("one", boardPk="those", boardSk="1")


def test_of_a_batch_only_what_is_throttled_is_left_out(tables: Tables) -> None:
    tables.throttle.limit_writes("hot", 0)

    answer = tables.put_all("hot", "calm")

    (left,) = answer["UnprocessedItems"][TABLE]
    assert left["PutRequest"]["Item"]["pk"] == {"S": "hot"}
    with pytest.raises(Refused):
        tables.put_all("hot")


def test_a_transaction_says_which_of_its_writes_was_too_much(tables: Tables) -> None:
    tables.throttle.limit_writes("hot", 0)
    writes = [{"Put": {"TableName": TABLE, "Item": item(one, "x")}} for one in ("calm", "hot")]

    with pytest.raises(Refused) as refusal:
        tables.client.ask("TransactWriteItems", {"TransactItems": writes, "ClientRequestToken": "once"})

    assert [one["Code"] for one in refusal.value.reasons] == ["None", "ThrottlingError"]


def test_reads_and_writes_are_limited_apart(tables: Tables) -> None:
    tables.throttle.limit_reads("hot", 0)

    tables.put("hot")
    with pytest.raises(Refused):
        tables.client.ask("GetItem", {"TableName": TABLE, "Key": item("hot", "x")})
