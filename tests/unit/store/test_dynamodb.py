"""The client of tables says the same, whichever way its requests go."""

import json
import socket
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from forge.store.answers import NoAnswer, Refused, TableAnswer
from forge.store.botocore_calls import BotocoreRequests
from forge.store.connections import Connections
from forge.store.dynamodb import DynamoDB
from forge.store.provision import provision
from forge.store.signed_requests import SignedRequests
from forge.testing.embedded import embed_tables
from tests.unit.store.local_server import HOST

_numbers = count(1)
WAYS: dict[str, Callable[[Connections], Connections]] = {
    "directly": lambda served: served,
    "through botocore": lambda served: replace(
        served, send=BotocoreRequests(served.dynamodb), _clients={"dynamodb": served.dynamodb()}
    ),
    "in process": embed_tables,
}


class AnyTable:
    """A table of its own, and what these tests do with it."""

    def __init__(self, connections: Connections) -> None:
        self.name = provision(connections, f"ways-{next(_numbers)}").table.name
        self.client = connections.tables()

    def put(self, sort: str, *, condition: str = "attribute_not_exists(pk)") -> dict[str, Any]:
        return {
            "Put": {
                "TableName": self.name,
                "Item": an_item(sort),
                "ConditionExpression": condition,
                "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
            }
        }

    def store(self, *puts: dict[str, Any]) -> dict[str, Any]:
        token = f"token-{next(_numbers)}"
        return self.client.ask(
            "TransactWriteItems", {"TransactItems": list(puts), "ClientRequestToken": token}
        )

    def update(self, sort: str, condition: str) -> dict[str, Any]:
        return self.client.ask(
            "UpdateItem",
            {
                "TableName": self.name,
                "Key": at(sort),
                "UpdateExpression": "SET title = :title",
                "ExpressionAttributeValues": {":title": {"S": "Ships ☃ \U0001f389"}},
                "ConditionExpression": condition,
                "ReturnValues": "ALL_NEW",
                "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
            },
        )


def at(sort: str) -> dict[str, Any]:
    return {"pk": {"S": "WS#1"}, "sk": {"S": sort}}


def an_item(sort: str) -> dict[str, Any]:
    more = {"tags": {"SS": ["a", "b"]}, "n": {"N": "1.5"}, "none": {"NULL": True}, "yes": {"BOOL": True}}
    return at(sort) | more | {"map": {"M": {"list": {"L": [{"S": "☃"}, {"M": {}}]}}}}


@pytest.fixture(scope="module", params=WAYS)
def table(request: pytest.FixtureRequest, served_connections: Connections) -> AnyTable:
    return AnyTable(WAYS[request.param](served_connections))


def test_every_operation_answers_what_is_stored(table: AnyTable) -> None:
    table.store(table.put("1"), table.put("2"))

    became = table.update("1", "attribute_exists(pk)")
    got = table.client.ask("GetItem", {"TableName": table.name, "Key": at("2"), "ConsistentRead": True})
    missing = table.client.ask("GetItem", {"TableName": table.name, "Key": at("3")})
    batch = table.client.ask("BatchGetItem", {"RequestItems": {table.name: {"Keys": [at("1"), at("3")]}}})
    page = table.client.ask(
        "Query",
        {
            "TableName": table.name,
            "KeyConditionExpression": "pk = :pk",
            "ExpressionAttributeValues": {":pk": {"S": "WS#1"}},
            "Limit": 1,
        },
    )

    renamed = an_item("1") | {"title": {"S": "Ships ☃ \U0001f389"}}
    assert became["Attributes"] == renamed
    assert got["Item"] == an_item("2")
    assert "Item" not in missing
    assert batch["Responses"] == {table.name: [renamed]}
    assert (page["Items"], page["LastEvaluatedKey"]) == ([renamed], at("1"))


def test_a_failed_condition_brings_the_item_as_it_is(table: AnyTable) -> None:
    table.store(table.put("conditioned"))

    with pytest.raises(Refused) as caught:
        table.update("conditioned", "attribute_not_exists(pk)")

    assert (caught.value.code, caught.value.status) == ("ConditionalCheckFailedException", 400)
    assert caught.value.item == an_item("conditioned")


def test_a_cancelled_transaction_brings_a_reason_for_each_write(table: AnyTable) -> None:
    table.store(table.put("taken"))

    with pytest.raises(Refused) as caught:
        table.store(table.put("free"), table.put("taken", condition="attribute_not_exists(sk)"))

    assert caught.value.code == "TransactionCanceledException"
    assert [reason["Code"] for reason in caught.value.reasons] == ["None", "ConditionalCheckFailed"]
    assert caught.value.reasons[1]["Item"] == an_item("taken")


def test_a_table_that_is_not_there_is_a_refusal(table: AnyTable) -> None:
    with pytest.raises(Refused) as caught:
        table.client.ask("GetItem", {"TableName": "nowhere", "Key": at("1")})

    assert caught.value.code == "ResourceNotFoundException"


@pytest.mark.parametrize("way", ["directly", "through botocore"])
def test_a_server_that_is_not_there_is_no_answer(way: str) -> None:
    with socket.create_server((HOST, 0)) as probe:
        port = probe.getsockname()[1]
    nowhere = WAYS[way](Connections("us-east-1", f"http://{HOST}:{port}", ("key", "secret")))

    with pytest.raises(NoAnswer):
        nowhere.tables().ask("GetItem", {"TableName": "t", "Key": at("1")})


def test_half_of_a_surrogate_pair_is_for_dynamodb_to_judge() -> None:
    sent: list[bytes] = []

    def send(operation: str, body: bytes) -> TableAnswer:
        sent.append(body)
        return TableAnswer(200, b"{}")

    DynamoDB(send).ask("GetItem", {"Key": {"pk": {"S": "\ud83c"}}})

    assert json.loads(sent[0]) == {"Key": {"pk": {"S": "\ud83c"}}}


@pytest.mark.parametrize(
    ("body", "code", "text"),
    [
        (b'{"__type":"com.amazonaws.dynamodb.v20120810#A","message":"b"}', "A", "A: b"),
        (b'{"__type":"A","Message":"b"}', "A", "A: b"),
        (b"{}", "400", "400"),
        (b"[]", "400", "400"),
        (b"", "400", "400"),
    ],
)
def test_a_refusal_says_its_code_however_it_is_written(body: bytes, code: str, text: str) -> None:
    with pytest.raises(Refused) as caught:
        DynamoDB(lambda operation, sent: TableAnswer(400, body)).ask("Query", {})

    assert (caught.value.code, str(caught.value)) == (code, text)


def test_the_direct_way_is_taken_where_it_leads(served_connections: Connections) -> None:
    assert isinstance(served_connections.tables()._send, SignedRequests)
