"""Idempotency keys through the edge: a repeated call has one effect, and gets the first one's answer."""

from typing import Any

import pytest

from forge.store.store import Store
from forge.testing.faults import Fault, FaultAt
from forge.testing.instruments import watched
from forge.testing.world import World
from forge.wire.http import Response
from forge.wire.switchboard import IDEMPOTENCY_META
from tests.unit.store.ledger import a_ledger_world, balance_of
from tests.unit.wire.answers import body_of
from tests.workshop.interference import COMMIT, Interference, only

KEY = {"idempotency-key": "once"}


def label_names(world: World) -> list[str]:
    listed = body_of(world.rest("labels.list", key=world.owner_key()))
    return [label["name"] for label in listed["data"]]


def create_label(world: World, name: str = "bug", **how: Any) -> Response:
    return world.rest("labels.create", {"name": name}, **{"key": world.owner_key(), "headers": KEY} | how)


def test_without_a_key_every_call_counts(key: str, ledger: World, store: Store) -> None:
    for _ in range(2):
        ledger.rest("ledger.add", {"amount": 5}, key=key)

    assert balance_of(store, ledger) == 10


def test_arguments_in_another_order_are_the_same_arguments(stored_world: World) -> None:
    key = stored_world.owner_key()
    first = stored_world.rest("labels.create", '{"name":"bug","color":"#dc2626"}', key=key, headers=KEY)

    again = stored_world.rest("labels.create", '{"color":"#dc2626","name":"bug"}', key=key, headers=KEY)

    assert again.body == first.body


def test_the_same_key_with_other_arguments_is_a_conflict_and_changes_nothing(stored_world: World) -> None:
    create_label(stored_world, "bug")

    other = create_label(stored_world, "feature")

    assert other.status == 409
    assert body_of(other)["error"] == "conflict"
    assert body_of(other)["retryable"] is False
    assert label_names(stored_world) == ["bug"]


def test_after_a_conflict_over_arguments_the_first_answer_is_still_there(stored_world: World) -> None:
    first = create_label(stored_world, "bug")
    create_label(stored_world, "feature")

    assert create_label(stored_world, "bug").body == first.body


def test_another_tool_with_the_same_key_is_another_call(key: str, ledger: World, store: Store) -> None:
    ledger.rest("ledger.add", {}, key=key, headers=KEY)

    printed = ledger.rest("ledger.print", {"text": "x"}, key=key, headers=KEY)

    assert body_of(printed) == {"text": "x"}
    assert balance_of(store, ledger) == 2


def test_another_api_key_with_the_same_idempotency_key_is_another_caller(ledger: World, store: Store) -> None:
    for api_key in (ledger.a_key(), ledger.a_key()):
        ledger.rest("ledger.add", {}, key=api_key, headers=KEY)

    assert balance_of(store, ledger) == 2


def test_another_workspace_with_the_same_idempotency_key_is_another_caller(stored_world: World) -> None:
    other = stored_world.add_workspace("other")
    first = create_label(stored_world)

    theirs = create_label(stored_world, key=stored_world.owner_key(other))

    assert theirs.status == 200
    assert body_of(theirs)["id"] != body_of(first)["id"]


@pytest.mark.parametrize(("hours", "is_remembered"), [(0, True), (23.99, True), (24, False), (30, False)])
def test_an_answer_is_remembered_for_a_day(
    key: str, ledger: World, hours: float, *, is_remembered: bool
) -> None:
    ledger.rest("ledger.add", {}, key=key, headers=KEY)

    ledger.clock.advance(hours=hours)
    again = ledger.rest("ledger.add", {}, key=key, headers=KEY)

    assert body_of(again) == {"balance": 1 if is_remembered else 2}


def test_a_key_used_again_after_a_day_is_remembered_for_another(
    key: str, ledger: World, store: Store
) -> None:
    ledger.rest("ledger.add", {"amount": 1}, key=key, headers=KEY)
    ledger.clock.advance(hours=24)
    ledger.rest("ledger.add", {"amount": 2}, key=key, headers=KEY)

    again = ledger.rest("ledger.add", {"amount": 2}, key=key, headers=KEY)

    assert body_of(again) == {"balance": 3}
    assert balance_of(store, ledger) == 3


