"""Tables: what a request did can be written down, read again, and taken back."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from ministack.core.responses import request_scope
from ministack.services import dynamodb

from forge.cli.local import tables
from forge.cli.local.documents import Documents, Step, apply

NAME = "kept"
DEFINITION = {
    "TableName": NAME,
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "BillingMode": "PAY_PER_REQUEST",
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
}


@pytest.fixture(autouse=True)
def apart() -> Iterator[None]:
    """An account that no other test in this process uses."""
    with request_scope("123456789012", "eu-west-3"):
        yield
        forget()
        dynamodb._stream_records.pop(NAME, None)
        dynamodb._stream_trimmed.pop(NAME, None)


def forget() -> None:
    """One by one: to clear a store would take the other accounts' things, too."""
    for store in (dynamodb._tables, dynamodb._ttl_settings, dynamodb._txn_idempotency):
        for name in list(store):
            del store[name]


def ask(operation: str, **request: Any) -> tuple[int, Any, Step]:
    body = json.dumps(request).encode()
    before = tables.Before(body)
    headers = {"x-amz-target": f"DynamoDB_20120810.{operation}"}
    status, _, content = asyncio.run(dynamodb.handle_request("POST", "/", headers, body, {}))
    return status, json.loads(content), before.step()


def key(name: str) -> dict[str, Any]:
    return {"pk": {"S": name}, "sk": {"S": "x"}}


def put(name: str, value: int) -> Step:
    return ask("PutItem", TableName=NAME, Item=key(name) | {"value": {"N": str(value)}})[2]


def held() -> Any:
    return json.loads(json.dumps(dynamodb._tables[NAME]["items"]))


ADDING: dict[str, Any] = {
    "TableName": NAME,
    "Key": key("a"),
    "UpdateExpression": "ADD #v :one",
    "ExpressionAttributeNames": {"#v": "value"},
    "ExpressionAttributeValues": {":one": {"N": "1"}},
}
WRITES: dict[str, dict[str, Any]] = {
    "PutItem": {"TableName": NAME, "Item": key("a") | {"value": {"N": "2"}}},
    "UpdateItem": ADDING,
    "DeleteItem": {"TableName": NAME, "Key": key("a")},
    "TransactWriteItems": {
        "ClientRequestToken": "one",
        "TransactItems": [
            {"Put": {"TableName": NAME, "Item": key("new")}},
            {"Delete": {"TableName": NAME, "Key": key("a")}},
        ],
    },
    "BatchWriteItem": {
        "RequestItems": {NAME: [{"PutRequest": {"Item": key("b")}}, {"DeleteRequest": {"Key": key("a")}}]}
    },
    "UpdateTimeToLive": {
        "TableName": NAME,
        "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "ttl"},
    },
    "DeleteTable": {"TableName": NAME},
}


@pytest.mark.parametrize("operation", WRITES)
def test_every_kind_of_write_is_taken_back_as_if_it_had_not_been(operation: str) -> None:
    ask("CreateTable", **DEFINITION)
    put("a", 1)
    items, everything = held(), tables.documents()
    told = len(dynamodb._stream_records[NAME])

    status, _, step = ask(operation, **WRITES[operation])
    step.undo()

    assert status == 200
    assert step.changes
    assert held() == items
    assert tables.documents() == everything
    assert len(dynamodb._stream_records[NAME]) == told
    assert dynamodb._txn_idempotency.get("one") is None


@pytest.mark.parametrize("operation", WRITES)
def test_what_is_written_down_is_what_the_engine_holds(operation: str) -> None:
    kept: Documents = {}
    apply(ask("CreateTable", **DEFINITION)[2].changes, kept)
    apply(put("a", 1).changes, kept)

    apply(ask(operation, **WRITES[operation])[2].changes, kept)

    without_tokens = {path: document for path, document in kept.items() if path[0] != "token"}
    assert without_tokens == tables.documents()


def test_several_are_taken_back_in_the_reverse_order() -> None:
    ask("CreateTable", **DEFINITION)
    put("a", 1)
    before = held()

    steps = [put("a", 2), put("b", 1), put("a", 3)]
    for step in reversed(steps):
        step.undo()

    assert held() == before


def test_a_repeated_token_is_known_after_a_start() -> None:
    kept: Documents = {}
    adding = {"Update": ADDING}
    for step in (ask("CreateTable", **DEFINITION)[2], put("a", 1)):
        apply(step.changes, kept)
    apply(ask("TransactWriteItems", ClientRequestToken="one", TransactItems=[adding])[2].changes, kept)
    through_the_disk = {path: json.loads(json.dumps(document)) for path, document in kept.items()}

    forget()
    tables.restore(through_the_disk, boot=10**12)
    status, _, step = ask("TransactWriteItems", ClientRequestToken="one", TransactItems=[adding])

    assert status == 200
    assert step.changes == []
    assert held()["a"]["x"]["value"] == {"N": "2"}


def test_a_refused_write_changes_nothing() -> None:
    ask("CreateTable", **DEFINITION)
    put("a", 1)

    status, _, step = ask(
        "PutItem", TableName=NAME, Item=key("a"), ConditionExpression="attribute_not_exists(pk)"
    )

    assert status == 400
    assert step.changes == []


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"{", b'{"TableName": 1}', b'{"TransactItems": [1, {"Put": 2}]}', b'{"RequestItems": 3}'],
)
def test_a_request_that_makes_no_sense_touches_nothing(body: bytes) -> None:
    assert tables.Before(body).step().changes == []
