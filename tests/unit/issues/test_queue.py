"""issues.queue: an issue waits for somebody to take it, and whoever has it is told."""

from forge.work.record.log.events import EventKind, Wake
from tests.unit.issues.board import (
    an_agents_key,
    an_issue,
    assign,
    block,
    head,
    last,
    listed,
    live_run,
    move,
    queue,
)
from tests.unit.office import Body, Office


def put_in(office: Office, issue_id: str, **how: str) -> Body:
    return office.call("issues.queue", {"id": issue_id}, **how)


def test_an_issue_waits_in_the_queue(office: Office) -> None:
    issue_id, other = an_issue(office), an_issue(office)

    answer = put_in(office, issue_id)

    assert (answer["id"], answer["queued"]) == (issue_id, True)
    assert queue(office) == [issue_id]
    assert listed(office, {"queued": True}) == {issue_id}
    assert listed(office, {"queued": False}) == {other}


def test_one_that_is_there_stays_and_nothing_is_told(office: Office) -> None:
    issue_id = an_issue(office)
    put_in(office, issue_id)
    before, rows = head(office, issue_id), len(office.log())
    office.world.clock.advance(minutes=1)

    put_in(office, issue_id)

    assert (head(office, issue_id), len(office.log())) == (before, rows)


def test_a_closed_issue_is_not_queued(office: Office) -> None:
    issue_id = an_issue(office)
    move(office, issue_id, "DONE")

    assert office.refused("issues.queue", {"id": issue_id})[:2] == (409, "conflict")
    assert not head(office, issue_id).queued


def test_a_blocked_issue_is_queued_but_not_offered(office: Office) -> None:
    blocker, blocked = an_issue(office), an_issue(office)
    block(office, blocker, blocked)

    put_in(office, blocked)

    assert (listed(office, {"queued": True}), queue(office)) == ({blocked}, [])


def test_the_agent_that_has_it_is_woken_as_it_was_assigned(office: Office) -> None:
    issue_id, agent_id = an_issue(office), office.an_agent()["id"]
    assign(office, issue_id, agent_id, "DISCUSS")
    done = {"runId": live_run(office, issue_id, agent_id).id, "summary": "Said it."}
    office.call("runs.complete", done, key=an_agents_key(office, agent_id))

    put_in(office, issue_id)

    event, begun = last(office, EventKind.ISSUE_QUEUED), live_run(office, issue_id, agent_id)
    assert event.payload["assignedAgentId"] == agent_id
    assert event.wakes == [Wake(agent_id=agent_id, run_id=begun.id)]
    assert (begun.trigger_kind, begun.engagement_mode) == ("ISSUE_QUEUED", "DISCUSS")
