"""Who stands for nobody, and who was archived, changes nothing with any tool, and is told so."""

import pytest

from forge.context import KeyKind
from forge.contract.terms import Actor, Surface
from forge.errors import ErrorCode
from tests.contract.calls import CHANGING, SAMPLES, every_changing_sample
from tests.contract.dumps import content
from tests.contract.rehearsals import Rehearsal, Rehearse
from tests.contract.stage import ALL_SCOPES, Sample
from tests.contract.test_scopes import refused

FOR_SOME = [one for one in SAMPLES if one.tool.actor is not Actor.ANYONE and one.tool.surface is Surface.MCP]
READING = [one for one in SAMPLES if one not in CHANGING and not one.elsewhere]

OF_ITS_OWNER = frozenset({"notes.list one of them", "gateway.result", "agent.context.bundle for a step"})
"""Calls that name something which nobody but its owner finds."""

OF_ITS_AGENT = frozenset(
    {"agent.context.bundle of a thread", "agent.context.bundle of a thread, for its agent", "chat.getThread"}
)
"""Calls that name something which no other agent may see."""


def a_key_of_nobody(rehearsal: Rehearsal) -> str:
    return rehearsal.world.a_key(kind=KeyKind.AGENT)


def a_key_of_an_archived_agent(rehearsal: Rehearsal) -> str:
    stage = rehearsal.stage
    agent_id = stage.an_agent()
    order = {"name": "worker", "kind": "AGENT", "scopes": sorted(ALL_SCOPES), "linkedAgentId": agent_id}
    raw = str(stage.call("keys.create", order)["rawKey"])
    stage.call("agents.archive", {"id": agent_id})
    return raw


@every_changing_sample
def test_nothing_is_changed_by_nobody_nor_by_an_archived_agent(sample: Sample, rehearse: Rehearse) -> None:
    rehearsal = rehearse(sample)
    rehearsal.rewind()

    for key in (a_key_of_nobody(rehearsal), a_key_of_an_archived_agent(rehearsal)):
        assert refused(rehearsal, key)["error"] == ErrorCode.FORBIDDEN


@pytest.mark.parametrize("sample", READING, ids=str)
def test_an_archived_agent_reads_what_it_could_and_nobody_is_told_what_needs_somebody(
    sample: Sample, rehearse: Rehearse
) -> None:
    rehearsal = rehearse(sample)
    rehearsal.rewind()
    archived, nobody = a_key_of_an_archived_agent(rehearsal), a_key_of_nobody(rehearsal)
    before = content(rehearsal.store)

    by_archived = rehearsal.ready._replace(key=archived).send(rehearsal.world)
    by_nobody = rehearsal.ready._replace(key=nobody).send(rehearsal.world)

    # The operators' tools are for people, and so are a few others.
    found = 404 if str(sample) in OF_ITS_OWNER else 403 if str(sample) in OF_ITS_AGENT else 200
    is_for_people = sample.tool.actor is Actor.USER
    assert by_archived.status == (403 if is_for_people else found), by_archived.body
    assert by_nobody.status in (200, 403, found), by_nobody.body
    assert content(rehearsal.store) == before


@pytest.mark.parametrize("sample", FOR_SOME, ids=str)
def test_what_is_for_agents_is_refused_to_people_and_the_other_way_round(
    sample: Sample, rehearse: Rehearse
) -> None:
    rehearsal = rehearse(sample)
    rehearsal.rewind()
    stage = rehearsal.stage
    is_for_agents = sample.tool.actor is Actor.AGENT
    key = stage.world.owner_key() if is_for_agents else stage.agent_key(stage.acting_agent)

    assert refused(rehearsal, key)["error"] == ErrorCode.FORBIDDEN


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("issues.assigned", {}), ("issues.listWatching", {}), ("issues.list", {"createdByViewer": True})],
)
def test_what_is_about_oneself_is_refused_to_nobody(
    tool: str, arguments: dict[str, object], rehearse: Rehearse
) -> None:
    rehearsal = rehearse(next(one for one in READING if one.tool.name == tool))
    rehearsal.rewind()

    error = refused(rehearsal, a_key_of_nobody(rehearsal), arguments)

    assert error["error"] == ErrorCode.FORBIDDEN
