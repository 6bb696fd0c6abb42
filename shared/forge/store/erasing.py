"""Finding and removing what one tenant has, wherever it is: for the worker of erasures, and nobody else.

It looks through the whole table, because partitions can't be listed, and what nobody knew of would stay.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from forge.store.failures import Undecided, patiently
from forge.store.keys import Key, workspace_prefix
from forge.store.physical import PARTITION, SORT
from forge.store.readings import Rows
from forge.store.table import Table

_AT_ONCE = 25

Position = Mapping[str, str]


def of_tenant(table: Table, workspace_id: str, *, after: Position | None) -> Rows:
    """The keys in a megabyte of the table that are of this workspace, also outside its partitions."""
    return _scan(
        table,
        "begins_with(#pk, :prefix) OR #owner = :id",
        {":prefix": workspace_prefix(workspace_id), ":id": workspace_id},
        after,
        names={"#owner": "workspace_id"},
    )


def in_partitions(table: Table, part: str, *, after: Position | None) -> Rows:
    """The keys in a megabyte of the table whose partition has this in its name."""
    return _scan(table, "contains(#pk, :part)", {":part": part}, after)


def erase(table: Table, keys: Iterable[Key]) -> None:
    """Whether or not they are there, and whatever they hold by now."""
    wanted = [*dict.fromkeys(keys)]
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        left: Any = {table.name: [{"DeleteRequest": {"Key": _at(key)}} for key in some]}

        def send() -> None:
            nonlocal left
            left = table.client.ask("BatchWriteItem", {"RequestItems": left}).get("UnprocessedItems")
            if left:
                # What was left out is throttled, and waited for like everything that is.
                raise Undecided

        patiently(send)


def _scan(
    table: Table,
    condition: str,
    values: Mapping[str, str],
    after: Position | None,
    *,
    names: Mapping[str, str] | None = None,
) -> Rows:
    request: dict[str, Any] = {
        "TableName": table.name,
        "FilterExpression": condition,
        "ProjectionExpression": "#pk, #sk",
        "ExpressionAttributeNames": {"#pk": PARTITION, "#sk": SORT, **(names or {})},
        "ExpressionAttributeValues": {name: {"S": value} for name, value in values.items()},
        "ConsistentRead": True,
    }
    if after is not None:
        request["ExclusiveStartKey"] = {name: {"S": value} for name, value in after.items()}
    answer = patiently(lambda: table.client.ask("Scan", request))
    last = answer.get("LastEvaluatedKey")
    return Rows(answer["Items"], {name: value["S"] for name, value in last.items()} if last else None)


def _at(key: Key) -> dict[str, Any]:
    return {PARTITION: {"S": key.partition}, SORT: {"S": key.sort}}
