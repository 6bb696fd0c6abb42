"""Counts the units of each request, as DynamoDB would charge it, from what was stored before and after."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from forge.store.answers import TableAnswer
from forge.store.connections import Connections
from forge.store.dynamodb import Send
from forge.testing.capacity import Attributes, index_units, item_bytes, read_units, write_units
from forge.testing.embedded import ask, embed_tables

_WRITES = frozenset({"PutItem", "UpdateItem", "DeleteItem"})
_MANY_OF_A_KIND = frozenset(
    {"LOG", "TERM", "COUNT", "IDEMPOTENCY", "DELIVERIES", "QUEUE", "OUTBOX", "WATCHING"}
)

Place = tuple[str, str, str]
"""Table, partition, sort key."""


@dataclass(frozen=True, slots=True)
class Charge:
    """What one item, or one query, cost: in the table, and in each index by its partition there."""

    partition: str
    sort: str
    size: int = 0
    written: int = 0
    in_indexes: Mapping[tuple[str, str], int] = field(default_factory=dict)
    read: float = 0.0

    @property
    def all_written(self) -> int:
        return self.written + sum(self.in_indexes.values())

    @property
    def kind(self) -> str:
        """What it is, by the first words of its keys; the workspace's own name left out."""
        words = self.partition.split("#")
        own = words[2] if words[0] == "WS" else words[0]
        return own if own in _MANY_OF_A_KIND else f"{own} {self.sort.partition('#')[0]}"


class Meter:
    """Tables in this process whose requests are charged."""

    def __init__(self, connections: Connections) -> None:
        self.connections = embed_tables(connections)
        assert self.connections.send is not None
        self._send: Send = self.connections.send
        self.connections.send = self
        self._charges: list[Charge] = []

    def __call__(self, operation: str, body: bytes) -> TableAnswer:
        request = json.loads(body)
        written = [*_written(operation, request)]
        before = {place: _item_at(place) for place in written}
        answer = self._send(operation, body)
        is_transaction = operation == "TransactWriteItems"
        for place in written:
            charge = _charge(place, before[place], _item_at(place), is_transaction=is_transaction)
            self._charges.append(charge)
        if not written:
            self._charges.extend(_reads(operation, request, json.loads(answer.body)))
        return answer

    def taken(self) -> list[Charge]:
        """What was charged since this was last asked."""
        taken, self._charges = self._charges, []
        return taken


def _written(operation: str, request: Mapping[str, Any]) -> Iterator[Place]:
    """What is written or, in a transaction, checked: that costs as much."""
    if operation == "TransactWriteItems":
        yield from (_place(one) for write in request["TransactItems"] for one in write.values())
    elif operation == "BatchWriteItem":
        for name, writes in request["RequestItems"].items():
            yield from (_place({"TableName": name, **one}) for write in writes for one in write.values())
    elif operation in _WRITES:
        yield _place(request)


def _place(write: Mapping[str, Any]) -> Place:
    key = write.get("Key") or write["Item"]
    return write["TableName"], key["pk"]["S"], key["sk"]["S"]


def _item_at(place: Place) -> Attributes | None:
    name, partition, sort = place
    key = {"pk": {"S": partition}, "sk": {"S": sort}}
    found: Attributes | None = ask("GetItem", {"TableName": name, "Key": key}).get("Item")
    return found


def _charge(
    place: Place, before: Attributes | None, after: Attributes | None, *, is_transaction: bool
) -> Charge:
    """Of two sizes, the greater counts."""
    larger = max((before or {}, after or {}), key=item_bytes)
    units = write_units([larger], is_transaction=is_transaction)
    entries = {
        (name, str((after or {}).get(f"{name}Pk", (before or {}).get(f"{name}Pk", {"S": ""}))["S"])): cost
        for name, cost in index_units(before, after).items()
    }
    return Charge(place[1], place[2], item_bytes(larger), units, entries)


def _reads(operation: str, request: Mapping[str, Any], answer: Mapping[str, Any]) -> Iterator[Charge]:
    if operation == "Query":
        partition = request["ExpressionAttributeValues"][":partition"]["S"]
        is_strong = bool(request.get("ConsistentRead"))
        units = read_units(answer.get("Items", []), is_strong=is_strong, is_query=True)
        yield Charge(partition, request.get("IndexName", ""), read=units)
    else:
        rows = [answer["Item"]] if "Item" in answer else []
        rows += [row for found in answer.get("Responses", {}).values() for row in found]
        for row in rows:
            units = read_units([row], is_strong=True, is_query=False)
            yield Charge(row["pk"]["S"], row["sk"]["S"], item_bytes(row), read=units)
