"""issues.claim as work begun: it is never forgotten, and never handed out twice."""

import json

import pytest

from forge.work.issues.runs.runs import RunStatus
from forge.work.workspace.people import runtimes
from tests.workshop.issues import a_queued_issue, an_issue, block, has_no_live_run, head, live_run, run
from tests.workshop.office import Body, Office


@pytest.fixture
def agent_id(office: Office) -> str:
    return str(office.an_agent()["id"])


@pytest.fixture
def key(office: Office, agent_id: str) -> str:
    return office.an_agents_key(agent_id)


def queued(office: Office, number: int) -> list[str]:
    """In the order in which they are given out."""
    made = []
    for _ in range(number):
        made.append(a_queued_issue(office))
        office.world.clock.advance(seconds=1)
    return made


def given(answer: Body) -> tuple[str | None, bool]:
    """The id of what was given, and whether it was the caller's before."""
    return answer["claimed"] and answer["claimed"]["id"], answer.get("resumed", False)


def said(office: Office, tool: str, arguments: Body, **how: str) -> str:
    """What a refused write is told as its reason."""
    answer = office.send(tool, arguments, **how)
    body: Body = json.loads(answer.body)
    assert (answer.status, body["error"]) == (409, "conflict"), body
    return str(body["details"]["reason"])


def test_a_claim_begins_the_run_and_its_bundle_shows_it(office: Office, key: str, agent_id: str) -> None:
    (issue_id,) = queued(office, 1)

    claimed = office.call("issues.claim", {"include": "bundle"}, key=key)

    begun = live_run(office, issue_id, agent_id)
    assert (begun.engagement_mode, begun.status, begun.has_begun) == ("EXECUTE", RunStatus.ACTIVE, False)
    assert claimed["runId"] == begun.id == claimed["bundle"]["currentRun"]["id"]
    assert claimed["bundle"]["runProtocol"]["runId"] == begun.id
    assert claimed["bundle"] == office.call("agent.context.bundle", {"issueId": issue_id}, key=key)


def test_a_persons_claim_begins_no_run(office: Office) -> None:
    (issue_id,) = queued(office, 1)

    claimed = office.call("issues.claim", {})

    assert "runId" not in claimed
    assert head(office, issue_id).live_runs == []


def test_what_the_holder_does_next_belongs_to_that_run(office: Office, key: str, agent_id: str) -> None:
    (issue_id,) = queued(office, 1)
    run_id = office.call("issues.claim", {}, key=key)["runId"]

    office.call("comments.upsertStatus", {"issueId": issue_id, "body": "Begun."}, key=key)

    assert live_run(office, issue_id, agent_id).id == run_id
    assert run(office, run_id).has_begun


def test_a_silent_run_of_a_claim_stalls_and_its_holder_begins_another(
    office: Office, key: str, agent_id: str
) -> None:
    (issue_id,) = queued(office, 1)
    run_id = office.call("issues.claim", {}, key=key, session="a")["runId"]
    office.world.clock.advance(minutes=31)
    office.sweep()

    again = office.call("issues.claim", {}, key=key, session="a")

    assert run(office, run_id).status is RunStatus.STALLED
    assert given(again) == (issue_id, True)
    assert live_run(office, issue_id, agent_id).id == again["runId"] != run_id


def test_who_takes_an_expired_claim_ends_the_run_that_came_to_nothing(
    office: Office, key: str, agent_id: str
) -> None:
    (issue_id,) = queued(office, 1)
    office.call("workspaces.update", {"agentRunStaleMinutes": 0})
    run_id = office.call("issues.claim", {"claimTtlMinutes": 10}, key=key)["runId"]
    office.world.clock.advance(minutes=10)

    taken = office.call("issues.claim", {}, key=office.an_agents_key(office.an_agent("other")["id"]))

    assert given(taken) == (issue_id, False)
    assert run(office, run_id).status is RunStatus.ABANDONED
    assert has_no_live_run(office, issue_id, agent_id)


