"""Whatever is sent as arguments, a tool answers in JSON and says what is wrong; it never breaks."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from random import Random
from typing import Any

import pytest
from pydantic import BaseModel

from forge.auth.entrance import KeyStore, Touch
from forge.context import Door
from forge.contract.schema import portable_schema
from forge.contract.terms import Surface
from forge.contract.tools import AnyTool
from forge.errors import WIRE, ErrorCode, InvalidInput
from forge.store.readings import Attributes
from forge.testing.world import World
from forge.wire.edge import Backend, Edge, Options
from forge.wire.http import Response, error_response
from forge.work.issues.pages.sizes import MAX_ANSWER
from tests.contract.calls import samples_of
from tests.contract.garbage import NASTY, garbled, with_nasty_parts, with_text
from tests.contract.rehearsals import Rehearse
from tests.contract.retold import plain_error
from tests.contract.stage import ALL_TOOLS, Arguments, Ready

OUR_FAULT = {ErrorCode.INTERNAL, ErrorCode.UNAVAILABLE, ErrorCode.RATE_LIMITED, ErrorCode.UNAUTHORIZED}
KNOWN = {code: WIRE[code].http_status for code in ErrorCode if code not in OUR_FAULT}

EXAMPLES = 8
"""Of what nobody thought of, for each tool and door: always the same, so that what fails fails again."""


class Remembering:
    """Asks for each key once and then always lets it in: what is tested here comes after that."""

    def __init__(self, store: KeyStore) -> None:
        self._store = store
        self._known: dict[str, Touch] = {}

    def touch(self, key_hash: str, door: Door, now: datetime) -> Touch:
        if key_hash not in self._known:
            self._known[key_hash] = self._store.touch(key_hash, door, now)
        return self._known[key_hash]

    def glance(
        self, key_hash: str, door: Door, now: datetime, *, beside: tuple[str, str]
    ) -> tuple[Touch, Attributes | None]:
        return self._store.glance(key_hash, door, now, beside=beside)

    def take_place(self, key_hash: str, number: int, *, now: datetime, until: datetime) -> bool:
        return self._store.take_place(key_hash, number, now=now, until=until)

    def leave_place(self, key_hash: str, number: int, *, until: datetime) -> None:
        self._store.leave_place(key_hash, number, until=until)


@contextmanager
def open_to_all(world: World) -> Iterator[None]:
    """Nobody calls too often."""
    edge = world.edge
    backend = Backend(Remembering(world.keys), world.services)
    world.edge = Edge(edge.catalog, backend, Options(write_log=world.log.append))
    yield
    world.edge = edge


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


def accepted(tool: AnyTool, arguments: Arguments) -> BaseModel | None:
    """What a tool makes of them, if it takes them."""
    try:
        request: BaseModel = tool.parse(arguments)
    except InvalidInput as error:
        json.loads(error_response(error, "req_1").body)
        return None
    return request


def send_what_is_accepted(world: World, ready: Ready, calls: Iterable[Arguments]) -> None:
    """Of arguments that mean the same to the tool, the first."""
    sent = list[BaseModel]()
    for arguments in calls:
        request = accepted(ready.tool, arguments)
        if request is not None and request not in sent:
            sent.append(request)
            send_over_rest(world, ready, arguments)


@pytest.mark.parametrize("tool", ALL_TOOLS.values(), ids=str)
def test_a_tool_survives_whatever_is_sent_by_every_door(tool: AnyTool, rehearse: Rehearse) -> None:
    rehearsal = rehearse(samples_of(tool.name)[0])

    with open_to_all(rehearsal.world):
        for assert_survived in (
            assert_nasty_values_do_no_harm,
            assert_garbage_does_no_harm,
            assert_a_text_of_which_no_key_can_be_made_does_no_harm,
            assert_who_sends_much_is_not_sent_it_back,
        ):
            rehearsal.rewind()
            assert_survived(rehearsal.world, rehearsal.ready)


def assert_nasty_values_do_no_harm(world: World, ready: Ready) -> None:
    fields = fields_of(ready.tool)
    send_what_is_accepted(
        world, ready, (ready.arguments | {field: value} for field in fields for value in NASTY)
    )


def assert_garbage_does_no_harm(world: World, ready: Ready) -> None:
    chance = Random(ready.tool.name)  # noqa: S311 - nobody has to be unable to guess it
    fields = fields_of(ready.tool)

    for _ in range(EXAMPLES):
        send_over_rest(world, ready, garbled(ready.arguments, fields, chance))
        if ready.tool.surface is Surface.MCP:
            send_over_rpc(world, ready, garbled(ready.arguments, fields, chance))
    if ready.tool.surface is Surface.MCP:
        send_over_rpc(world, ready, chance.choice(NASTY))


def assert_a_text_of_which_no_key_can_be_made_does_no_harm(world: World, ready: Ready) -> None:
    """Wherever a text can be: nothing, what ends in nothing, and what is longer in bytes than it looks."""
    schema, texts = portable_schema(ready.tool.input), ("", "a/", "😀" * 300)
    send_what_is_accepted(
        world, ready, (call for text in texts for _, call in with_text(schema, ready.arguments, text))
    )


def assert_who_sends_much_is_not_sent_it_back(world: World, ready: Ready) -> None:
    """Of what is refused or not understood, a part is shown; of what is kept, as much as any answer has."""
    much = "x" * 300_000
    calls = {"(unknown)": ready.arguments | {much: much}}
    for path, arguments in with_text(portable_schema(ready.tool.input), ready.arguments, much):
        calls.setdefault(path, arguments)

    for path, arguments in calls.items():
        answers = [ready._replace(arguments=arguments).send(world).body]
        if ready.tool.surface is Surface.MCP:
            params = {"name": ready.tool.portable_name, "arguments": arguments}
            answers.append(world.modern("tools/call", params, key=ready.key).body)

        # Over MCP an answer is there twice: as text and as data.
        for doors, body in enumerate(answers, start=1):
            assert '"internal"' not in body, path
            assert len(body) <= MAX_ANSWER * doors * 1.2, (path, len(body))


def test_what_is_nasty_deep_within_an_argument_is_taken_or_refused() -> None:
    """Whatever else it raises fails here."""
    outcomes = {
        accepted(tool, {name: value}) is not None
        for tool in ALL_TOOLS.values()
        for name, schema in portable_schema(tool.input)["properties"].items()
        for value in with_nasty_parts(schema)
    }

    assert outcomes == {True, False}
