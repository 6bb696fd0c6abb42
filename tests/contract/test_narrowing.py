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
from tests.contract.dumps import content, ids_in
from tests.contract.stage import Arguments, Ready, Sample, Stage

# Whatever is part of an issue or tells of one. People, agents, labels and statuses are everybody's.
KINDS = ("iss_", "cmt_", "run_", "rel_", "art_", "wat_", "evt_", "rev_", "prj_")

READING = [
    sample
    for sample in SAMPLES
    if sample.tool.surface is Surface.MCP and sample.tool.effect is Effect.READ_ONLY
]
PAGED = [sample for sample in READING if "cursor" in portable_schema(sample.tool.input)["properties"]]

every_reading_sample = pytest.mark.parametrize("sample", READING, ids=str)
every_paged_sample = pytest.mark.parametrize("sample", PAGED, ids=str)


class Narrowed(NamedTuple):
    """A workspace with one project that a key may see, and much besides."""

    stage: Stage
    project_id: str
    store: Store

    def key(self, sample: Sample) -> str:
        narrowing = Narrowing(project_ids=frozenset({self.project_id}))
        if sample.as_agent or sample.tool.actor is Actor.AGENT:
            agent_id = self.stage.acting_agent
            return self.stage.world.a_key(kind=KeyKind.AGENT, linked_agent_id=agent_id, narrowing=narrowing)
        return self.stage.world.a_key(user_id=self.stage.owner_id(), narrowing=narrowing)

    def ids(self) -> set[str]:
        return {one for one in ids_in([*content(self.store).values()]) if one.startswith(KINDS)}


@pytest.fixture(scope="module")
def lasting_narrowed(connections: Connections) -> Narrowed:
    store = provision(connections, "narrowed")
    stage = Stage(World(store=store))
    project_id = stage.a_project()
    issue = {"title": "Fix login timeout", "projectId": project_id, "description": "Visible."}
    stage.call("issues.create", issue)
    return Narrowed(stage, project_id, store)


@pytest.fixture
def narrowed(lasting_narrowed: Narrowed) -> Narrowed:
    """With a new minute of calls for everybody's keys."""
    lasting_narrowed.stage.world.clock.advance(minutes=1)
    return lasting_narrowed


def foreign(narrowed: Narrowed, sample: Sample) -> tuple[Arguments, set[str]]:
    """Arguments that name things of other projects, and the ids of all that came with them."""
    visible = narrowed.ids()
    arguments = sample.arguments(narrowed.stage)
    return arguments, narrowed.ids() - visible


@every_reading_sample
def test_nothing_of_another_project_is_shown(sample: Sample, narrowed: Narrowed) -> None:
    arguments, hidden = foreign(narrowed, sample)

    answer = Ready(sample.tool, arguments, narrowed.key(sample)).send(narrowed.stage.world)

    assert answer.status in (200, 403, 404)
    assert ids_in(json.loads(answer.body)) & hidden <= ids_in(arguments)
    if answer.status == 200:
        assert ids_in(json.loads(answer.body).get("data", [])).isdisjoint(hidden)


@every_paged_sample
def test_a_cursor_of_somebody_who_sees_more_shows_no_more(sample: Sample, narrowed: Narrowed) -> None:
    arguments, hidden = foreign(narrowed, sample)
    whole = Ready(sample.tool, arguments, narrowed.stage.key_for(sample.tool, frozenset(Scope)))
    cursor = json.loads(whole.send(narrowed.stage.world).body).get("nextCursor")
    if cursor is None:
        return

    continued = {**arguments, "cursor": cursor, "limit": 50}
    answer = Ready(sample.tool, continued, narrowed.key(sample)).send(narrowed.stage.world)

    assert answer.status in (200, 400, 403, 404)
    assert ids_in(json.loads(answer.body).get("data", [])).isdisjoint(hidden)


def test_what_the_key_is_narrowed_to_is_shown(narrowed: Narrowed) -> None:
    (sample, *_) = [one for one in READING if str(one) == "issues.list"]
    key = narrowed.key(sample)

    answer = narrowed.stage.call("issues.list", {}, key=key)
    found = narrowed.stage.call("issues.list", {"query": "login"}, key=key)
    events = narrowed.stage.call("events.recent", {}, key=key)

    assert [row["projectId"] for row in answer["data"]] == [narrowed.project_id]
    assert [row["projectId"] for row in found["data"]] == [narrowed.project_id]
    assert {row["kind"] for row in events["data"]} == {"ISSUE_CREATED"}