def test_handed_over_it_is_no_work_of_the_claimant_any_more(office: Office, key: str, agent_id: str) -> None:
    (issue_id,) = queued(office, 1)
    office.an_agent("reviewer")
    run_id = office.call("issues.claim", {}, key=key)["runId"]

    order = {"issueId": issue_id, "toProfileKey": "reviewer", "rationale": "Not for me."}
    office.call("issues.reassign", order, key=key)

    assert run(office, run_id).status is RunStatus.ABANDONED
    assert has_no_live_run(office, issue_id, agent_id)


def test_a_session_gets_its_own_unfinished_claim_first(office: Office, key: str) -> None:
    first, second, third = queued(office, 3)
    run_id = office.call("issues.claim", {}, key=key, session="a")["runId"]

    again = office.call("issues.claim", {}, key=key, session="a")
    other = office.call("issues.claim", {}, key=key, session="b")
    more = office.call("issues.claim", {"holding": [run_id]}, key=key, session="a")

    assert (given(again), again["runId"]) == ((first, True), run_id)
    assert given(other) == (second, False)
    assert given(more) == (third, False)


def test_over_mcp_its_own_header_names_the_session(office: Office, key: str) -> None:
    (issue_id,) = queued(office, 1)

    answers = [
        office.world.call("issues.claim", {}, key=key, headers={"mcp-session-id": "a"})["structuredContent"]
        for _ in range(2)
    ]

    assert [given(one) for one in answers] == [(issue_id, False), (issue_id, True)]


def test_without_a_session_fresh_work_comes_first_and_then_what_is_held_is_named(
    office: Office, key: str
) -> None:
    first, second = queued(office, 2)
    answers = [office.call("issues.claim", {}, key=key) for _ in range(3)]

    assert [given(one) for one in answers] == [(first, False), (second, False), (None, False)]
    names = [office.call("issues.get", {"id": one})["identifier"] for one in (first, second)]
    assert "youHold" not in answers[0]
    assert [one["identifier"] for one in answers[1]["youHold"]] == names[:1]
    assert answers[2]["reason"] == "you-hold"
    assert sorted(one["identifier"] for one in answers[2]["youHold"]) == sorted(names)
    assert {one["runId"] for one in answers[2]["youHold"]} == {one["runId"] for one in answers[:2]}
    assert all(one["since"] and one["lastSignAt"] for one in answers[2]["youHold"])


def test_what_is_named_as_held_can_be_taken_up_by_its_identifier(office: Office, key: str) -> None:
    (issue_id,) = queued(office, 1)
    run_id = office.call("issues.claim", {}, key=key)["runId"]
    (held,) = office.call("issues.claim", {}, key=key)["youHold"]

    again = office.call("issues.claim", {"issueId": issue_id}, key=key)

    assert (held["runId"], given(again), again["runId"]) == (run_id, (issue_id, True), run_id)


def test_who_asks_to_resume_needs_no_session(office: Office, key: str) -> None:
    first, second = queued(office, 2)
    run_id = office.call("issues.claim", {}, key=key)["runId"]

    again = office.call("issues.claim", {"resume": True}, key=key)
    more = office.call("issues.claim", {"resume": True, "holding": [run_id]}, key=key)

    assert (given(again), given(more)) == ((first, True), (second, False))


