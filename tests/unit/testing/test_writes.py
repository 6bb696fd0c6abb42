"""A transaction that is done at once leaves what the engine would leave, and is refused as it refuses."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from ministack.services import dynamodb

from forge.store.physical import table_definition
from forge.testing import embedded

SORTS = st.sampled_from([*"123456789", ""])
ODD: list[dict[str, Any]] = [{"S": ""}, {"N": "no"}, {"N": "1" * 39}, {"SS": ["a", "a"]}]
VALUES = st.sampled_from([*[{"S": "x"}, {"S": "y"}, {"N": "1"}, {"N": "01.0"}, {"BOOL": True}] * 4, *ODD])
ATTRIBUTES = st.dictionaries(st.sampled_from(["version", "boardPk", "word", "more", ""]), VALUES, max_size=2)
PLAIN = ["", "attribute_not_exists(pk)", "#a = :a", "attribute_not_exists(pk) AND #a <> :a"]
RARE = ["#a < :a OR attribute_not_exists(#a)", "#a BETWEEN :a AND :b", "#a = :missing", "#a ="]
CONDITIONS = st.sampled_from([*PLAIN * 2, "attribute_exists(pk)", "attribute_exists(name)", *RARE])
UPDATES = st.sampled_from(
    ["SET #a = :a", "ADD #a :a", "SET #a = :a, boardSk = :b", "REMOVE #a", "SET #a = #a + :a"]
)


@st.composite
def writes(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from(["Put", "Put", "Update", "Delete", "ConditionCheck"]))
    key = {"pk": {"S": "WS#1"}, "sk": {"S": draw(SORTS)}}
    asked: dict[str, Any] = {"Item": key | draw(ATTRIBUTES)} if kind == "Put" else {"Key": key}
    if condition := draw(CONDITIONS):
        asked["ConditionExpression"] = condition
    if kind == "Update":
        asked["UpdateExpression"] = draw(UPDATES)
    said = " ".join(asked.get(f"{part}Expression", "") for part in ("Condition", "Update"))
    if "#a" in said:
        asked["ExpressionAttributeNames"] = {"#a": draw(st.sampled_from(["version", "boardPk", "word"]))}
    if values := {name: draw(VALUES) for name in (":a", ":b") if name in said}:
        asked["ExpressionAttributeValues"] = values
    return {kind: asked}


TRANSACTIONS = st.lists(
    st.fixed_dictionaries(
        {"TransactItems": st.lists(writes(), max_size=3)},
        optional={"ClientRequestToken": st.sampled_from(["one", "two", "three" * 8])},
    ),
    min_size=1,
    max_size=5,
)


@given(TRANSACTIONS)
def test_a_transaction_does_what_the_engine_does_with_it(transactions: list[dict[str, Any]]) -> None:
    for name in ("at-once", "by-the-engine"):
        embedded._send("CreateTable", json.dumps({"TableName": name, **table_definition()}).encode())
        dynamodb._tables[name]["items"].clear()
        dynamodb._items_replaced(dynamodb._tables[name])
    dynamodb._txn_idempotency.clear()

    for transaction in transactions:
        answer = embedded._send("TransactWriteItems", _in_table("at-once", transaction))
        status, _, content = dynamodb._transact_write_items(
            json.loads(_in_table("by-the-engine", transaction))
        )

        assert (answer.status, json.loads(answer.body)) == (status, json.loads(content))
        assert _held("at-once") == _held("by-the-engine")


def _in_table(name: str, transaction: dict[str, Any]) -> bytes:
    items = [
        {kind: {"TableName": name, **asked}}
        for one in transaction["TransactItems"]
        for kind, asked in one.items()
    ]
    token = transaction.get("ClientRequestToken")
    return json.dumps(
        {"TransactItems": items} | ({"ClientRequestToken": f"{name}-{token}"} if token else {})
    ).encode()


def _held(name: str) -> Any:
    table = dynamodb._tables[name]
    return table["items"], dynamodb._index_members(table), table["ItemCount"]
