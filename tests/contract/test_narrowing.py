"""A key that is narrowed to a project sees nothing of any other, through no tool, filter or cursor."""

import json

import pytest

from forge.context import KeyKind, Narrowing
from forge.contract.terms import Actor, Effect, Scope, Surface
from forge.store.store import Store
from forge.testing.world import World
from tests.contract.calls import SAMPLES
from tests.contract.dumps import ids_in
from tests.contract.rehearsals import Rehearsal, Rehearse
from tests.contract.stage import Sample, Stage

# Whatever is part of an issue or tells of one. People, agents, labels and statuses are everybody's.
KINDS = ("iss_", "cmt_", "run_", "rel_", "art_", "wat_", "evt_", "rev_", "prj_", "ar_")

READING = [
    sample
    for sample in SAMPLES
    if sample.tool.surface is Surface.MCP and sample.tool.effect is Effect.READ_ONLY
]


def a_narrowed_key(rehearsal: Rehearsal) -> str:
    """To a project in which there is nothing yet."""
    stage, sample = rehearsal.stage, rehearsal.sample
    narrowing = Narrowing(project_ids=frozenset({stage.a_project()}))
    if sample.as_agent or sample.tool.actor is Actor.AGENT:
        agent_id = stage.acting_agent
        return stage.world.a_key(kind=KeyKind.AGENT, linked_agent_id=agent_id, narrowing=narrowing)
    return stage.world.a_key(user_id=stage.owner_id(), narrowing=narrowing)


def hidden_in(shown: object, rehearsal: Rehearsal) -> set[str]:
    """Whatever was there before the key and its project."""
    found = {one for one in ids_in(shown) if one.startswith(KINDS)}
    return {one for one in found if int(one.rpartition("_")[2]) <= rehearsal.last_id}


@pytest.mark.parametrize("sample", READING, ids=str)
def test_nothing_of_another_project_is_shown_whoever_gave_the_cursor(
    sample: Sample, rehearse: Rehearse
) -> None:
    rehearsal = rehearse(sample)
    rehearsal.rewind()
    world, arguments = rehearsal.world, rehearsal.ready.arguments
    ready = rehearsal.ready._replace(key=a_narrowed_key(rehearsal))

    answer = ready.send(world)

    assert answer.status in (200, 403, 404)
    # What may be nothing is null.
    body = json.loads(answer.body) or {}
    assert hidden_in(body, rehearsal) <= ids_in(arguments)
    if answer.status == 200:
        assert hidden_in(body.get("data", []), rehearsal) == set()
    if "cursor" not in sample.tool.input.model_fields:
        return
    whole = ready._replace(key=rehearsal.stage.key_for(sample.tool, frozenset(Scope))).send(world)
    if cursor := json.loads(whole.body).get("nextCursor"):
        continued = ready._replace(arguments={**arguments, "cursor": cursor, "limit": 50}).send(world)

        assert continued.status in (200, 400, 403, 404)
        assert hidden_in(json.loads(continued.body).get("data", []), rehearsal) == set()


def test_what_the_key_is_narrowed_to_is_shown(store: Store) -> None:
    stage = Stage(World(store=store))
    project_id = stage.a_project()
    for issue in ({"projectId": project_id}, {}):
        stage.call("issues.create", {"title": "Fix login timeout", **issue})
    key = stage.world.a_key(narrowing=Narrowing(project_ids=frozenset({project_id})))

    answer = stage.call("issues.list", {}, key=key)
    found = stage.call("issues.list", {"query": "login"}, key=key)
    events = stage.call("events.recent", {}, key=key)

    assert [row["projectId"] for row in answer["data"]] == [project_id]
    assert [row["projectId"] for row in found["data"]] == [project_id]
    assert [row["kind"] for row in events["data"]] == ["ISSUE_CREATED"]
