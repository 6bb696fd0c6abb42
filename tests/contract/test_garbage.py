"""Whatever is sent as arguments, a tool answers in JSON and says what is wrong; it never breaks."""

import json
from datetime import datetime
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forge.auth.gate import KeyStore, Touch
from forge.context import Door
from forge.contract.schema import portable_schema
from forge.contract.terms import Surface
from forge.contract.tools import AnyTool
from forge.errors import WIRE, ErrorCode, InvalidInput
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.store.store import Store
from forge.testing.world import World
from forge.wire.edge import Backend, Edge, Options
from forge.wire.http import Response, error_response
from forge.work.issues.pages.sizes import MAX_ANSWER
from tests.contract.calls import samples_of
from tests.contract.dumps import Dump, dump, restore
from tests.contract.garbage import NASTY, garbled, with_nasty_parts, with_text
from tests.contract.retold import plain_error
from tests.contract.stage import ALL_TOOLS, Arguments, Ready, Stage, prepare

OUR_FAULT = {ErrorCode.INTERNAL, ErrorCode.UNAVAILABLE, ErrorCode.RATE_LIMITED, ErrorCode.UNAUTHORIZED}
KNOWN = {code: WIRE[code].http_status for code in ErrorCode if code not in OUR_FAULT}

few_examples = settings(
    max_examples=8,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)


class Remembering:
    """Asks for each key once and then always lets it in: what is tested here comes after that."""

    def __init__(self, store: KeyStore) -> None:
        self._store = store
        self._known: dict[str, Touch] = {}

    def touch(self, key_hash: str, door: Door, now: datetime) -> Touch:
        if key_hash not in self._known:
            self._known[key_hash] = self._store.touch(key_hash, door, now)
        return self._known[key_hash]

    def take_place(self, key_hash: str, number: int, *, now: datetime, until: datetime) -> bool:
        return self._store.take_place(key_hash, number, now=now, until=until)

    def leave_place(self, key_hash: str, number: int, *, until: datetime) -> None:
        self._store.leave_place(key_hash, number, until=until)


class Lasting(NamedTuple):
    """A Forge that is set back before each test, because each puts all kinds of things into it."""

    world: World
    store: Store
    start: Dump

    def ready_for(self, tool: AnyTool) -> Ready:
        restore(self.store, self.start, present=dump(self.store))
        return prepare(samples_of(tool.name)[0], Stage(self.world))


@pytest.fixture(scope="module")
def lasting(connections: Connections) -> Lasting:
    store = provision(connections, "garbage")
    world = World(store=store)
    backend = Backend(Remembering(world.keys), world.services)
    world.edge = Edge(world.edge.catalog, backend, Options(write_log=world.log.append))
    return Lasting(world, store, dump(store))


def fields_of(tool: AnyTool) -> list[str]:
    return list(portable_schema(tool.input)["properties"])


def send_over_rest(world: World, ready: Ready, arguments: Arguments) -> None:
    answer = ready._replace(arguments=arguments).send(world)

    body = json.loads(answer.body)
    if answer.status != 200:
        assert KNOWN.get(body["error"]) == answer.status, (answer.body, arguments)


def send_over_rpc(world: World, ready: Ready, arguments: object) -> None:
    params = {"name": ready.tool.portable_name, "arguments": arguments}
    for era in (world.modern, world.legacy):
        answer: Response = era("tools/call", params, key=ready.key)

        result: dict[str, Any] = json.loads(answer.body)["result"]
        assert answer.status == 200
        if result["isError"]:
            said = plain_error(result["structuredContent"])
            # The backlog's refusals have a form of their own, and say so.
            assert said["error"] in KNOWN or said.get("success") is False, (answer.body, arguments)
            assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


def is_accepted(tool: AnyTool, arguments: Arguments) -> bool:
    try:
        tool.parse(arguments)
    except InvalidInput as error:
        json.loads(error_response(error, "req_1").body)
        return False
    return True


@pytest.mark.parametrize("tool", ALL_TOOLS.values(), ids=str)
def test_a_tool_survives_nasty_values_and_garbage_by_every_door(tool: AnyTool, lasting: Lasting) -> None:
    ready, world, fields = lasting.ready_for(tool), lasting.world, fields_of(tool)

    for arguments in [ready.arguments | {field: value} for field in fields for value in NASTY]:
        if is_accepted(tool, arguments):
            send_over_rest(world, ready, arguments)

    @few_examples
    @given(garbled(ready.arguments, fields))
    def survives_over_rest(arguments: Arguments) -> None:
        send_over_rest(world, ready, arguments)

    survives_over_rest()
    if tool.surface is not Surface.MCP:
        return

    @few_examples
    @given(garbled(ready.arguments, fields) | st.sampled_from(NASTY))
    def survives_over_rpc(arguments: object) -> None:
        send_over_rpc(world, ready, arguments)

    survives_over_rpc()


@pytest.mark.parametrize("tool", ALL_TOOLS.values(), ids=str)
def test_what_is_nasty_deep_within_an_argument_is_taken_or_refused(tool: AnyTool) -> None:
    fields = portable_schema(tool.input)["properties"]

    for name, schema in fields.items():
        for value in with_nasty_parts(schema):
            is_accepted(tool, {name: value})


@pytest.mark.parametrize("tool", ALL_TOOLS.values(), ids=str)
def test_a_text_of_which_no_key_can_be_made_is_taken_or_refused(tool: AnyTool, lasting: Lasting) -> None:
    """Wherever a text can be: nothing, what ends in nothing, and what is longer in bytes than it looks."""
    ready, sent = lasting.ready_for(tool), list[Arguments]()

    for text in ("", "a/", "😀" * 300):
        for _, arguments in with_text(portable_schema(tool.input), ready.arguments, text):
            if arguments not in sent and is_accepted(tool, arguments):
                sent.append(arguments)
                send_over_rest(lasting.world, ready, arguments)


@pytest.mark.parametrize("tool", ALL_TOOLS.values(), ids=str)
def test_who_sends_much_is_not_sent_it_back(tool: AnyTool, lasting: Lasting) -> None:
    """Of what is refused or not understood, a part is shown; of what is kept, as much as any answer has."""
    ready, much = lasting.ready_for(tool), "x" * 300_000
    calls = {"(unknown)": ready.arguments | {much: much}}
    for path, arguments in with_text(portable_schema(tool.input), ready.arguments, much):
        calls.setdefault(path, arguments)

    for path, arguments in calls.items():
        answers = [ready._replace(arguments=arguments).send(lasting.world).body]
        if tool.surface is Surface.MCP:
            params = {"name": ready.tool.portable_name, "arguments": arguments}
            answers.append(lasting.world.modern("tools/call", params, key=ready.key).body)

        # Over MCP an answer is there twice: as text and as data.
        for doors, body in enumerate(answers, start=1):
            assert '"internal"' not in body, path
            assert len(body) <= MAX_ANSWER * doors * 1.2, (path, len(body))