def test_a_session_that_another_has_taken_over_from_writes_nothing_more(office: Office, key: str) -> None:
    (issue_id,) = queued(office, 1)
    run_id = office.call("issues.claim", {}, key=key, session="a")["runId"]
    taken = office.call("issues.claim", {"issueId": issue_id}, key=key, session="b")
    before = len(office.log())

    writes: dict[str, Body] = {
        "comments.upsertStatus": {"issueId": issue_id, "body": "Still here."},
        "comments.create": {"issueId": issue_id, "body": "Still here."},
        "issues.update": {"id": issue_id, "title": "Another"},
        "issues.release": {"id": issue_id},
        "runs.setWaiting": {"runId": run_id},
        "runs.complete": {"runId": run_id, "summary": "Done."},
    }
    for tool, arguments in writes.items():
        assert said(office, tool, arguments, key=key, session="a") == "taken-over", tool

    assert (given(taken), taken["runId"]) == ((issue_id, True), run_id)
    assert len(office.log()) == before
    for session in ("b", None):
        how = {"session": session} if session else {}
        office.call("comments.upsertStatus", {"issueId": issue_id, "body": session or "-"}, key=key, **how)


def test_what_another_session_took_over_and_reported_nobody_else_adds_to(office: Office, key: str) -> None:
    (issue_id,) = queued(office, 1)
    run_id = office.call("issues.claim", {}, key=key, session="a")["runId"]
    office.call("issues.claim", {"issueId": issue_id}, key=key, session="b")
    office.call("runs.complete", {"runId": run_id, "summary": "Done."}, key=key, session="b")

    writes: dict[str, Body] = {
        "runs.recordUsage": {"runId": run_id, "turns": 3},
        "runs.resumeWork": {"runId": run_id},
        "runs.appendLog": {"runId": run_id, "seq": 0, "chunk": "Still here.\n"},
    }
    for tool, arguments in writes.items():
        assert said(office, tool, arguments, key=key, session="a") == "taken-over", tool

    for session in ("b", None):
        how = {"session": session} if session else {}
        office.call("runs.recordUsage", writes["runs.recordUsage"], key=key, **how)


def test_who_names_no_session_can_take_over_from_one_that_did(office: Office, key: str) -> None:
    (issue_id,) = queued(office, 1)
    office.call("issues.claim", {}, key=key, session="a")

    office.call("issues.claim", {"issueId": issue_id}, key=key)

    status = {"issueId": issue_id, "body": "Mine."}
    assert said(office, "comments.upsertStatus", status, key=key, session="a") == "taken-over"
    office.call("comments.upsertStatus", status, key=key)


def test_what_a_lost_runtime_had_is_given_to_another_session_of_the_agent(office: Office) -> None:
    (issue_id,) = queued(office, 1)
    runtime = office.call("runtimes.register", {"name": "Mac", "kind": "LOCAL_DAEMON"})
    key = office.an_agents_key(office.an_agent(runtimeId=runtime["id"])["id"])
    office.call("issues.claim", {}, key=key, session="a")
    while_alive = office.call("issues.claim", {}, key=key, session="b")
    office.world.clock.advance(seconds=runtimes.MISSED.total_seconds())

    taken = office.call("issues.claim", {}, key=key, session="b")

    assert (while_alive["reason"], given(taken)) == ("you-hold", (issue_id, True))
    status = {"issueId": issue_id, "body": "Back again."}
    assert said(office, "comments.upsertStatus", status, key=key, session="a") == "taken-over"


def test_what_waits_for_somebody_does_not_keep_its_session_from_other_work(office: Office, key: str) -> None:
    first, second = queued(office, 2)
    run_id = office.call("issues.claim", {}, key=key, session="a")["runId"]
    office.call("runs.setWaiting", {"runId": run_id, "reason": "Which one?"}, key=key, session="a")

    more = office.call("issues.claim", {}, key=key, session="a")

    assert given(more) == (second, False)
    assert [one["runId"] for one in more["youHold"]] == [run_id]
    assert head(office, first).claimant_id is not None


def test_a_blocked_issue_of_its_own_is_not_given_back_but_named(office: Office, key: str) -> None:
    (issue_id,) = queued(office, 1)
    office.call("issues.claim", {}, key=key, session="a")
    block(office, an_issue(office), issue_id)

    assert office.call("issues.claim", {}, key=key, session="a")["reason"] == "you-hold"
