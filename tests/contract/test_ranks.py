"""An admin gets hold of nothing that only an owner may have: neither of owners nor of their keys."""

import json
from collections.abc import Callable, Mapping

import pytest

from forge.context import Role
from forge.contract.terms import Effect, Surface
from forge.errors import ErrorCode
from forge.store.store import Store
from forge.testing.world import World
from tests.contract.dumps import content
from tests.contract.samples.chat import a_thread
from tests.contract.stage import ALL_TOOLS, Arguments, Ready, Stage

AIMED_AT_AN_OWNER: Mapping[str, Callable[[Stage], Arguments]] = {
    "keys.create": lambda stage: {"name": "theirs", "scopes": ["ADMIN"], "userId": stage.owner_id()},
    "keys.update": lambda stage: {"id": stage.a_key(), "ratePerMinute": 1},
    "keys.revoke": lambda stage: {"id": stage.a_key()},
    "members.erase": lambda stage: {"userId": stage.owner_id()},
    "members.remove": lambda stage: {"userId": stage.owner_id()},
    "members.setRole": lambda stage: {"userId": stage.owner_id(), "role": "MEMBER"},
    "members.update": lambda stage: {"userId": stage.owner_id(), "handle": "mine"},
    "threads.create": lambda stage: {"agentId": stage.an_agent(), "userId": stage.owner_id()},
    "threads.post": lambda stage: {"threadId": a_thread(stage), "body": "As if I were the owner."},
    "tokens.create": lambda stage: {"keyId": stage.a_key()},
}


def test_every_tool_that_names_people_or_keys_is_aimed_at_an_owner() -> None:
    naming = {
        tool.name
        for tool in ALL_TOOLS.values()
        if tool.surface is Surface.ADMIN and tool.effect is not Effect.READ_ONLY
        if {"user_id", "key_id"} & tool.input.model_fields.keys()
    }

    assert naming <= set(AIMED_AT_AN_OWNER), "add what is missing to AIMED_AT_AN_OWNER"


@pytest.mark.parametrize("tool", AIMED_AT_AN_OWNER)
def test_an_admin_neither_touches_an_owner_nor_their_keys(
    tool: str, stored_world: World, store: Store
) -> None:
    stage = Stage(stored_world)
    arguments = AIMED_AT_AN_OWNER[tool](stage)
    admin = stored_world.a_key(role=Role.ADMIN)
    before = content(store)

    answer = Ready(ALL_TOOLS[tool], arguments, admin).send(stored_world)

    assert answer.status == 403, answer.body
    assert json.loads(answer.body)["error"] == ErrorCode.FORBIDDEN
    assert content(store) == before


@pytest.mark.parametrize("tool", ["members.add", "members.setRole"])
def test_an_admin_makes_nobody_an_owner(tool: str, stored_world: World, store: Store) -> None:
    stage = Stage(stored_world)
    who = {"email": "new@example.com"} if tool == "members.add" else {"userId": stage.a_member()}
    admin = stored_world.a_key(role=Role.ADMIN)
    before = content(store)

    answer = Ready(ALL_TOOLS[tool], {**who, "role": "OWNER"}, admin).send(stored_world)

    assert answer.status == 403, answer.body
    assert content(store) == before
