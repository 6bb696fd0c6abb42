"""A key that is narrowed to a project sees nothing of any other, through no tool, filter or cursor."""

import json
from typing import NamedTuple

import pytest

from forge.context import KeyKind, Narrowing
from forge.contract.schema import portable_schema
from forge.contract.terms import Actor, Effect, Scope, Surface
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.store.store import Store
from forge.testing.world import World
from tests.contract.calls import SAMPLES
from tests.contract.dumps import Dump, dump, ids_in, restore
from tests.contract.stage import Arguments, Ready, Sample, Stage

# Whatever is part of an issue or tells of one. People, agents, labels and statuses are everybody's.
KINDS = ("iss_", "cmt_", "run_", "rel_", "art_", "wat_", "evt_", "rev_", "prj_", "ar_")

READING = [
    sample
    for sample in SAMPLES
    if sample.tool.surface is Surface.MCP and sample.tool.effect is Effect.READ_ONLY
]


class Narrowed(NamedTuple):
    """A workspace with one project that a key may see, and much besides."""

    stage: Stage
    project_id: str
    store: Store
    start: Dump

    def key(self, sample: Sample) -> str:
        narrowing = Narrowing(project_ids=frozenset({self.project_id}))
        if sample.as_agent or sample.tool.actor is Actor.AGENT:
            agent_id = self.stage.acting_agent
            return self.stage.world.a_key(kind=KeyKind.AGENT, linked_agent_id=agent_id, narrowing=narrowing)
        return self.stage.world.a_key(user_id=self.stage.owner_id(), narrowing=narrowing)

    def rewind(self) -> None:
        restore(self.store, self.start, present=dump(self.store))


@pytest.fixture(scope="module")
def lasting_narrowed(connections: Connections) -> Narrowed:
    store = provision(connections, "narrowed")
    stage = Stage(World(store=store))
    project_id = stage.a_project()
    issue = {"title": "Fix login timeout", "projectId": project_id, "description": "Visible."}
    stage.call("issues.create", issue)
    # Asked for once, so that it is there whenever the table is set back.
    assert stage.acting_agent
    return Narrowed(stage, project_id, store, dump(store))


@pytest.fixture
def narrowed(lasting_narrowed: Narrowed) -> Narrowed:
    """With nothing of what other tests made."""
    lasting_narrowed.rewind()
    return lasting_narrowed


class Foreign(NamedTuple):
    """Arguments that name things of other projects, and the numbers of all ids that came with them."""

    arguments: Arguments
    made: range

    def hidden_in(self, shown: object) -> set[str]:
        found = {one for one in ids_in(shown) if one.startswith(KINDS)}
        return {one for one in found if int(one.rpartition("_")[2]) in self.made}


def foreign(narrowed: Narrowed, sample: Sample) -> Foreign:
    ids = narrowed.stage.world.ids
    first = ids.last + 1
    arguments = sample.arguments(narrowed.stage)
    return Foreign(arguments, range(first, ids.last + 1))


@pytest.mark.parametrize("sample", READING, ids=str)
def test_nothing_of_another_project_is_shown_whoever_gave_the_cursor(
    sample: Sample, narrowed: Narrowed
) -> None:
    world, others = narrowed.stage.world, foreign(narrowed, sample)
    ready = Ready(sample.tool, others.arguments, narrowed.key(sample))

    answer = ready.send(world)

    assert answer.status in (200, 403, 404)
    # What may be nothing is null.
    body = json.loads(answer.body) or {}
    assert others.hidden_in(body) <= ids_in(others.arguments)
    if answer.status == 200:
        assert others.hidden_in(body.get("data", [])) == set()
    if "cursor" not in portable_schema(sample.tool.input)["properties"]:
        return
    whole = ready._replace(key=narrowed.stage.key_for(sample.tool, frozenset(Scope))).send(world)
    if cursor := json.loads(whole.body).get("nextCursor"):
        continued = ready._replace(arguments={**others.arguments, "cursor": cursor, "limit": 50}).send(world)

        assert continued.status in (200, 400, 403, 404)
        assert others.hidden_in(json.loads(continued.body).get("data", [])) == set()


def test_what_the_key_is_narrowed_to_is_shown(narrowed: Narrowed) -> None:
    (sample, *_) = [one for one in READING if str(one) == "issues.list"]
    key = narrowed.key(sample)

    answer = narrowed.stage.call("issues.list", {}, key=key)
    found = narrowed.stage.call("issues.list", {"query": "login"}, key=key)
    events = narrowed.stage.call("events.recent", {}, key=key)

    assert [row["projectId"] for row in answer["data"]] == [narrowed.project_id]
    assert [row["projectId"] for row in found["data"]] == [narrowed.project_id]
    assert {row["kind"] for row in events["data"]} == {"ISSUE_CREATED"}
