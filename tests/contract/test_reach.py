"""What reaches beyond a narrowing is for no narrowed key; what goes on by itself is of no SESSION key."""

import json
import re

import pytest

from forge.auth.keys import hash_of
from forge.context import KeyKind, Narrowing
from forge.contract.terms import Effect, Scope
from forge.contract.tools import AnyTool
from forge.errors import ErrorCode
from tests.contract.calls import samples_of
from tests.contract.dumps import content
from tests.contract.rehearsals import Rehearsal, Rehearse
from tests.contract.stage import ALL_TOOLS, Arguments

NEEDING_ADMIN = [tool for tool in ALL_TOOLS.values() if Scope.ADMIN in tool.scopes]
UNNARROWED = [tool for tool in ALL_TOOLS.values() if tool.unnarrowed]
LASTING = [tool for tool in ALL_TOOLS.values() if tool.lasting]

# Their own rule has what they make end with the key that made it.
ENDING_WITH_THEIR_MAKER = {"keys.create", "tokens.create"}

GIVEN: dict[str, Arguments] = {
    "agents.update": {"webhookUrl": "https://agents.example.com/wake"},
    "repositories.update": {"connection": {"baseUrl": "https://github.example.com/api/v3"}},
}
"""What makes something lasting, of tools that do not always."""


def refuses(rehearsal: Rehearsal, key: str, given: Arguments) -> bool:
    """With the right code, and without having done anything."""
    before = content(rehearsal.store)
    ready = rehearsal.ready._replace(key=key)
    answer = ready._replace(arguments={**ready.arguments, **given}).send(rehearsal.world)
    error = json.loads(answer.body).get("error")
    return (answer.status, error) == (403, ErrorCode.FORBIDDEN) and content(rehearsal.store) == before


@pytest.mark.parametrize("tool", NEEDING_ADMIN, ids=str)
def test_what_needs_admin_is_unnarrowed_or_says_why_not(tool: AnyTool) -> None:
    assert tool.unnarrowed is not bool(tool.narrowed_because)


@pytest.mark.parametrize("tool", UNNARROWED, ids=str)
def test_a_narrowed_key_is_refused_whatever_it_is_narrowed_to(tool: AnyTool, rehearse: Rehearse) -> None:
    rehearsal = rehearse(samples_of(tool.name)[0])
    rehearsal.rewind()
    user_id = rehearsal.stage.owner_id()

    for kind in Narrowing._fields:
        narrowing = Narrowing(**{kind: frozenset({"some"})})
        key = rehearsal.world.a_key(user_id=user_id, narrowing=narrowing)
        assert refuses(rehearsal, key, {}), kind
        assert refuses(rehearsal, key, {"nonsense": True}), kind


@pytest.mark.parametrize("tool", LASTING, ids=str)
def test_neither_a_session_key_nor_its_token_makes_what_outlives_it(
    tool: AnyTool, rehearse: Rehearse
) -> None:
    rehearsal = rehearse(samples_of(tool.name)[0])
    rehearsal.rewind()
    session = rehearsal.world.a_key(user_id=rehearsal.stage.owner_id(), kind=KeyKind.SESSION)

    for key in (session, token_of(rehearsal, session)):
        assert refuses(rehearsal, key, GIVEN.get(tool.name, {}))


def test_whatever_hands_out_a_secret_or_takes_an_address_to_call_is_lasting() -> None:
    """So that a tool which makes a credential or a receiver says what it is."""
    found = {
        tool.name
        for tool in NEEDING_ADMIN
        if tool.effect is not Effect.READ_ONLY
        and (
            tool.secrets
            or any(re.search(r"(^|_)url$|^connection$", name) for name in tool.input.model_fields)
        )
    }

    assert found - ENDING_WITH_THEIR_MAKER == {tool.name for tool in LASTING}


def token_of(rehearsal: Rehearsal, raw_key: str) -> str:
    token, _ = rehearsal.world.services.tokens.mint(
        subject="key_session",
        workspace_id=rehearsal.stage.workspace.id,
        key_hash=hash_of(raw_key),
        now=rehearsal.world.clock(),
    )
    return token
