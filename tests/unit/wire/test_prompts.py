"""Prompts on the wire: listed for keys that may call their tools, and filled in."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from forge.contract.terms import Scope
from forge.testing.world import World
from forge.wire.http import Response

Era = Callable[[World], Callable[..., Response]]
ERAS = pytest.mark.parametrize("era", [lambda world: world.modern, lambda world: world.legacy])


def answer(response: Response) -> dict[str, Any]:
    return dict(json.loads(response.body))


@ERAS
def test_prompts_are_listed_for_keys_that_may_call_their_tools(world: World, key: str, era: Era) -> None:
    send, few = era(world), world.a_key(scopes=[Scope.READ_USERS])

    listed = answer(send("prompts/list", key=key))["result"]["prompts"]

    assert {"pipeline", "resume", "start_work"} <= {prompt["name"] for prompt in listed}
    assert set(listed[0]["arguments"][0]) == {"name", "description", "required"}
    assert answer(send("prompts/list", key=few))["result"]["prompts"] == []
    assert answer(send("prompts/get", {"name": "pipeline"}, key=few))["error"]["code"] == -32602


@ERAS
def test_a_prompt_is_filled_in_and_names_tools_as_the_list_does(world: World, key: str, era: Era) -> None:
    asked = {"name": "resume", "arguments": {"workspace": ".specs/20260401-login"}}

    (message,) = answer(era(world)("prompts/get", asked, key=key))["result"]["messages"]

    assert (message["role"], message["content"]["type"]) == ("user", "text")
    assert "Its workspace: .specs/20260401-login (" in message["content"]["text"]
    assert "catalog_call" in message["content"]["text"]
    assert "{" + "workspace}" not in message["content"]["text"]


@ERAS
@pytest.mark.parametrize(
    "asked",
    [
        {"name": "nothing"},
        {},
        {"name": "resume", "arguments": {"other": "x"}},
        {"name": "resume", "arguments": {"workspace": 1}},
        {"name": "resume", "arguments": ["x"]},
    ],
)
def test_what_is_no_prompt_is_refused(world: World, key: str, era: Era, asked: dict[str, Any]) -> None:
    response = era(world)("prompts/get", asked, key=key, headers={"mcp-name": str(asked.get("name"))})

    assert answer(response)["error"]["code"] in (-32602, -32020)


@pytest.mark.parametrize(("profile", "word"), [("pipeline", "pipeline_list"), ("backlog", "renew_lock")])
def test_the_instructions_follow_the_list(world: World, key: str, profile: str, word: str) -> None:
    for query in ({"profile": profile}, {"tools": profile}):
        told = answer(world.legacy("initialize", {}, key=key, query=query))["result"]["instructions"]
        assert word in told
        assert "issues_claim" not in told
    assert word not in answer(world.legacy("initialize", {}, key=key))["result"]["instructions"]
