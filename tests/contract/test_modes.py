"""What an agent may do while it has a live run: each mode, each tool, and a refusal that helps."""

import json
import re
from typing import Any, NamedTuple

import pytest

from forge.contract.terms import EXECUTE_ONLY, Actor, EngagementMode, Surface
from forge.errors import ErrorCode
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.store.store import Store
from forge.testing.world import World
from forge.wire.http import Response
from forge.work.issues.announcements import ISSUE
from tests.contract.calls import calls_on_an_issue
from tests.contract.dumps import Dump, dump, restore
from tests.contract.stage import ALL_TOOLS, Arguments, Prepare, Ready, Stage

GATED: dict[str, Prepare] = calls_on_an_issue()
"""Each tool that asks for EXECUTE, as its sample module says."""


def whatever_is_free(stage: Stage, issue_id: str) -> Arguments:
    return {}


ALSO_GATED: dict[str, Prepare] = {
    "issues.claim": whatever_is_free,
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


OF_NO_ISSUE = frozenset({"issues.create", "create_issue", "select_next_issue", "github.importIssue"})
"""They are about no issue yet: one run that allows them is enough."""

FREE_OF_ISSUES = {one: GATED[one] for one in sorted(OF_NO_ISSUE)} | {"issues.claim": whatever_is_free}
ON_ONE_AND_ON_NONE = {"issues.update": GATED["issues.update"], "issues.claim": whatever_is_free}


class Case(NamedTuple):
    tool: str
    prepare: Prepare


def cases(table: dict[str, Prepare]) -> list[Any]:
    return [pytest.param(Case(tool, prepare), id=tool) for tool, prepare in table.items()]


class Engaged(NamedTuple):
    """An agent's raw key, and an issue on which it has a live run."""

    key: str
    issue_id: str


class Engagements(NamedTuple):
    """A workspace in which one agent works in each mode, set back before each call."""

    stage: Stage
    by_mode: dict[EngagementMode, Engaged]
    store: Store
    start: Dump

    def engaged(self, mode: EngagementMode) -> Engaged:
        restore(self.store, self.start, present=dump(self.store))
        return self.by_mode[mode]

    def send(self, case: Case, issue_id: str, key: str) -> Response:
        arguments = case.prepare(self.stage, issue_id)
        return Ready(ALL_TOOLS[case.tool], arguments, key).send(self.stage.world)


@pytest.fixture(scope="module")
def engagements(connections: Connections) -> Engagements:
    store = provision(connections, "modes")
    stage = Stage(World(store=store))
    by_mode = {mode: an_engaged_agent(stage, mode) for mode in EngagementMode}
    stage.call("issues.queue", {"id": _an_issue(stage)})
    return Engagements(stage, by_mode, store, dump(store))


def an_engaged_agent(stage: Stage, mode: EngagementMode) -> Engaged:
    agent_id, issue_id = stage.an_agent(), _an_issue(stage)
    stage.call("issues.assign", {"issueId": issue_id, "agentId": agent_id, "mode": mode})
    return Engaged(stage.agent_key(agent_id), issue_id)


def test_the_table_names_every_tool_that_is_gated() -> None:
    # Where only people may call, no agent's mode is ever asked.
    gated = [tool for tool in ALL_TOOLS.values() if tool.actor is not Actor.USER]
    declared = {tool.name for tool in gated if tool.modes == EXECUTE_ONLY}

    assert declared == set(GATED)


def test_what_changes_an_issue_is_gated_like_its_twins_or_says_why_not() -> None:
    for tool in ALL_TOOLS.values():
        changes_issues = any(one.subject == ISSUE for one in tool.emits)
        is_agents = tool.surface is Surface.MCP and tool.actor is not Actor.USER
        is_gated = tool.modes == EXECUTE_ONLY

        if tool.ungated is not None:
            assert (changes_issues, is_gated) == (True, False), f"{tool} has nothing to excuse"
            assert tool.ungated.strip().endswith("."), tool
        elif changes_issues and is_agents:
            assert is_gated, tool


@pytest.mark.parametrize("case", cases(FREE_OF_ISSUES))
def test_what_is_about_no_issue_needs_one_run_that_allows_it(case: Case, engagements: Engagements) -> None:
    stage = engagements.stage
    key, _ = engagements.engaged(EngagementMode.DISCUSS)
    agent_id = stage.call("agents.me", {}, key=key)["id"]

    refused = engagements.send(case, "", key)
    stage.call("issues.assign", {"issueId": _an_issue(stage), "agentId": agent_id, "mode": "EXECUTE"})
    allowed = engagements.send(case, "", key)

    assert (refused.status, json.loads(refused.body)["error"]) == (403, ErrorCode.MODE_FORBIDDEN)
    assert allowed.status == 200, allowed.body


@pytest.mark.parametrize("case", cases(ON_ONE_AND_ON_NONE))
def test_what_a_refusal_hints_at_lifts_it(case: Case, engagements: Engagements) -> None:
    for mode in set(EngagementMode) - {EngagementMode.EXECUTE}:
        key, issue_id = engagements.engaged(mode)
        refusal = json.loads(engagements.send(case, issue_id, key).body)

        assert set(re.findall(r"[a-zA-Z]+\.[a-zA-Z]+", refusal["hint"])) == {"runs.complete"}
        report = {"runId": refusal["details"]["runId"], "summary": "Looked.", "confidence": "LOW"}
        engagements.stage.call("runs.complete", {**report, "verdict": "APPROVE"}, key=key)
        assert engagements.send(case, issue_id, key).status == 200, mode


@pytest.mark.parametrize("case", [*cases(GATED), *cases(ALSO_GATED)])
def test_only_an_execute_run_may_change_an_issue(case: Case, engagements: Engagements) -> None:
    for mode in EngagementMode:
        key, issue_id = engagements.engaged(mode)

        answer = engagements.send(case, issue_id, key)

        if mode is EngagementMode.EXECUTE:
            assert answer.status == 200, answer.body
            continue
        body = json.loads(answer.body)
        assert (answer.status, body["error"]) == (403, ErrorCode.MODE_FORBIDDEN), mode
        details = body["details"] | {"id": issue_id}
        assert details.pop("runId") in body["hint"]
        assert details == {
            "mode": mode,
            "tool": case.tool,
            "allowedModes": ["EXECUTE"],
            "id": issue_id,
            "issueId": issue_id,
        }
        assert mode in body["message"]
        assert case.tool in body["message"]


@pytest.mark.parametrize("case", cases(FREE))
def test_every_mode_may_talk_wait_and_finish(case: Case, engagements: Engagements) -> None:
    for mode in EngagementMode:
        key, issue_id = engagements.engaged(mode)

        answer = engagements.send(case, issue_id, key)

        assert answer.status == 200, (mode, answer.body)


@pytest.mark.parametrize("case", cases(GATED))
def test_a_mode_binds_one_agent_on_one_issue(case: Case, engagements: Engagements) -> None:
    stage = engagements.stage

    _, issue_id = engagements.engaged(EngagementMode.DISCUSS)
    answer = engagements.send(case, issue_id, stage.agent_key(stage.an_agent()))
    assert answer.status == 200, ("another agent", answer.body)

    if case.tool in OF_NO_ISSUE:
        return
    key, _ = engagements.engaged(EngagementMode.REVIEW)
    answer = engagements.send(case, _an_issue(stage), key)
    assert answer.status == 200, ("another issue", answer.body)


def test_a_run_that_waits_still_binds_and_one_that_ended_does_not(engagements: Engagements) -> None:
    stage = engagements.stage
    key, issue_id = engagements.engaged(EngagementMode.DISCUSS)
    edit = Ready(ALL_TOOLS["issues.update"], {"id": issue_id, "title": "Mine"}, key)
    run_id = _own_run(stage, issue_id)

    stage.call("runs.setWaiting", {"runId": run_id}, key=key)
    while_waiting = edit.send(stage.world)
    stage.call("runs.complete", {"runId": run_id, "summary": "Talked."}, key=key)
    afterwards = edit.send(stage.world)

    assert (while_waiting.status, afterwards.status) == (403, 200)


def test_the_mode_is_checked_before_the_rules_of_the_tool(engagements: Engagements) -> None:
    key, issue_id = engagements.engaged(EngagementMode.RESEARCH)
    arguments = {"id": issue_id, "parentId": issue_id}

    answer = Ready(ALL_TOOLS["issues.update"], arguments, key).send(engagements.stage.world)

    assert json.loads(answer.body)["error"] == ErrorCode.MODE_FORBIDDEN


def _an_issue(stage: Stage) -> str:
    return str(stage.call("issues.create", {"title": "Look into it", "description": "A text."})["id"])


def _own_run(stage: Stage, issue_id: str) -> str:
    found = stage.call("issues.get", {"id": issue_id, "include": {"currentRun": True}})
    return str(found["currentRun"]["id"])
