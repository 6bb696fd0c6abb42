"""What reaches beyond a narrowing is for no narrowed key; what goes on by itself is of no SESSION key."""

import json
import re

import pytest

from forge.auth.keys import hash_of
from forge.context import KeyKind, Narrowing
from forge.contract.terms import Actor, Effect, Scope, Surface
from forge.contract.tools import AnyTool
from forge.errors import ErrorCode
from forge.wire.http import Response
from tests.contract.calls import CHANGING, samples_of
from tests.contract.dumps import content
from tests.contract.rehearsals import Rehearsal, Rehearse
from tests.contract.stage import ALL_TOOLS, Arguments, Sample

OF_NO_PROJECT = {
    *("agents.connect", "agents.heartbeat", "agents.heartbeat of a runtime"),
    *("runtimes.heartbeat", "runtimes.register", "notification.setPreference"),
    *("notes.archive", "notes.create", "notes.todayJournal", "notes.update", "labels.create"),
    *("chat.appendDraftChunk", "chat.appendMessage", "chat.finalizeDraft", "chat.kickThread"),
    *("chat.startDraft", "cycles.create", "cycles.update", "initiatives.create", "initiatives.update"),
    *("catalog.call", "gateway.execute"),
}
"""What a key may do whatever it is narrowed to: what is its own, everybody's, or only passed on."""

OF_NO_LABEL = OF_NO_PROJECT | {
    *("projects.archive", "projects.create", "projects.update"),
    *("initiatives.linkProject", "initiatives.unlinkProject", "attachments.initUpload on a project"),
}

WITHOUT_A_WORD = {"issues.claim"}
"""Of whatever is free, nothing is."""

NEEDING_ADMIN = [tool for tool in ALL_TOOLS.values() if Scope.ADMIN in tool.scopes]
UNNARROWED = [tool for tool in ALL_TOOLS.values() if tool.unnarrowed]
OFFERED = [one for one in CHANGING if one.tool.surface is Surface.MCP and one.tool not in UNNARROWED]
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


def test_what_needs_admin_is_unnarrowed_or_says_why_not() -> None:
    assert [tool.name for tool in NEEDING_ADMIN if tool.unnarrowed is bool(tool.narrowed_because)] == []


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


@pytest.mark.parametrize("sample", OFFERED, ids=str)
def test_a_narrowed_key_changes_nothing_of_other_projects_and_labels(
    sample: Sample, rehearse: Rehearse
) -> None:
    rehearsal = rehearse(sample)
    rehearsal.rewind()
    freed = {"project_ids": OF_NO_PROJECT, "label_ids": OF_NO_LABEL}
    kinds = [kind for kind, free in freed.items() if not free & {str(sample), sample.tool.name}]
    keys = {kind: a_narrowed_key(rehearsal, kind) for kind in kinds}
    before = content(rehearsal.store)

    for kind, key in keys.items():
        answer = rehearsal.ready._replace(key=key).send(rehearsal.world)

        assert says_no(sample, answer), (kind, answer.body)
        assert content(rehearsal.store) == before, kind


def a_narrowed_key(rehearsal: Rehearsal, kind: str) -> str:
    world, stage, sample = rehearsal.world, rehearsal.stage, rehearsal.sample
    narrowing = Narrowing(**{kind: frozenset({"some"})})
    if sample.as_agent or sample.tool.actor is Actor.AGENT:
        return world.a_key(kind=KeyKind.AGENT, linked_agent_id=stage.acting_agent, narrowing=narrowing)
    return world.a_key(user_id=stage.owner_id(), narrowing=narrowing)


def says_no(sample: Sample, answer: Response) -> bool:
    body = json.loads(answer.body)
    if answer.status == 403:
        return bool(body["error"] == ErrorCode.FORBIDDEN)
    # The backlog's refusals have a form of their own, and say so.
    return body.get("success") is False or (sample.tool.name in WITHOUT_A_WORD and not body["claimed"])


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
