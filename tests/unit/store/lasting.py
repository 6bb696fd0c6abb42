"""One store for many tests, emptied after each: making one takes longer than most of them."""

from typing import Any

from forge.store.connections import Connections
from forge.store.physical import PARTITION, SORT, TTL
from forge.store.provision import provision
from forge.store.store import Store

_MOST_DELETIONS = 25


def a_lasting_store(connections: Connections) -> Store:
    store = provision(connections, "forge-test-lasting")
    # The emulator purges by the machine's clock, and the tests' own may be long past by that.
    connections.dynamodb().update_time_to_live(
        TableName=store.table.name, TimeToLiveSpecification={"Enabled": False, "AttributeName": TTL}
    )
    return store


def empty(store: Store) -> None:
    """Remove every item and every message; texts in S3 stay, because nothing finds them any more."""
    for start in range(0, len(places := _places(store)), _MOST_DELETIONS):
        deletions: Any = [
            {"DeleteRequest": {"Key": place}} for place in places[start : start + _MOST_DELETIONS]
        ]
        store.table.client.ask("BatchWriteItem", {"RequestItems": {store.table.name: deletions}})
    for url in store.queues.urls.values():
        store.queues.client.purge_queue(QueueUrl=url)


def _places(store: Store) -> list[dict[str, Any]]:
    request: dict[str, Any] = {
        "TableName": store.table.name,
        "ProjectionExpression": f"{PARTITION}, {SORT}",
        "ConsistentRead": True,
    }
    found: list[dict[str, Any]] = []
    while True:
        answer = store.table.client.ask("Scan", request)
        found += answer["Items"]
        if "LastEvaluatedKey" not in answer:
            return found
        request["ExclusiveStartKey"] = answer["LastEvaluatedKey"]
