"""What requests cost as DynamoDB charges them, by the partitions of table and indexes that pay."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from forge.store.keys import IndexKey
from forge.store.physical import INDEX_BY_NAME, INDEXES
from forge.testing.capacity import Attributes, index_units, item_bytes, read_units, write_units
from forge.testing.embedded import ask

Request = Mapping[str, Any]

_WRITES = frozenset({"PutItem", "UpdateItem", "DeleteItem"})


class Place(NamedTuple):
    table: str
    partition: str
    sort: str


@dataclass(frozen=True, slots=True)
class Charge:
    """What one item, or one query, cost: in the table, and in each index by its place there."""

    partition: str
    sort: str
    size: int = 0
    written: int = 0
    in_indexes: Mapping[IndexKey, int] = field(default_factory=dict)
    read: float = 0.0
    read_index: str = ""
    """Which index was asked; none for the table itself."""

    @property
    def all_written(self) -> int:
        return self.written + sum(self.in_indexes.values())


def places_written(operation: str, request: Request) -> Iterator[Place]:
    """What is written or, in a transaction, checked: that costs as much."""
    yield from map(place_of, writes_of(operation, request))


def place_of(write: Request) -> Place:
    key = write.get("Key") or write["Item"]
    return Place(write["TableName"], key["pk"]["S"], key["sk"]["S"])


def item_at(place: Place) -> Attributes | None:
    """As the tables of this process hold it now."""
    key = {"pk": {"S": place.partition}, "sk": {"S": place.sort}}
    found: Attributes | None = ask("GetItem", {"TableName": place.table, "Key": key}).get("Item")
    return found


def writes_of(operation: str, request: Request) -> Iterator[Request]:
    if operation == "TransactWriteItems":
        yield from (one for write in request["TransactItems"] for one in write.values())
    elif operation == "BatchWriteItem":
        for name, writes in request["RequestItems"].items():
            yield from ({"TableName": name, **one} for write in writes for one in write.values())
    elif operation in _WRITES:
        yield request


def of_write(
    place: Place, before: Attributes | None, after: Attributes | None, *, is_transaction: bool
) -> Charge:
    """Of two sizes, the greater counts."""
    larger = max((before or {}, after or {}), key=item_bytes)
    units = write_units([larger], is_transaction=is_transaction)
    entries = {
        _entry(name, after or before or {}, before or {}): cost
        for name, cost in index_units(before, after).items()
    }
    return Charge(place.partition, place.sort, item_bytes(larger), units, entries)


def of_reads(operation: str, request: Request, answer: Request) -> Iterator[Charge]:
    if operation == "Query":
        partition = request["ExpressionAttributeValues"][":partition"]["S"]
        is_strong = bool(request.get("ConsistentRead"))
        units = read_units(answer.get("Items", []), is_strong=is_strong, is_query=True)
        yield Charge(partition, "", read=units, read_index=request.get("IndexName", ""))
        return
    is_strong = _is_strong(request)
    for row in _rows(answer):
        units = read_units([row], is_strong=is_strong, is_query=False)
        yield Charge(row["pk"]["S"], row["sk"]["S"], item_bytes(row), read=units)


def places_read(operation: str, request: Request) -> Iterator[tuple[str, str]]:
    """The partitions that are asked, each with the index that it is one of."""
    if operation == "Query":
        yield request["ExpressionAttributeValues"][":partition"]["S"], request.get("IndexName", "")
    elif operation == "GetItem":
        yield request["Key"]["pk"]["S"], ""
    elif operation == "BatchGetItem":
        keys = (key for one in request["RequestItems"].values() for key in one["Keys"])
        yield from ((key["pk"]["S"], "") for key in keys)


def index_partitions(item: Attributes) -> Iterator[tuple[str, str]]:
    """Where an item stands in indexes: the partition there, and which index it is."""
    yield from ((item[one.partition]["S"], one.name) for one in INDEXES if one.partition in item)


def _entry(name: str, item: Attributes, before: Attributes) -> IndexKey:
    """Where the entry stands that was written, or that was taken away."""
    index = INDEX_BY_NAME[name]
    held = item if index.sort in item and index.partition in item else before
    return IndexKey(name, held[index.partition]["S"], held[index.sort]["S"])


def _is_strong(request: Request) -> bool:
    asked = request.get("RequestItems", {"": request}).values()
    return all(bool(one.get("ConsistentRead")) for one in asked)


def _rows(answer: Request) -> Iterable[Attributes]:
    if "Item" in answer:
        yield answer["Item"]
    for found in answer.get("Responses", {}).values():
        yield from found
