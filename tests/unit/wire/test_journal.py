"""The log: one line per call, always JSON, and never a word that the caller would not want in it."""

import json
from datetime import datetime
from typing import Any

import pytest

from forge.testing.world import World
from forge.wire.journal import write_to_stdout
from tests.unit.wire.answers import failure_of

HOSTILE_NAMES = [
    'a"}\n{"level":"ERROR","message":"forged',
    "line\r\nbreak",
    "\x00\x1b[31mred",
    "back\\slash",
    "{}",
    "é\u2028\U0001f600",
    "x" * 10_000,
    "",
]


def lines(world: World) -> list[dict[str, Any]]:
    return [json.loads(line) for line in world.log]


@pytest.mark.parametrize("door", ["rpc", "rest"])
def test_a_call_writes_one_line(world: World, key: str, door: str) -> None:
    if door == "rpc":
        world.call("workspace_get", key=key)
    else:
        world.rest("workspace.get", key=key)

    (line,) = lines(world)
    assert (line["level"], line["service"], line["outcome"]) == ("INFO", "forge", "ok")
    assert (line["door"], line["operation"]) == (door, "workspace.get")
    assert line["workspaceId"] == world.workspace.id
    assert line["keyId"].startswith("key_")
    assert line["requestId"].startswith("req_")
    assert line["ms"] >= 0


def test_the_time_is_the_products_own(world: World) -> None:
    world.legacy("ping", key=world.a_key())

    assert datetime.fromisoformat(lines(world)[0]["timestamp"]) == world.clock()


@pytest.mark.parametrize("seconds", [0.001, 0.999, 1, 3600, -0.001, -1, -3600])
def test_the_time_of_a_line_does_not_depend_on_the_line_before(world: World, seconds: float) -> None:
    world.legacy("ping", key=world.a_key())

    world.clock.advance(seconds=seconds)
    world.legacy("ping", key=world.a_key())

    assert datetime.fromisoformat(lines(world)[1]["timestamp"]) == world.clock()


def test_lines_go_to_the_standard_output_as_they_come(capfd: pytest.CaptureFixture[str]) -> None:
    for line in ('{"a":"é"}', "{}"):
        write_to_stdout(line)

        assert capfd.readouterr().out == f"{line}\n"


@pytest.mark.parametrize(
    ("body", "operation", "outcome"),
    [
        ({"jsonrpc": "2.0", "id": 1, "method": "ping"}, "ping", "ok"),
        ({"jsonrpc": "2.0", "method": "notifications/initialized"}, "notifications/initialized", "ok"),
        ({"jsonrpc": "2.0", "id": 1, "method": "no/such"}, "no/such", "protocol_error"),
        ("{", "request", "protocol_error"),
        ({}, "message", "protocol_error"),
    ],
)
def test_every_message_writes_one_line(world: World, body: object, operation: str, outcome: str) -> None:
    world.send(body, key=world.a_key())

    (line,) = lines(world)
    assert (line["operation"], line["outcome"]) == (operation, outcome)


def test_what_a_line_says_of_a_call_is_not_that_of_another_with_the_same_operation(
    key: str, world: World
) -> None:
    world.call("workspace_get", key=key)
    world.rest("workspace.get", key=key)
    world.call("workspace_get", {"wrong": 1}, key=key)
    world.call("workspace_get", key=key)

    assert [(line["door"], line["outcome"]) for line in lines(world)] == [
        ("rpc", "ok"),
        ("rest", "ok"),
        ("rpc", "invalid_input"),
        ("rpc", "ok"),
    ]


def test_a_failed_call_writes_its_error_code(world: World) -> None:
    world.call("workspace_get", {"wrong": 1}, key=world.a_key())
    world.rest("workspace.get", {"wrong": 1}, key=world.a_key())
    world.rest("no.such", key=world.a_key())

    assert [line["outcome"] for line in lines(world)] == ["invalid_input", "invalid_input", "not_found"]
    assert {line["level"] for line in lines(world)} == {"INFO"}


def test_a_refused_request_writes_one_line_without_an_identity(world: World) -> None:
    world.legacy("ping")
    world.rest("workspace.get")

    assert [line["outcome"] for line in lines(world)] == ["unauthorized", "unauthorized"]
    assert not any({"keyId", "workspaceId"} & line.keys() for line in lines(world))


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_hostile_name_of_a_method_or_path_can_not_forge_a_line(world: World, name: str) -> None:
    world.legacy(name, key=world.a_key())
    world.rest(name, key=world.a_key())

    assert len(world.log) == 2
    assert not any("\n" in raw for raw in world.log)
    assert [(line["operation"], line["level"]) for line in lines(world)] == [(name[:80], "INFO")] * 2


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_hostile_tool_name_does_not_appear(world: World, name: str) -> None:
    world.legacy("tools/call", {"name": name}, key=world.a_key())

    assert lines(world)[0]["operation"] == "tools/call"


def test_keys_and_arguments_and_answers_never_appear(key: str, world: World) -> None:
    secret = "swordfish"

    world.call("catalog_search", {"query": secret}, key=key)
    world.rest("catalog.search", {"query": secret}, key=key)
    world.call("catalog_search", {secret: secret}, key=key)
    world.legacy("tools/call", {"name": "catalog_search", "_meta": {"forge/idempotencyKey": secret}}, key=key)
    world.send(f'{{"broken {secret}', key=key)

    written = "".join(world.log)
    assert len(world.log) == 5
    assert key not in written
    assert key.removeprefix("forge_sk_") not in written
    assert secret not in written
    assert "Find tools by what they do" not in written


def test_the_line_and_the_answer_have_the_same_request_id(world: World) -> None:
    response = world.legacy(
        "tools/call", {"name": "workspace_get", "arguments": {"wrong": 1}}, key=world.a_key()
    )

    assert lines(world)[0]["requestId"] == failure_of(response)["requestId"]
