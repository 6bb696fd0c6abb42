"""The key of a run changes the issue of its run and what hangs on it, and sees no more than its project."""

import json

import pytest

from forge.contract.terms import Actor, Effect, Surface
from forge.contract.tools import AnyTool
from forge.errors import ErrorCode
from forge.store.store import Store
from forge.testing.world import World
from tests.contract.calls import CHANGING, SAMPLES, samples_of
from tests.contract.dumps import content, ids_in
from tests.contract.rehearsals import Rehearsal, Rehearse
from tests.contract.stage import ALL_TOOLS, Arguments, Sample, Stage
from tests.contract.test_narrowing import KINDS

OFFERED = [sample for sample in SAMPLES if sample.tool.surface is Surface.MCP]
READING = [sample for sample in OFFERED if sample.tool.effect is Effect.READ_ONLY]
WRITING = [sample for sample in CHANGING if sample.tool.surface is Surface.MCP]
FOR_RUNS = [tool for tool in ALL_TOOLS.values() if tool.for_runs]

PRIVATE = (*KINDS, "thr_", "msg_", "not_", "note_")
"""Talks and notes are their agent's own, and no run's."""


def a_runs_key(
    stage: Stage, sample: Sample | None = None, *, in_project: bool = False
) -> tuple[str, str, str]:
    """A key of a fresh run, of the agent that calls the sample if one does, the run, and its issue."""
    is_acting = sample is not None and (sample.as_agent or sample.tool.actor is Actor.AGENT)
    agents_key = stage.agent_key(stage.acting_agent if is_acting else stage.an_agent())
    more = {"projectId": stage.a_project()} if in_project else {}
    issue_id = str(stage.call("issues.create", {"title": "Its own", **more})["id"])
    run_id = stage.call("issues.claim", {"issueId": issue_id}, key=agents_key)["runId"]
    made = stage.call("agents.sessionKey", {"runId": run_id}, key=agents_key)
    return made["rawKey"], run_id, issue_id


@pytest.mark.parametrize("sample", WRITING, ids=str)
def test_it_changes_nothing_but_its_own_issue_through_no_tool(sample: Sample, rehearse: Rehearse) -> None:
    rehearsal = rehearse(sample)
    rehearsal.rewind()
    key, _, _ = a_runs_key(rehearsal.stage, sample)
    before = content(rehearsal.store)

    answer = rehearsal.ready._replace(key=key).send(rehearsal.world)

    assert content(rehearsal.store) == before, answer.body
    assert answer.status in (403, 404), answer.body
    if not sample.tool.for_runs:
        assert json.loads(answer.body)["error"] in (ErrorCode.FORBIDDEN, ErrorCode.SCOPE_REQUIRED)


@pytest.mark.parametrize("sample", READING, ids=str)
@pytest.mark.parametrize("in_project", [True, False], ids=["project", "issue"])
def test_it_sees_nothing_of_other_projects_and_issues(
    sample: Sample, in_project: bool, rehearse: Rehearse
) -> None:
    rehearsal = rehearse(sample)
    rehearsal.rewind()
    key, _, _ = a_runs_key(rehearsal.stage, sample, in_project=in_project)

    answer = rehearsal.ready._replace(key=key).send(rehearsal.world)

    assert answer.status in (200, 403, 404)
    assert hidden_in(json.loads(answer.body) or {}, rehearsal) <= ids_in(rehearsal.ready.arguments)


def hidden_in(shown: object, rehearsal: Rehearsal) -> set[str]:
    found = {one for one in ids_in(shown) if one.startswith(PRIVATE)}
    return {one for one in found if int(one.rpartition("_")[2]) <= rehearsal.last_id}


@pytest.mark.parametrize("tool", FOR_RUNS, ids=str)
def test_whatever_is_for_runs_was_tried_on_another_issue(tool: AnyTool) -> None:
    """A sample about nothing that belongs to an issue would prove nothing above."""
    assert samples_of(tool.name)
    assert tool.effect is not Effect.READ_ONLY
    assert not tool.unnarrowed


def test_it_has_nothing_of_its_agents_own(store: Store) -> None:
    stage = Stage(World(store=store))
    agent_id = stage.an_agent()
    agents_key = stage.agent_key(agent_id)
    issue_id = str(stage.call("issues.create", {"title": "Its own"})["id"])
    run_id = stage.call("issues.claim", {"issueId": issue_id}, key=agents_key)["runId"]
    key = stage.call("agents.sessionKey", {"runId": run_id}, key=agents_key)["rawKey"]
    note_id = stage.call("notes.create", {"body": "What I think of them."}, key=agents_key)["id"]

    shown = stage.call("notes.list", {}, key=key)
    named = stage.world.rest("notes.list", {"id": note_id}, key=key)

    assert (shown["data"], named.status) == ([], 404)


def test_who_does_not_own_a_run_gets_no_key_for_it(store: Store) -> None:
    stage = Stage(World(store=store))
    key, run_id, _ = a_runs_key(stage)

    for other in (key, stage.agent_key(stage.an_agent()), stage.world.owner_key()):
        answer = stage.world.rest("agents.sessionKey", {"runId": run_id}, key=other)
        assert answer.status == 403, answer.body


def test_a_program_does_all_its_work_with_it(store: Store) -> None:
    stage = Stage(World(store=store))
    key, run_id, issue_id = a_runs_key(stage)

    def call(tool: str, arguments: Arguments) -> Arguments:
        return stage.call(tool, arguments, key=key)

    assert call("issues.get", {"id": issue_id})["id"] == issue_id
    assert call("agent.context.bundle", {"issueId": issue_id})["currentRun"]["id"] == run_id
    call("comments.create", {"issueId": issue_id, "body": "I have begun."})
    call("comments.upsertStatus", {"issueId": issue_id, "body": "At it.", "currentStep": "Reading"})
    call("issues.update", {"id": issue_id, "description": "With a plan."})
    call("runs.recordUsage", {"runId": run_id, "tokensIn": 5})
    call("runs.setWaiting", {"runId": run_id, "reason": "Which schema?"})
    call("runs.resumeWork", {"runId": run_id})
    call("actionRequests.create", {"issueId": issue_id, "title": "Which schema?"})
    made = call("artifacts.create", {"issueId": issue_id, "title": "Notes", "body": "Found it."})
    call("artifacts.update", {"id": made["id"], "body": "Found all of it."})
    link = {"targetType": "issue", "targetId": issue_id, "url": "https://example.com/pull/1", "title": "PR"}
    call("attachments.attachLink", link)
    call("catalog.call", {"name": "issues.get", "arguments": {"id": issue_id}})
    call("runs.complete", {"runId": run_id, "summary": "Done."})

    over = stage.world.rest("issues.get", {"id": issue_id}, key=key)
    assert over.status == 401
