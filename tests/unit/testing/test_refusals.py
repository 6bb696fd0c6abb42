"""What DynamoDB refuses is refused in tests, too, also where the emulator's engine would take it."""

from typing import Any

import pytest

from forge.store.answers import Refused
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.store.store import Store

Request = dict[str, Any]


@pytest.fixture(scope="module")
def store(near_connections: Connections) -> Store:
    return provision(near_connections, "refusals")


def at(sort: str = "1") -> Request:
    return {"pk": {"S": "WS#1"}, "sk": {"S": sort}}


def put(**attributes: str) -> Request:
    return {"Item": at() | {name: {"S": value} for name, value in attributes.items()}}


def update(expression: str, *, names: Request | None = None, **values: Any) -> Request:
    more = {"ExpressionAttributeNames": names} if names else {}
    given = {"ExpressionAttributeValues": {f":{name}": value for name, value in values.items()}}
    return {"Key": at(), "UpdateExpression": expression, **(given if values else {}), **more}


def filtered(expression: str, **values: Any) -> Request:
    given = {f":{name}": value for name, value in values.items()} | {":pk": {"S": "WS#1"}}
    return {
        "KeyConditionExpression": "pk = :pk",
        "FilterExpression": expression,
        "ExpressionAttributeValues": given,
    }


def _one_of(number: int) -> Request:
    values = {f"v{place}": {"N": str(place)} for place in range(number)}
    return filtered(f"rank IN ({', '.join(f':{name}' for name in values)})", **values)


TEXT = {"S": "x"}
NUMBER = {"N": "1"}
LONG = {"S": "x" * 1_025}
TWICE = {"#a": "n", "#b": "n"}
REFUSED: dict[str, tuple[str, Request]] = {
    "a sort key of an index over 1,024 bytes": ("PutItem", put(boardPk="b", boardSk="é" * 513)),
    "a partition of an index over 2,048 bytes": ("PutItem", put(boardPk="b" * 2049, boardSk="1")),
    "the same by an update": (
        "UpdateItem",
        update("SET boardPk = :p, boardSk = :s", p=TEXT, s={"S": "x" * 1025}),
    ),
    "an empty key of an index": ("PutItem", put(boardPk="b", boardSk="")),
    "an empty key of an index by an update": ("UpdateItem", update("SET boardSk = :s", s={"S": ""})),
    "a filter on a key of the index that is read": (
        "Query",
        {
            "IndexName": "board",
            "KeyConditionExpression": "boardPk = :pk",
            "FilterExpression": "boardSk = :x",
            "ExpressionAttributeValues": {":pk": TEXT, ":x": TEXT},
        },
    ),
    "an empty sort key": ("PutItem", {"Item": at("")}),
    "a sort key over 1,024 bytes": ("PutItem", {"Item": at("x" * 1025)}),
    "a partition key over 2,048 bytes": ("PutItem", {"Item": at() | {"pk": {"S": "x" * 2049}}}),
    "the same path twice": (
        "UpdateItem",
        update("SET #a = :x REMOVE #b", names=TWICE, x=TEXT),
    ),
    "a path within another": ("UpdateItem", update("SET #a = :x, #a.b = :x", names={"#a": "n"}, x=TEXT)),
    "an update of a key": ("UpdateItem", update("SET sk = :x", x=TEXT)),
    "a hundred and one operands of IN": ("Query", _one_of(101)),
    "a filter on a key": ("Query", filtered("sk = :x", x=TEXT)),
    "more than three hundred operators": ("Query", filtered(" OR ".join(["n=:v"] * 151), v=NUMBER)),
    "an expression over 4 KB": ("Query", filtered(f"attribute_exists({'a' * 4_100})")),
    "a number beyond 38 digits": ("PutItem", {"Item": at() | {"n": {"N": "1" * 39}}}),
    "a number that is too great": ("PutItem", {"Item": at() | {"n": {"N": "1e126"}}}),
    "an item over 400 KB": ("PutItem", put(text="x" * 410_000)),
    "an empty set": ("PutItem", {"Item": at() | {"tags": {"SS": []}}}),
    "a name that stands for nothing": ("UpdateItem", update("SET a = :x", names={"#n": "n"}, x=TEXT)),
    "a value that stands for nothing": ("UpdateItem", update("SET a = :x", x=TEXT, y=TEXT)),
    "a reserved word": ("UpdateItem", update("SET status = :x", x=TEXT)),
}


@pytest.mark.parametrize("case", REFUSED)
def test_it_is_refused_as_dynamodb_would(case: str, store: Store) -> None:
    operation, request = REFUSED[case]

    with pytest.raises(Refused) as caught:
        store.table.client.ask(operation, {"TableName": store.table.name, **request})

    assert caught.value.code == "ValidationException"


def test_it_is_refused_within_a_transaction(store: Store) -> None:
    table = {"TableName": store.table.name}
    writes = [{"Put": table | {"Item": at("2")}}, {"Put": table | put(boardPk="b", boardSk="x" * 1_025)}]

    with pytest.raises(Refused):
        store.table.client.ask("TransactWriteItems", {"TransactItems": writes})

    assert "Item" not in store.table.client.ask("GetItem", {"Key": at("2"), **table})


@pytest.mark.parametrize(
    "taken",
    [
        update("SET a = if_not_exists(a, :x), b = :x ADD c :n REMOVE d, e", x=TEXT, n=NUMBER),
        update("SET #a = :x, #b = :x", names={"#a": "sets", "#b": "removed"}, x=TEXT),
        update("SET boardSk = :s", s={"S": "x" * 1_024}),
    ],
    ids=lambda request: str(request["UpdateExpression"]),
)
def test_what_dynamodb_takes_is_taken(taken: Request, store: Store) -> None:
    assert store.table.client.ask("UpdateItem", {"TableName": store.table.name, **taken}) == {}
