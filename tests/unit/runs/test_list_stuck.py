"""Runs that get on only if a person does something are listed for people, until somebody did."""

from typing import Any

from tests.workshop.bundles import an_agent, assign
from tests.workshop.issues import an_issue
from tests.workshop.office import Body, Office


def stuck(office: Office, **more: Any) -> list[Body]:
    return office.rows("runs.list", {"needsPerson": True, **more})


def test_a_blocking_wait_is_listed_until_it_is_answered(office: Office) -> None:
    agent_id, key = an_agent(office)
    issue_id = an_issue(office)
    run_id = assign(office, issue_id, agent_id, "EXECUTE")
    profile = office.call("agents.me", key=key)["profileKey"]
    waits = {"runId": run_id, "reason": "Which schema?"}

    office.call("runs.setWaiting", waits, key=key)
    unblocked = stuck(office)
    office.call("runs.setWaiting", {**waits, "blocking": True}, key=key)
    (row,) = stuck(office)
    office.call("comments.create", {"issueId": issue_id, "body": f"@{profile} the second."})

    assert unblocked == []
    assert (row["id"], row["status"], row["blocking"]) == (run_id, "WAITING", True)
    assert (row["currentStep"], row["agent"]["id"]) == ("Which schema?", agent_id)
    assert stuck(office) == []
    assert office.rows("runs.list", {"id": run_id})[0]["status"] == "ACTIVE"


def test_an_assignment_and_the_agent_itself_end_a_blocking_wait_too(office: Office) -> None:
    for ending in ("assignment", "agent"):
        agent_id, key = an_agent(office)
        issue_id = an_issue(office)
        run_id = assign(office, issue_id, agent_id, "EXECUTE")
        office.call("runs.setWaiting", {"runId": run_id, "blocking": True}, key=key)
        assert [one["id"] for one in stuck(office)] == [run_id]

        if ending == "assignment":
            office.call("issues.assign", {"issueId": issue_id, "agentId": None})
        else:
            office.call("runs.resumeWork", {"runId": run_id}, key=key)

        assert stuck(office) == []


def test_a_stalled_run_is_listed_until_somebody_takes_its_work_over(office: Office) -> None:
    agent_id, key = an_agent(office)
    issue_id = an_issue(office)
    run_id = assign(office, issue_id, agent_id, "EXECUTE")
    office.world.clock.advance(minutes=31)
    office.sweep()

    (row,) = stuck(office)
    office.call("comments.upsertStatus", {"issueId": issue_id, "body": "I am back."}, key=key)

    assert (row["id"], row["status"]) == (run_id, "STALLED")
    assert stuck(office) == []


def test_it_goes_with_other_filters(office: Office) -> None:
    agent_id, key = an_agent(office)
    other, _ = an_agent(office)
    issue_id = an_issue(office)
    run_id = assign(office, issue_id, agent_id, "EXECUTE")
    office.call("runs.setWaiting", {"runId": run_id, "blocking": True}, key=key)

    assert [one["id"] for one in stuck(office, issueId=issue_id, agentId=agent_id)] == [run_id]
    assert stuck(office, agentId=other) == []
    assert stuck(office, issueId=an_issue(office)) == []
    assert stuck(office, status="STALLED") == []
    assert office.rows("runs.list", {"id": "run_none"}) == []
