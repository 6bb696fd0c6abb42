"""What is kept of an answer: never a secret, in S3 when it is long, and under nobody else's key."""

import json

import pytest

from forge.auth.keys import hash_of
from forge.store.idempotency import KEPT, MAX_INLINE, IdempotencyItem
from forge.store.store import Store
from forge.testing.world import World
from forge.work.workspace.people.authentication import AUTHENTICATION
from tests.unit.store.ledger import balance_of
from tests.unit.wire.answers import body_of

KEY = {"idempotency-key": "once"}


def everything_in(store: Store) -> str:
    return json.dumps(store.table.client.ask("Scan", {"TableName": store.table.name})["Items"])


def record_of(store: Store, world: World, raw_key: str, tool: str) -> IdempotencyItem:
    row = store.table.find_rows([AUTHENTICATION(hash_of(raw_key))])
    (authentication,) = row.values()
    found = store.table.find(
        IdempotencyItem,
        IdempotencyItem.of_call(world.workspace.id, authentication["id"]["S"], tool=tool, given="once"),
    )
    assert found is not None
    return found


def test_a_secret_is_shown_once_and_stored_nowhere_and_its_key_made_once(
    store: Store, stored_world: World
) -> None:
    order = {"name": "laptop", "scopes": ["READ_ISSUES"]}
    key = stored_world.owner_key()

    first = body_of(stored_world.admin("keys.create", order, key=key, headers=KEY))
    again = body_of(stored_world.admin("keys.create", order, key=key, headers=KEY))

    listed = body_of(stored_world.admin("keys.list", key=key))["data"]
    assert [one["name"] for one in listed].count("laptop") == 1
    assert stored_world.rest("labels.list", key=first["rawKey"]).status == 200
    assert again["rawKey"] != first["rawKey"]
    assert {**again, "rawKey": ""} == {**first, "rawKey": ""}
    assert first["rawKey"] not in everything_in(store)


@pytest.mark.parametrize("letter", ["x", "☃"])
def test_a_long_answer_goes_to_s3_and_comes_back(key: str, ledger: World, store: Store, letter: str) -> None:
    # What counts is the size in bytes.
    arguments = {"text": letter * (MAX_INLINE // len(letter.encode()) + 1)}

    first = ledger.rest("ledger.print", arguments, key=key, headers=KEY)
    again = ledger.rest("ledger.print", arguments, key=key, headers=KEY)

    assert body_of(again) == arguments
    assert again.body == first.body
    assert balance_of(store, ledger) == 1
    record = record_of(store, ledger, key, "ledger.print")
    assert record.answer is None
    assert record.blob is not None
    assert store.blobs.get_text(record.blob) == first.body


def test_a_short_answer_stays_in_the_record(key: str, ledger: World, store: Store) -> None:
    answer_length = len('{"text":""}')
    arguments = {"text": "x" * (MAX_INLINE - answer_length)}

    first = ledger.rest("ledger.print", arguments, key=key, headers=KEY)

    record = record_of(store, ledger, key, "ledger.print")
    assert (record.answer, record.blob) == (first.body, None)


def test_a_record_says_when_it_may_be_removed(key: str, ledger: World, store: Store) -> None:
    ledger.rest("ledger.add", {}, key=key, headers=KEY)

    record = record_of(store, ledger, key, "ledger.add")
    assert record.record_expires_at == ledger.clock() + KEPT
    assert record.attributes()["ttl"] == {"N": str(int((ledger.clock() + KEPT).timestamp()))}


def test_the_idempotency_key_itself_is_kept_only_as_a_digest(ledger: World, store: Store) -> None:
    ledger.rest("ledger.add", {}, key=ledger.a_key(), headers={"idempotency-key": "a telling name"})

    assert "a telling name" not in everything_in(store)


def test_reading_needs_no_record(store: Store, stored_world: World) -> None:
    before = everything_in(store)

    stored_world.rest("labels.list", key=stored_world.owner_key(), headers=KEY)

    assert "IDEMPOTENCY" not in everything_in(store)
    assert before.count('"pk"') == everything_in(store).count('"pk"')
