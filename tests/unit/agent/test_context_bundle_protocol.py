"""The bundle tells an agent what its run allows, and which calls it owes."""

import re

import pytest

from forge.contract.catalog import load_catalog
from forge.contract.terms import EngagementMode
from forge.work.issues.runs.protocol import MAX_INSTRUCTION, protocol_instruction
from forge.work.issues.runs.runs import CONTRACT_VERSION
from tests.workshop.bundles import an_agent, assign, bundle, stall, work_on_a_step
from tests.workshop.issues import an_issue
from tests.workshop.office import Body, Office

every_mode = pytest.mark.parametrize("mode", [*EngagementMode], ids=str)

REQUIRED = {
    "EXECUTE": ("summary", "verificationResult", "producedArtifactIds"),
    "RESEARCH": ("summary", "confidence"),
    "REVIEW": ("summary", "verdict"),
    "DISCUSS": ("summary",),
}


def protocol(office: Office, issue_id: str, *, key: str | None = None) -> Body:
    found: Body = bundle(office, issue_id, key=key)["runProtocol"]
    return found


def begin(office: Office, issue_id: str, *, key: str) -> str:
    """The run that an agent begins by saying how it goes."""
    said = office.call("comments.upsertStatus", {"issueId": issue_id, "body": "Going."}, key=key)
    return str(said["runId"])


@every_mode
def test_an_agent_is_told_of_its_own_live_run(office: Office, mode: str) -> None:
    issue_id = an_issue(office)
    agent_id, key = an_agent(office)
    run_id = assign(office, issue_id, agent_id, mode)

    told = protocol(office, issue_id, key=key)

    assert set(told) == {
        "contractVersion",
        "runId",
        "engagementMode",
        "modeInstruction",
        "protocolInstruction",
        "mayMutateIssue",
    }
    assert told["contractVersion"] == CONTRACT_VERSION
    assert (told["runId"], told["engagementMode"]) == (run_id, mode)
    assert told["mayMutateIssue"] is (mode == "EXECUTE")


@every_mode
def test_what_it_is_told_it_may_do_is_what_the_tools_allow(office: Office, mode: str) -> None:
    issue_id = an_issue(office)
    agent_id, key = an_agent(office)
    assign(office, issue_id, agent_id, mode)
    may = protocol(office, issue_id, key=key)["mayMutateIssue"]

    changed = office.send("issues.update", {"id": issue_id, "title": "Changed"}, key=key)

    assert changed.status == (200 if may else 403)


@every_mode
def test_an_agent_without_a_run_is_bound_by_nobody_elses(office: Office, mode: str) -> None:
    issue_id = an_issue(office)
    somebody, _ = an_agent(office)
    assign(office, issue_id, somebody, mode)
    _, key = an_agent(office)

    told = protocol(office, issue_id, key=key)

    assert ("runId" in told, told["engagementMode"]) == (False, "EXECUTE")
    assert told["mayMutateIssue"] is True


@every_mode
def test_a_person_is_told_of_the_current_run(office: Office, mode: str) -> None:
    issue_id = an_issue(office)
    agent_id, _ = an_agent(office)
    run_id = assign(office, issue_id, agent_id, mode)

    told = protocol(office, issue_id)

    assert (told["runId"], told["engagementMode"]) == (run_id, mode)
    assert told["mayMutateIssue"] is (mode == "EXECUTE")


def test_without_any_run_everybody_may_begin(office: Office) -> None:
    issue_id = an_issue(office)
    _, key = an_agent(office)

    for asking in (office.owner_key, key):
        told = protocol(office, issue_id, key=asking)

        assert ("runId" in told, told["engagementMode"]) == (False, "EXECUTE")
        assert told["mayMutateIssue"] is True


def test_a_run_that_ended_is_not_told_of(office: Office) -> None:
    issue_id = an_issue(office)
    agent_id, key = an_agent(office)
    run_id = assign(office, issue_id, agent_id, "DISCUSS")
    office.call("runs.complete", {"runId": run_id, "summary": "Talked."}, key=key)

    for asking in (office.owner_key, key):
        told = protocol(office, issue_id, key=asking)

        assert ("runId" in told, told["mayMutateIssue"]) == (False, True)


def test_a_stalled_run_is_told_of_to_people_and_binds_nobody(office: Office) -> None:
    issue_id = an_issue(office)
    agent_id, key = an_agent(office)
    run_id = assign(office, issue_id, agent_id, "REVIEW")
    stall(office, run_id)

    assert protocol(office, issue_id)["runId"] == run_id
    told = protocol(office, issue_id, key=key)
    assert ("runId" in told, told["engagementMode"], told["mayMutateIssue"]) == (False, "EXECUTE", True)


