"""Clients that count what a tool asks of DynamoDB, and clients that fail it on purpose.

Both stand where the real client stands and pass everything on to it: whatever is not failed really happens.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any, cast

from forge.store.store import Store
from forge.store.table import Table
from forge.testing.capacity import read_units, write_units

READS = frozenset({"GetItem", "BatchGetItem", "Query"})
WRITES = frozenset({"UpdateItem", "BatchWriteItem", "TransactWriteItems"})

Parameters = dict[str, Any]
Send = Callable[..., dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Sent:
    """One request as it was sent and answered."""

    operation: str
    parameters: Parameters
    answer: dict[str, Any]

    @property
    def is_authentication(self) -> bool:
        partition = self.parameters.get("Key", {}).get("pk", {}).get("S", "")
        return self.operation == "UpdateItem" and str(partition).startswith("KEY#")

    @property
    def items(self) -> int:
        """How many items a transaction writes or checks."""
        return len(self.parameters.get("TransactItems", ()))

    @property
    def units(self) -> float:
        if self.operation == "TransactWriteItems":
            written = [put["Put"]["Item"] for put in self.parameters["TransactItems"] if "Put" in put]
            others = self.items - len(written)
            return write_units(written, is_transaction=True) + 2 * others
        if self.operation == "UpdateItem":
            return write_units([self.answer.get("Attributes", {})], is_transaction=False)
        if self.operation == "Query":
            is_strong = bool(self.parameters.get("ConsistentRead"))
            return read_units(self.answer.get("Items", []), is_strong=is_strong, is_query=True)
        if self.operation == "GetItem":
            found = [self.answer["Item"]] if "Item" in self.answer else []
            return read_units(found, is_strong=True, is_query=False)
        found = [row for rows in self.answer.get("Responses", {}).values() for row in rows]
        return read_units(found, is_strong=True, is_query=False)


class Intercepting:
    """A DynamoDB client of which everything that is asked goes through `handle`."""

    def __init__(self, client: Any, handle: Callable[[str, Parameters, Send], dict[str, Any]]) -> None:
        self._client = client
        self._handle = handle

    def ask(self, operation: str, parameters: Parameters) -> dict[str, Any]:
        return self._handle(operation, parameters, lambda **given: self._client.ask(operation, given))


@dataclass(slots=True)
class Counter:
    """What was asked of DynamoDB since the last reset, authentication apart."""

    sent: list[Sent] = field(default_factory=list)

    def __call__(self, operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        answer: dict[str, Any] = {}
        try:
            answer = send(**parameters)
            return answer
        finally:
            # Refused requests cost as much as others.
            self.sent.append(Sent(operation, parameters, answer))

    def reset(self) -> None:
        self.sent.clear()

    @property
    def reads(self) -> int:
        return sum(one.operation in READS for one in self.sent)

    @property
    def writes(self) -> int:
        return sum(one.operation in WRITES and not one.is_authentication for one in self.sent)

    @property
    def authentications(self) -> int:
        return sum(one.is_authentication for one in self.sent)

    @property
    def most_items(self) -> int:
        return max((one.items for one in self.sent), default=0)

    @property
    def units(self) -> float:
        return sum(one.units for one in self.sent)


class SkippedTime:
    """Time that passes when somebody waits, without anybody waiting."""

    def __init__(self) -> None:
        self.skipped = 0.0

    def pause(self, seconds: float) -> None:
        self.skipped += seconds

    def clock(self) -> float:
        return monotonic() + self.skipped


def watched(
    store: Store, handle: Callable[[str, Parameters, Send], dict[str, Any]], time: SkippedTime | None = None
) -> Store:
    """The same store, with everything that goes to its table passing through `handle`."""
    client = cast("Any", Intercepting(store.table.client, handle))
    waits: Any = {"pause": time.pause, "clock": time.clock} if time else {}
    return replace(store, table=Table(store.table.name, lambda: client, **waits))
