"""Provisioning: what the physical description says is there, however often and by how many it is made."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from forge.store.connections import Connections
from forge.store.idempotency import KEPT
from forge.store.physical import ANSWERS, EXPORTS, INDEXES, QUEUES, RUN_LOGS, TTL, UPLOADS, table_definition
from forge.store.provision import provision
from forge.store.store import Store
from tests.unit.store.things import ThingItem, find_thing, put


def described(store: Store) -> dict[str, Any]:
    return dict(store.table.client.ask("DescribeTable", {"TableName": store.table.name})["Table"])


def by_name(definitions: list[dict[str, Any]], name: str) -> dict[str, dict[str, Any]]:
    return {definition[name]: definition for definition in definitions}


def test_the_table_has_the_keys_of_its_description(store: Store) -> None:
    wanted, table = table_definition(), described(store)

    assert table["KeySchema"] == wanted["KeySchema"]
    assert by_name(table["AttributeDefinitions"], "AttributeName") == by_name(
        wanted["AttributeDefinitions"], "AttributeName"
    )


def test_the_table_has_the_indexes_of_its_description(store: Store) -> None:
    wanted = by_name(table_definition()["GlobalSecondaryIndexes"], "IndexName")
    found = by_name(described(store)["GlobalSecondaryIndexes"], "IndexName")

    assert found.keys() == wanted.keys() == {index.name for index in INDEXES}
    for name, index in wanted.items():
        assert found[name]["KeySchema"] == index["KeySchema"]
        assert found[name]["Projection"]["ProjectionType"] == index["Projection"]["ProjectionType"]


def test_the_table_streams_what_its_items_became(store: Store) -> None:
    assert described(store)["StreamSpecification"] == {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}


def test_dynamodb_removes_what_says_that_it_may_be_removed(connections: Connections) -> None:
    store = provision(connections, "forge-test-purging")

    answer = store.table.client.ask("DescribeTimeToLive", {"TableName": store.table.name})

    assert answer["TimeToLiveDescription"]["TimeToLiveStatus"] == "ENABLED"
    assert answer["TimeToLiveDescription"]["AttributeName"] == TTL


def test_the_bucket_forgets_answers_exports_logs_and_uploads_that_nobody_took_in(store: Store) -> None:
    client = store.blobs.client

    rules = client.get_bucket_lifecycle_configuration(Bucket=store.blobs.bucket)["Rules"]

    assert {rule["Filter"]["Prefix"] for rule in rules} == {ANSWERS, EXPORTS, RUN_LOGS, UPLOADS}
    assert all(rule["Status"] == "Enabled" for rule in rules)
    assert all(timedelta(days=rule["Expiration"]["Days"]) > KEPT for rule in rules)


def test_there_is_a_queue_for_each_that_is_described(store: Store) -> None:
    for queue in QUEUES:
        store.queues.send(queue.name, {"hello": queue.name}, group="one" if queue.is_fifo else None)

        waiting = store.queues.client.receive_message(QueueUrl=store.queues.urls[queue.name])
        assert len(waiting["Messages"]) == 1


def test_provisioning_twice_leaves_everything_as_it_is(store: Store, connections: Connections) -> None:
    put(store, ThingItem(id="one"))
    store.blobs.put_text("name", "text")
    store.queues.send("dispatch", {"id": "evt_1"})

    again = provision(connections, store.table.name)

    assert find_thing(again, "one") == ThingItem(id="one")
    assert again.blobs.get_text("name") == "text"
    waiting = again.queues.client.receive_message(QueueUrl=again.queues.urls["dispatch"])
    assert len(waiting["Messages"]) == 1


@pytest.mark.not_on_moto(reason="moto loses writes that come at once")
def test_many_may_provision_the_same_at_once(connections: Connections) -> None:
    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(lambda _: provision(connections, "forge-test-crowded"), range(4)))

    put(stores[0], ThingItem(id="one"))
    assert find_thing(stores[3], "one") == ThingItem(id="one")


def test_two_stores_share_neither_table_nor_bucket(store: Store, connections: Connections) -> None:
    other = provision(connections, f"{store.table.name}-other")

    put(store, ThingItem(id="one"))
    store.blobs.put_text("name", "mine")
    other.blobs.put_text("name", "theirs")

    assert find_thing(other, "one") is None
    assert store.blobs.get_text("name") == "mine"