def test_a_failure_is_not_remembered(stored_world: World) -> None:
    taken = body_of(create_label(stored_world, headers={}))
    refused = create_label(stored_world)
    stored_world.rest("labels.delete", {"id": taken["id"]}, key=stored_world.owner_key())

    again = create_label(stored_world)

    assert (refused.status, again.status) == (409, 200)


def test_a_change_that_changed_nothing_is_remembered_too(key: str, ledger: World) -> None:
    ledger.rest("ledger.look", {}, key=key, headers=KEY)
    ledger.rest("ledger.add", {}, key=key)

    again = ledger.rest("ledger.look", {}, key=key, headers=KEY)

    assert body_of(again) == {"balance": 0}


def test_a_change_that_changed_nothing_is_looked_at_anew_after_a_day(key: str, ledger: World) -> None:
    ledger.rest("ledger.look", {}, key=key, headers=KEY)
    ledger.rest("ledger.add", {}, key=key)

    ledger.clock.advance(hours=24)
    again = ledger.rest("ledger.look", {}, key=key, headers=KEY)

    assert body_of(again) == {"balance": 1}


def test_what_had_been_done_a_day_ago_fails_like_any_other_call(stored_world: World) -> None:
    key = stored_world.owner_key()
    label = body_of(create_label(stored_world, headers={}))
    stored_world.rest("labels.delete", {"id": label["id"]}, key=key, headers=KEY)

    stored_world.clock.advance(hours=24)
    again = stored_world.rest("labels.delete", {"id": label["id"]}, key=key, headers=KEY)

    assert again.status == 404


def test_the_first_answer_is_given_although_the_state_has_moved_on(stored_world: World) -> None:
    key = stored_world.owner_key()
    first = create_label(stored_world)
    label_id = body_of(first)["id"]
    stored_world.rest("labels.update", {"id": label_id, "name": "defect"}, key=key)
    stored_world.rest("labels.create", {"name": "bug"}, key=key)

    assert create_label(stored_world).body == first.body


def test_an_rpc_call_says_its_key_in_its_metadata(key: str, ledger: World, store: Store) -> None:
    call = {"name": "ledger.add", "arguments": {}, "_meta": {IDEMPOTENCY_META: "once"}}

    answers = [body_of(ledger.modern("tools/call", call, key=key))["result"] for _ in range(2)]

    assert [answer["structuredContent"] for answer in answers] == [{"balance": 1}, {"balance": 1}]
    assert balance_of(store, ledger) == 1


def test_an_rpc_call_may_say_its_key_in_the_header(key: str, ledger: World, store: Store) -> None:
    for _ in range(2):
        ledger.call("ledger.add", {}, key=key, headers=KEY)

    assert balance_of(store, ledger) == 1


def test_both_doors_remember_together(key: str, ledger: World) -> None:
    ledger.rest("ledger.add", {}, key=key, headers=KEY)

    again = ledger.call("ledger.add", {}, key=key, headers=KEY)

    assert again["structuredContent"] == {"balance": 1}


def test_a_tool_called_through_the_catalog_has_one_effect(key: str, ledger: World, store: Store) -> None:
    arguments = {"name": "ledger.add", "arguments": {"amount": 3}}

    answers = [ledger.call("catalog.call", arguments, key=key, headers=KEY) for _ in range(2)]

    assert [answer["structuredContent"] for answer in answers] == [{"balance": 3}, {"balance": 3}]
    assert balance_of(store, ledger) == 3


@pytest.mark.not_on_moto(reason="moto applies a request token twice")
@pytest.mark.parametrize(
    "fault", [Fault.ANSWER_LOST, Fault.TIMED_OUT, Fault.THROTTLED, Fault.CONTENDED, Fault.SERVER_ERROR]
)
def test_a_commit_that_is_repeated_inside_the_call_has_one_effect(store: Store, fault: Fault) -> None:
    interference = Interference()
    world = a_ledger_world(watched(store, interference))
    key = world.a_key()
    interference.handle = only(COMMIT, FaultAt(fault, position=0, times=2))

    answer = world.rest("ledger.add", {}, key=key)

    assert body_of(answer) == {"balance": 1}
    assert balance_of(store, world) == 1
