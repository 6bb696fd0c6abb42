"""What an agent may do while it has a live run: each mode, each tool, and a refusal that helps."""

import json
from typing import Any, NamedTuple

import pytest

from forge.contract.terms import EXECUTE_ONLY, EngagementMode
from forge.errors import ErrorCode
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.testing.world import World
from forge.wire.http import Response
from tests.contract.calls import calls_on_an_issue
from tests.contract.stage import ALL_TOOLS, Prepare, Ready, Stage

GATED: dict[str, Prepare] = calls_on_an_issue()
"""Each tool that asks for EXECUTE, as its sample module says."""

ALSO_GATED: dict[str, Prepare] = {
    "issues.claim": lambda stage, issue_id: {},
    "relations.add": lambda stage, issue_id: {
        "fromIssueId": _an_issue(stage),
        "toIssueId": issue_id,
        "kind": "BLOCKS",
    },
}

FREE: dict[str, Prepare] = {
    "issues.get": lambda stage, issue_id: {"id": issue_id},
    "issues.watch": lambda stage, issue_id: {"issueId": issue_id},
    "issues.unwatch": lambda stage, issue_id: {"issueId": issue_id},
    "comments.create": lambda stage, issue_id: {"issueId": issue_id, "body": "I looked at it."},
    "comments.upsertStatus": lambda stage, issue_id: {"issueId": issue_id, "body": "Reading."},
    "agent.context.bundle": lambda stage, issue_id: {"issueId": issue_id},
    "runs.setWaiting": lambda stage, issue_id: {"runId": _own_run(stage, issue_id)},
    "runs.resumeWork": lambda stage, issue_id: {"runId": _own_run(stage, issue_id)},
    "runs.recordUsage": lambda stage, issue_id: {"runId": _own_run(stage, issue_id), "tokensIn": 5},
    "runs.complete": lambda stage, issue_id: {
        "runId": _own_run(stage, issue_id),
        "summary": "Looked at it.",
        "confidence": "HIGH",
        "verdict": "APPROVE",
    },
    "artifacts.create": lambda stage, issue_id: {"title": "Mine alone", "body": "Of no issue."},
}

every_mode = pytest.mark.parametrize("mode", [*EngagementMode], ids=str)


class Case(NamedTuple):
    tool: str
    prepare: Prepare


def cases(table: dict[str, Prepare]) -> list[Any]:
    return [pytest.param(Case(tool, prepare), id=tool) for tool, prepare in table.items()]


@pytest.fixture(scope="module")
def lasting_stage(connections: Connections) -> Stage:
    return Stage(World(store=provision(connections, "modes")))


@pytest.fixture
def stage(lasting_stage: Stage) -> Stage:
    """With a new minute of calls for everybody's keys."""
    lasting_stage.world.clock.advance(minutes=1)
    return lasting_stage


def an_engaged_agent(stage: Stage, mode: EngagementMode) -> tuple[str, str]:
    """A raw key of an agent, and an issue on which it has a live run in this mode."""
    agent_id, issue_id = stage.an_agent(), _an_issue(stage)
    stage.call("issues.assign", {"issueId": issue_id, "agentId": agent_id, "mode": mode})
    stage.call("issues.queue", {"id": _an_issue(stage)})
    return stage.agent_key(agent_id), issue_id


def call(stage: Stage, case: Case, mode: EngagementMode) -> Response:
    key, issue_id = an_engaged_agent(stage, mode)
    return Ready(ALL_TOOLS[case.tool], case.prepare(stage, issue_id), key).send(stage.world)


def test_the_table_names_every_tool_that_is_gated() -> None:
    declared = {name for name, tool in ALL_TOOLS.items() if tool.modes == EXECUTE_ONLY}

    assert declared == set(GATED)


@every_mode
@pytest.mark.parametrize("case", [*cases(GATED), *cases(ALSO_GATED)])
def test_only_an_execute_run_may_change_an_issue(case: Case, mode: EngagementMode, stage: Stage) -> None:
    answer = call(stage, case, mode)

    if mode is EngagementMode.EXECUTE:
        assert answer.status == 200, answer.body
        return
    body = json.loads(answer.body)
    assert (answer.status, body["error"]) == (403, ErrorCode.MODE_FORBIDDEN)
    assert body["details"] == {"mode": mode, "tool": case.tool, "allowedModes": ["EXECUTE"]}
    assert mode in body["message"]
    assert case.tool in body["message"]


@every_mode
@pytest.mark.parametrize("case", cases(FREE))
def test_every_mode_may_talk_wait_and_finish(case: Case, mode: EngagementMode, stage: Stage) -> None:
    answer = call(stage, case, mode)

    assert answer.status == 200, answer.body


@pytest.mark.parametrize("case", cases(GATED))
def test_the_mode_of_one_agent_binds_nobody_else(case: Case, stage: Stage) -> None:
    _, issue_id = an_engaged_agent(stage, EngagementMode.DISCUSS)
    another = stage.agent_key(stage.an_agent())

    answer = Ready(ALL_TOOLS[case.tool], case.prepare(stage, issue_id), another).send(stage.world)

    assert answer.status == 200, answer.body


@pytest.mark.parametrize("case", [one for one in cases(GATED) if one.id not in ("issues.create",)])
def test_a_run_on_another_issue_does_not_bind(case: Case, stage: Stage) -> None:
    key, _ = an_engaged_agent(stage, EngagementMode.REVIEW)

    answer = Ready(ALL_TOOLS[case.tool], case.prepare(stage, _an_issue(stage)), key).send(stage.world)

    assert answer.status == 200, answer.body


def test_a_run_that_waits_still_binds_and_one_that_ended_does_not(stage: Stage) -> None:
    key, issue_id = an_engaged_agent(stage, EngagementMode.DISCUSS)
    edit = Ready(ALL_TOOLS["issues.update"], {"id": issue_id, "title": "Mine"}, key)
    run_id = _own_run(stage, issue_id)

    stage.call("runs.setWaiting", {"runId": run_id}, key=key)
    while_waiting = edit.send(stage.world)
    stage.call("runs.complete", {"runId": run_id, "summary": "Talked."}, key=key)
    afterwards = edit.send(stage.world)

    assert (while_waiting.status, afterwards.status) == (403, 200)


def test_the_mode_is_checked_before_the_rules_of_the_tool(stage: Stage) -> None:
    key, issue_id = an_engaged_agent(stage, EngagementMode.RESEARCH)
    arguments = {"issueId": issue_id, "agentId": "agt_nobody"}

    answer = Ready(ALL_TOOLS["issues.assign"], arguments, key).send(stage.world)

    assert json.loads(answer.body)["error"] == ErrorCode.MODE_FORBIDDEN


def _an_issue(stage: Stage) -> str:
    return str(stage.call("issues.create", {"title": "Look into it", "description": "A text."})["id"])


def _own_run(stage: Stage, issue_id: str) -> str:
    found = stage.call("issues.get", {"id": issue_id, "include": {"currentRun": True}})
    return str(found["currentRun"]["id"])
