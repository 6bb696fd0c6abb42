"""The table: it speaks in items and keys, and nothing of DynamoDB leaves this package."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, TypeVar

from forge.errors import DomainError
from forge.store.codec import encode_value
from forge.store.dynamodb import DynamoDB
from forge.store.expressions import Expression
from forge.store.failures import Cancelled, ConditionFailed, Pause, Undecided, patiently
from forge.store.keys import Key
from forge.store.physical import INDEX_BY_NAME, PARTITION, SORT
from forge.store.ranges import EVERYTHING, SortRange
from forge.store.readings import Attributes, Readings, Rows, Unbounded, key_of
from forge.store.transactions import Transaction, VersionMoved, require_derived

if TYPE_CHECKING:
    # Only its type: the router authenticates with a Table, and starts without pydantic.
    from forge.store.items import DerivedItem, Item

ItemT = TypeVar("ItemT", bound="Item")

_BATCH = 100
_RESTATED = 25
CEILING = 500
"""Rows that one query may read, unless it says why."""


class Table:
    def __init__(
        self,
        name: str,
        connect: Callable[[], DynamoDB],
        *,
        pause: Pause = sleep,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.name = name
        self._connect = connect
        self._pause = pause
        self._clock = clock

    @cached_property
    def client(self) -> DynamoDB:
        """Made on first use: a call that needs no data pays for no client."""
        return self._connect()

    def find(self, kind: type[ItemT], key: Key) -> ItemT | None:
        """The item as it is now, or None."""
        found = self.look_up(key)
        return kind.from_attributes(found) if found is not None else None

    def look_up(self, key: Key) -> Attributes | None:
        """The same as it is stored, as `update` gives it: for who does without models."""
        answer = self._ask("GetItem", {"TableName": self.name, "Key": _at(key), "ConsistentRead": True})
        found: Attributes | None = answer.get("Item")
        return found

    def get(self, kind: type[ItemT], key: Key, *, missing: DomainError) -> ItemT:
        """The item as it is now, or the error that says what is missing."""
        found = self.find(kind, key)
        if found is None:
            raise missing
        return found

    def read(self, keys: Iterable[Key]) -> Readings:
        """The items under these keys, of whatever kinds, read strongly in one request per hundred."""
        readings = Readings(self)
        readings.fetch(keys)
        return readings

    def find_rows(self, keys: Iterable[Key]) -> dict[Key, Attributes]:
        """The rows at these keys as they are stored, of those that exist; for the store itself."""
        wanted = list(dict.fromkeys(keys))
        found: dict[Key, Attributes] = {}
        for start in range(0, len(wanted), _BATCH):
            found |= self._batch(wanted[start : start + _BATCH])
        return found

    def glance(self, keys: Iterable[Key]) -> dict[Key, Attributes]:
        """Those that exist, as stored, for half of what `find_rows` costs: what was just written may lack."""
        return self._batch([*keys], is_strong=False)

    def query(
        self,
        partition: str,
        *,
        limit: int,
        sort: SortRange = EVERYTHING,
        index: str | None = None,
        is_descending: bool = False,
        is_strong: bool = True,
        after: Mapping[str, str] | None = None,
        because: str = "",
    ) -> Rows:
        """One request, at most `limit` rows, and fewer where a megabyte is full: `next_position` tells.

        Indexes lag a little; the table itself is read strongly, unless somebody only has a glance at it.
        `because`: why it may be more than CEILING.
        """
        if limit > CEILING + 1 and not because:
            raise Unbounded(f"{limit} rows are more than {CEILING}, and nothing says why")
        names = _names(index)
        condition, values = sort.condition()
        request: dict[str, Any] = {
            "TableName": self.name,
            "KeyConditionExpression": f"#partition = :partition{condition}",
            "ExpressionAttributeNames": {"#partition": names[0]} | ({"#sort": names[1]} if condition else {}),
            "ExpressionAttributeValues": {":partition": {"S": partition}} | values,
            "Limit": limit,
            "ScanIndexForward": not is_descending,
        }
        request |= {"IndexName": index} if index else {"ConsistentRead": is_strong}
        return self._rows("Query", request, after)

    def query_all(
        self,
        partition: str,
        *,
        most: int,
        sort: SortRange = EVERYTHING,
        index: str | None = None,
        is_descending: bool = False,
        because: str = "",
    ) -> Rows:
        """A whole collection whose size is bounded: one request, more only where it exceeds a megabyte."""
        found: list[Attributes] = []
        after: Mapping[str, str] | None = None
        while len(found) <= most:
            answer = self.query(
                partition,
                # One more tells whether there are more.
                limit=most + 1 - len(found),
                sort=sort,
                index=index,
                is_descending=is_descending,
                after=after,
                because=because,
            )
            after = answer.next_position
            found += answer.rows
            if after is None:
                break
        return Rows(found[:most], _place_of(found[most - 1], index) if len(found) > most else None)

    def scan(self, partitions: str, *, after: Mapping[str, str] | None, limit: int | None = None) -> Rows:
        """One request: what a megabyte of the whole table holds in partitions that begin so.

        For the worker of exports, whose role alone allows it, and for operators who bring a table back: it
        costs as much as all there is. `limit` is how many rows are looked at.
        """
        request: dict[str, Any] = {"TableName": self.name, "ConsistentRead": True}
        request |= {"Limit": limit} if limit else {}
        if partitions:
            request["FilterExpression"] = "begins_with(#partition, :partitions)"
            request["ExpressionAttributeNames"] = {"#partition": PARTITION}
            request["ExpressionAttributeValues"] = {":partitions": {"S": partitions}}
        return self._rows("Scan", request, after)

    def commit(self, transaction: Transaction) -> None:
        """Apply all writes or none. What failed decides the error: see `failures`."""
        transaction.close()
        if not transaction.writes:
            return
        writes = [write.request for write in transaction.writes]
        try:
            self._ask(
                "TransactWriteItems", {"TransactItems": writes, "ClientRequestToken": transaction.token}
            )
        except Cancelled as cancelled:
            raise transaction.decided_by(cancelled) from None

    def restate(self, rows: Sequence["DerivedItem"] = (), *, gone: Sequence["DerivedItem"] = ()) -> None:
        """Store rows and take rows away, whether or not they are there: plainly, many in a request."""
        for row in (*rows, *gone):
            require_derived(row)
        requests: list[dict[str, Any]] = [{"PutRequest": {"Item": row.attributes()}} for row in rows]
        requests += [{"DeleteRequest": {"Key": _at(row.key)}} for row in gone]
        for start in range(0, len(requests), _RESTATED):
            portion = requests[start : start + _RESTATED]
            self._in_full("BatchWriteItem", portion, left_out="UnprocessedItems")

    def update(
        self,
        key: Key,
        expression: str,
        *,
        names: Mapping[str, str],
        values: Mapping[str, object],
        condition: str = "",
    ) -> Attributes:
        """A plain write outside any transaction; returns the item as it became.

        It may be applied twice when an answer is lost, so it is only for what that does no harm: counting a
        call, a heartbeat, a number of a series, a ticket.
        """
        request: dict[str, Any] = {
            "TableName": self.name,
            "Key": _at(key),
            "UpdateExpression": expression,
            "ExpressionAttributeNames": names,
            "ExpressionAttributeValues": {name: encode_value(value) for name, value in values.items()},
            "ReturnValues": "ALL_NEW",
        }
        if condition:
            request |= {"ConditionExpression": condition, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
        became: Attributes = self._ask("UpdateItem", request)["Attributes"]
        return became

    def assign(self, key: Key, fields: Mapping[str, object], *, only_if: Mapping[str, object]) -> None:
        """A plain write of a few fields, where repeating it does no harm. None: the field is not there.

        It leaves the version alone; when the item is not as expected any more, the handler runs again.
        """
        writer = Expression()
        writer.assign(fields)
        condition = " AND ".join(
            f"attribute_not_exists({writer.name(name)})"
            if value is None
            else f"{writer.name(name)} = {writer.value(value)}"
            for name, value in only_if.items()
        )
        request: dict[str, Any] = {
            "TableName": self.name,
            "Key": _at(key),
            "ConditionExpression": condition,
            **writer.request(),
        }
        try:
            self._ask("UpdateItem", request)
        except ConditionFailed:
            raise VersionMoved from None

    def _rows(self, operation: str, request: dict[str, Any], after: Mapping[str, str] | None) -> Rows:
        if after is not None:
            request["ExclusiveStartKey"] = {name: {"S": value} for name, value in after.items()}
        answer = self._ask(operation, request)
        last = answer.get("LastEvaluatedKey")
        return Rows(answer["Items"], {name: value["S"] for name, value in last.items()} if last else None)

    def _ask(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        return patiently(self.client.ask, operation, request, pause=self._pause, clock=self._clock)

    def _batch(self, keys: Sequence[Key], *, is_strong: bool = True) -> dict[Key, Attributes]:
        wanted = {"Keys": [_at(key) for key in keys], "ConsistentRead": is_strong}
        answers = self._in_full("BatchGetItem", wanted, left_out="UnprocessedKeys")
        return {key_of(row): row for answer in answers for row in answer["Responses"].get(self.name, [])}

    def _in_full(self, operation: str, request: Any, *, left_out: str) -> list[Any]:
        """What was left out is throttled, and waited for like everything that is."""
        answers: list[dict[str, Any]] = []
        left: Any = {self.name: request}

        def ask() -> None:
            nonlocal left
            answers.append(self.client.ask(operation, {"RequestItems": left}))
            left = answers[-1].get(left_out)
            if left:
                raise Undecided

        patiently(ask, pause=self._pause, clock=self._clock)
        return answers


def _at(key: Key) -> dict[str, Any]:
    return {PARTITION: {"S": key.partition}, SORT: {"S": key.sort}}


def _place_of(row: Attributes, index: str | None) -> dict[str, str]:
    """Where a query goes on that ended with this row."""
    return {name: row[name]["S"] for name in (PARTITION, SORT, *_names(index))}


def _names(index: str | None) -> tuple[str, str]:
    return (INDEX_BY_NAME[index].partition, INDEX_BY_NAME[index].sort) if index else (PARTITION, SORT)
