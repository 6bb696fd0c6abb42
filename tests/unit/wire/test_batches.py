"""Legacy batches: many messages in one request, each answered on its own."""

import json
from collections.abc import Iterable
from threading import Barrier, Event

import pytest

from forge import deadline
from forge.auth.rates import LIMITS
from forge.context import Context, Door
from forge.contract.catalog_tools import CatalogTool
from forge.testing.world import World
from forge.wire.batches import run_batch
from forge.wire.edge import Options
from forge.wire.switchboard import Arguments
from tests.unit.wire.answers import body_of, rpc_error
from tests.unit.wire.probes import CRASH_MESSAGE


def a_ping(message_id: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": message_id, "method": "ping"}


def a_call(message_id: object, tool: str, **params: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": message_id, "method": "tools/call", "params": {"name": tool, **params}}


NOTIFICATION = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class MeetingRunner:
    """Runs no tool: every call waits until as many as were announced are under way."""

    def __init__(self, calls: int) -> None:
        self._barrier = Barrier(calls)

    def prepare(self, tools: Iterable[CatalogTool]) -> None:
        """Nothing to prepare: it runs none."""

    def run(self, tool: CatalogTool, arguments: Arguments, context: Context) -> str:
        self._barrier.wait(timeout=10)
        return "{}"

    def runs_apart(self, tool: CatalogTool) -> bool:
        return False


@pytest.mark.parametrize("size", [1, 2, 20])
def test_answers_come_in_the_order_of_the_messages(world: World, size: int) -> None:
    response = world.send([a_ping(number) for number in range(size)], key=world.a_key())

    assert response.status == 200
    assert [answer["id"] for answer in body_of(response)] == list(range(size))


def test_slow_and_fast_messages_keep_their_order(world: World) -> None:
    messages = [
        a_call(number, "catalog_search", arguments={"query": "tools"}) if number % 2 else a_ping(number)
        for number in range(20)
    ]

    answers = body_of(world.send(messages, key=world.a_key()))

    assert [answer["id"] for answer in answers] == list(range(20))
    assert all("structuredContent" in answer["result"] for answer in answers[1::2])
    assert all(answer["result"] == {} for answer in answers[::2])


def test_five_messages_are_served_at_once() -> None:
    world = World(options=Options(runner=MeetingRunner(calls=5)))

    answers = body_of(world.send([a_call(number, "workspace_get") for number in range(5)], key=world.a_key()))

    assert [answer["result"]["isError"] for answer in answers] == [False] * 5


def test_what_is_not_done_in_time_is_told_so_unless_nobody_waits_for_it() -> None:
    is_over = Event()

    def stuck() -> str:
        is_over.wait(timeout=10)
        return "late"

    begun = deadline.begin(seconds=0)
    try:
        (answer,) = run_batch([(1, stuck), (None, stuck)], "req_1")
    finally:
        deadline.end(begun)
        is_over.set()

    told = json.loads(answer)
    assert (told["id"], told["error"]["data"]["error"]) == (1, "unavailable")


def test_notifications_and_responses_have_no_answer(world: World) -> None:
    client_response = {"jsonrpc": "2.0", "id": 9, "result": {}}

    response = world.send([NOTIFICATION, a_ping(1), client_response, a_ping(2)], key=world.a_key())

    assert [answer["id"] for answer in body_of(response)] == [1, 2]


@pytest.mark.parametrize("size", [1, 2, 20])
def test_a_batch_of_notifications_is_accepted_without_an_answer(world: World, size: int) -> None:
    response = world.send([NOTIFICATION] * size, key=world.a_key())

    assert (response.status, response.body) == (202, "")


@pytest.mark.parametrize("size", [0, 21, 500])
def test_a_batch_has_one_to_twenty_messages(world: World, size: int) -> None:
    response = world.send([a_ping(number) for number in range(size)], key=world.a_key())

    assert response.status == 400
    assert rpc_error(response)["code"] == -32600


def test_a_bad_message_does_not_spoil_the_others(world: World) -> None:
    messages = [
        a_ping(1),
        7,
        None,
        [],
        {},
        {"jsonrpc": "1.0", "id": 6, "method": "ping"},
        {"jsonrpc": "2.0", "id": 7, "method": "no/such/method"},
        a_call(8, "no.such.tool"),
        a_call(9, "workspace_get", arguments={"wrong": 1}),
        a_ping(10),
    ]

    response = world.send(messages, key=world.a_key())

    assert response.status == 200
    answers = body_of(response)
    assert [answer["id"] for answer in answers] == [1, None, None, None, None, 6, 7, 8, 9, 10]
    codes = [answer["error"]["code"] if "error" in answer else None for answer in answers]
    assert codes == [None, -32600, -32600, -32600, -32600, -32600, -32601, -32602, None, None]


def test_a_crashing_tool_fails_its_own_message_only(probe_world: World) -> None:
    response = probe_world.send([a_ping(1), a_call(2, "probe_crash"), a_ping(3)], key=probe_world.a_key())

    first, crashed, last = body_of(response)
    assert first["result"] == last["result"] == {}
    assert crashed["result"]["structuredContent"]["error"] == "internal"
    assert CRASH_MESSAGE not in response.body


def test_messages_with_the_same_id_are_all_answered(world: World) -> None:
    response = world.send([a_ping("same"), a_ping("same")], key=world.a_key())

    assert [answer["id"] for answer in body_of(response)] == ["same", "same"]


def test_a_batch_counts_once_against_the_rate(key: str, world: World) -> None:
    batch = [a_ping(number) for number in range(20)]
    for _ in range(LIMITS[Door.RPC] - 1):
        world.legacy("ping", key=key)

    last_allowed = world.send(batch, key=key)
    one_too_many = world.send(batch, key=key)

    assert last_allowed.status == 200
    assert one_too_many.status == 429


def test_a_batch_without_a_key_is_refused_as_a_whole(world: World) -> None:
    response = world.send([a_ping(1), a_ping(2)])

    assert response.status == 401
    assert rpc_error(response)["code"] == -32001


def test_the_idempotency_header_speaks_for_each_message_of_a_batch_by_its_place(probe_world: World) -> None:
    messages = [
        a_call(1, "probe_echo", arguments={"text": "a"}),
        a_call(2, "probe_echo", arguments={"text": "b"}, _meta={"forge/idempotencyKey": "own"}),
    ]

    answers = body_of(
        probe_world.send(messages, key=probe_world.a_key(), headers={"idempotency-key": "header"})
    )

    keys = [answer["result"]["structuredContent"]["idempotencyKey"] for answer in answers]
    assert keys == ["header/0", "own"]


def test_each_message_of_a_batch_has_its_own_log_line(world: World) -> None:
    world.send([a_ping(1), a_call(2, "workspace_get"), NOTIFICATION], key=world.a_key())

    operations = sorted(json.loads(line)["operation"] for line in world.log)
    assert operations == ["notifications/initialized", "ping", "workspace.get"]