@every_mode
def test_every_run_of_the_agent_must_allow_a_change(office: Office, mode: EngagementMode) -> None:
    issue_id = an_issue(office)
    agent_id, key = an_agent(office)
    step_run_id = work_on_a_step(office, issue_id, agent_id, mode)
    told = protocol(office, issue_id, key=key)
    assert (told["runId"], told["engagementMode"]) == (step_run_id, mode)

    office.call("issues.assign", {"issueId": issue_id, "agentId": agent_id, "mode": "EXECUTE"})

    told = protocol(office, issue_id, key=key)
    assert (told["runId"] == step_run_id, told["engagementMode"]) == (False, "EXECUTE")
    changed = office.send("issues.update", {"id": issue_id, "title": "Changed"}, key=key)
    assert told["mayMutateIssue"] is (mode == "EXECUTE") is (changed.status == 200)


def test_a_run_that_waits_is_told_of(office: Office) -> None:
    issue_id = an_issue(office)
    agent_id, key = an_agent(office)
    run_id = assign(office, issue_id, agent_id, "RESEARCH")
    office.call("runs.setWaiting", {"runId": run_id}, key=key)

    assert protocol(office, issue_id, key=key)["runId"] == run_id


@every_mode
@pytest.mark.parametrize("has_run", [True, False])
def test_instructions_are_short_and_name_the_calls_in_order(mode: EngagementMode, has_run: bool) -> None:
    text = protocol_instruction(mode, has_run=has_run)

    assert len(text) <= MAX_INSTRUCTION
    calls = [
        text.index(name)
        for name in ("comments.upsertStatus", "runs.setWaiting", "runs.recordUsage", "runs.complete")
    ]
    assert calls == sorted(calls)
    end = text[calls[-1] :]
    assert all(field in end for field in REQUIRED[mode])
    others = {field for fields in REQUIRED.values() for field in fields} - {*REQUIRED[mode]}
    assert not any(field in end for field in others)


@every_mode
def test_instructions_name_only_tools_that_exist(office: Office, mode: str) -> None:
    issue_id = an_issue(office)
    agent_id, key = an_agent(office)
    assign(office, issue_id, agent_id, mode)
    told = protocol(office, issue_id, key=key)
    known = {tool.name for tool in load_catalog().tools}

    for text in (told["modeInstruction"], told["protocolInstruction"]):
        assert len(text) <= MAX_INSTRUCTION
        named = set(re.findall(r"\b[a-z]+\.[a-z]+[A-Za-z]*\b", text))
        assert named
        assert named <= known


@every_mode
def test_whoever_follows_the_instructions_can_complete_the_run(office: Office, mode: str) -> None:
    issue_id = an_issue(office)
    agent_id, key = an_agent(office)
    assign(office, issue_id, agent_id, mode)
    run_id = protocol(office, issue_id, key=key)["runId"]
    report = {"summary": "Done.", "confidence": "HIGH", "verdict": "APPROVE", "verificationResult": []}
    given = {name: value for name, value in report.items() if name in REQUIRED[mode]}

    office.call("comments.upsertStatus", {"issueId": issue_id, "body": "Going.", "currentStep": "1"}, key=key)
    office.call("runs.setWaiting", {"runId": run_id, "reason": "Which?", "blocking": True}, key=key)
    office.call("runs.recordUsage", {"runId": run_id, "tokensIn": 1, "tokensOut": 1}, key=key)
    ended = office.call("runs.complete", {"runId": run_id, **given}, key=key)

    assert ended["status"] == "COMPLETED"


def test_the_first_status_of_an_agent_without_a_run_says_its_run(office: Office) -> None:
    issue_id = an_issue(office)
    _, key = an_agent(office)

    run_id = begin(office, issue_id, key=key)

    assert protocol(office, issue_id, key=key)["runId"] == run_id


@every_mode
def test_tools_are_named_as_the_door_lists_them(office: Office, mode: str) -> None:
    issue_id = an_issue(office)
    agent_id, key = an_agent(office)
    assign(office, issue_id, agent_id, mode)
    known = {tool.name: tool.portable_name for tool in load_catalog().tools}

    over_mcp = office.mcp("agent.context.bundle", {"issueId": issue_id}, key=key)["runProtocol"]
    over_rest = protocol(office, issue_id, key=key)

    for text in ("modeInstruction", "protocolInstruction"):
        dotted = re.findall(r"[a-z]\w*\.[a-z]\w*", over_rest[text])
        assert dotted
        assert re.findall(r"[a-z]+_[a-z]\w*", over_mcp[text]) == [known[name] for name in dotted]
        assert not re.findall(r"[a-z]\w*\.[a-z]\w*", over_mcp[text])
