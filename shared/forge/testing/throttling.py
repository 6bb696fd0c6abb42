"""Tables in this process whose partitions have only so many units a second, by a clock that a test holds.

DynamoDB lets a request pass while a partition has anything left, and charges it afterwards. A write is
refused as a whole when one of its partitions has nothing left, be it one of an index; of a batch, only what
lies there is left out.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, NamedTuple, cast

from forge.store.answers import TableAnswer
from forge.store.connections import Connections
from forge.store.dynamodb import Send
from forge.store.physical import INDEXES
from forge.testing.charges import (
    Charge,
    index_partitions,
    item_at,
    of_reads,
    of_write,
    place_of,
    places_read,
    places_written,
    writes_of,
)
from forge.testing.embedded import embed_tables

Request = Mapping[str, Any]

_BATCHES = {"BatchWriteItem": "UnprocessedItems", "BatchGetItem": "UnprocessedKeys"}
_TOO_MUCH = {"__type": "ProvisionedThroughputExceededException", "message": "throttled"}


class Spot(NamedTuple):
    """A partition of the table, or of an index."""

    partition: str
    index_name: str = ""


@dataclass(slots=True)
class _Allowance:
    each_second: float
    filled_at: float
    left: float

    def has_any(self, now: float) -> bool:
        self.left = min(self.each_second, self.left + (now - self.filled_at) * self.each_second)
        self.filled_at = now
        return self.left > 0


class Throttle:
    """Stands between `connections` and their tables."""

    def __init__(self, connections: Connections, clock: Callable[[], float]) -> None:
        self.connections = embed_tables(connections)
        self._send = cast("Send", self.connections.send)
        self.connections.send = self
        self._clock = clock
        self._writes: dict[Spot, _Allowance] = {}
        self._reads: dict[Spot, _Allowance] = {}
        self.refused = 0
        """Requests, or parts of batches."""

    def limit_writes(self, partition: str, units: float, *, index: str = "") -> None:
        """So many units a second from now on, of one partition of the table or of an index."""
        self._writes[Spot(partition, index)] = _Allowance(units, self._clock(), units)

    def limit_reads(self, partition: str, units: float, *, index: str = "") -> None:
        self._reads[Spot(partition, index)] = _Allowance(units, self._clock(), units)

    def lift(self) -> None:
        """From now on, nothing is limited."""
        self._writes.clear()
        self._reads.clear()

    def __call__(self, operation: str, body: bytes) -> TableAnswer:
        request = json.loads(body)
        if operation in _BATCHES:
            return self._batch(operation, request)
        if self._is_throttled(operation, request):
            self.refused += 1
            return _refusal(operation, request, self._is_throttled)
        return self._pass_on(operation, request)

    def _batch(self, operation: str, request: Request) -> TableAnswer:
        """What lies where nothing is left comes back; if that is all of it, the request is refused."""
        taken: dict[str, Any] = {}
        left: dict[str, Any] = {}
        for table, asked in request["RequestItems"].items():
            parts = asked if operation == "BatchWriteItem" else asked["Keys"]
            is_put_off = [self._is_throttled(operation, _of_part(operation, table, one)) for one in parts]
            self.refused += sum(is_put_off)
            for chosen, wanted in ((taken, False), (left, True)):
                some = [one for one, is_it in zip(parts, is_put_off, strict=True) if is_it is wanted]
                if some:
                    chosen[table] = some if operation == "BatchWriteItem" else asked | {"Keys": some}
        if not taken:
            return _answer(400, _TOO_MUCH)
        answer = self._pass_on(operation, {**request, "RequestItems": taken})
        if answer.status != HTTPStatus.OK or not left:
            return answer
        return _answer(HTTPStatus.OK, json.loads(answer.body) | {_BATCHES[operation]: left})

    def _pass_on(self, operation: str, request: Request) -> TableAnswer:
        written = [*places_written(operation, request)]
        before = {place: item_at(place) for place in written}
        answer = self._send(operation, json.dumps(request).encode())
        is_transaction = operation == "TransactWriteItems"
        for place in written:
            self._charge_write(of_write(place, before[place], item_at(place), is_transaction=is_transaction))
        if not written:
            for charge in of_reads(operation, request, json.loads(answer.body)):
                _take(self._reads, Spot(charge.partition, charge.read_index), charge.read)
        return answer

    def _charge_write(self, charge: Charge) -> None:
        _take(self._writes, Spot(charge.partition), charge.written)
        for entry, units in charge.in_indexes.items():
            _take(self._writes, Spot(entry.partition, entry.index_name), units)

    def _is_throttled(self, operation: str, request: Request) -> bool:
        now = self._clock()
        writes = [spot for write in writes_of(operation, request) for spot in _spots_of(write)]
        reads = [Spot(*one) for one in places_read(operation, request)]
        return any(
            spot in limited and not limited[spot].has_any(now)
            for spots, limited in ((writes, self._writes), (reads, self._reads))
            for spot in spots
        )


def _spots_of(write: Request) -> Iterator[Spot]:
    """Where a write has something to do: where the item is, and where it stands in indexes, was or will."""
    place = place_of(write)
    yield Spot(place.partition)
    for item in (item_at(place) or {}, write.get("Item", {})):
        yield from (Spot(*one) for one in index_partitions(item))
    yield from _assigned(write)


def _assigned(write: Request) -> Iterator[Spot]:
    """Where an update may put an item in indexes: which value is whose is not looked at."""
    names = {*write.get("ExpressionAttributeNames", {}).values()}
    texts = [one["S"] for one in write.get("ExpressionAttributeValues", {}).values() if "S" in one]
    yield from (Spot(text, one.name) for one in INDEXES if one.partition in names for text in texts)


def _refusal(operation: str, request: Request, is_throttled: Callable[[str, Request], bool]) -> TableAnswer:
    if operation != "TransactWriteItems":
        return _answer(400, _TOO_MUCH)
    hit = [is_throttled(operation, {"TransactItems": [one]}) for one in request["TransactItems"]]
    reasons = [{"Code": "ThrottlingError" if one else "None"} for one in hit]
    return _answer(400, {"__type": "TransactionCanceledException", "CancellationReasons": reasons})


def _of_part(operation: str, table: str, part: Any) -> Request:
    """A batch of one."""
    return {"RequestItems": {table: [part] if operation == "BatchWriteItem" else {"Keys": [part]}}}


def _take(limited: dict[Spot, _Allowance], spot: Spot, units: float) -> None:
    if spot in limited:
        limited[spot].left -= units


def _answer(status: int, content: Request) -> TableAnswer:
    return TableAnswer(status, json.dumps(content).encode())
