"""Finding and removing what one tenant has, wherever it is: for the worker of erasures, and nobody else.

It looks through the whole table, because partitions can't be listed, and what nobody knew of would stay.
"""

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from forge.store.failures import patiently
from forge.store.keys import Key, workspace_prefix
from forge.store.physical import PARTITION, SORT
from forge.store.readings import Rows
from forge.store.table import Table

_AT_ONCE = 8

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
    """Delete the items at these keys, without any condition.

    One by one, some at a time: in a batch, a role that may delete could also put.
    """

    def delete(key: Key) -> None:
        place = {PARTITION: {"S": key.partition}, SORT: {"S": key.sort}}
        patiently(lambda: table.client.ask("DeleteItem", {"TableName": table.name, "Key": place}))

    with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="erasing") as pool:
        for _ in pool.map(delete, dict.fromkeys(keys)):
            pass


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
