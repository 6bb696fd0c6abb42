"""issues.assign: the mode of the run it opens, whom it wakes, and the runs that it ends."""

from forge.work.record.log.kinds import EventKind
from forge.work.record.log.rows import Wake
from tests.workshop.issues import an_issue, assign, has_no_live_run, last, live_run
from tests.workshop.office import Office


def test_a_fresh_assignment_changes_the_mode_of_a_run_that_is_live(office: Office) -> None:
    issue_id, agent_id = an_issue(office), office.an_agent("worker")["id"]
    office.call("comments.create", {"issueId": issue_id, "body": "@worker look"})
    discussing = live_run(office, issue_id, agent_id)
    assert discussing.engagement_mode == "DISCUSS"

    assign(office, issue_id, agent_id, "EXECUTE")

    stamped = live_run(office, issue_id, agent_id)
    event = last(office, EventKind.AGENT_ASSIGNED)
    assert (stamped.id, stamped.engagement_mode) == (discussing.id, "EXECUTE")
    assert stamped.engagement_source == "EXPLICIT"
    assert stamped.assignment_event_id == event.id
    assert event.wakes == [Wake(agent_id=agent_id, run_id=discussing.id)]


def test_whoever_has_an_archived_agents_issue_ends_its_run(office: Office) -> None:
    issue_id = an_issue(office)
    first, second = office.an_agent("first")["id"], office.an_agent("second")["id"]
    assign(office, issue_id, first)
    office.call("agents.archive", {"id": first})

    assign(office, issue_id, second)

    assert has_no_live_run(office, issue_id, first)
    assert live_run(office, issue_id, second).status == "ACTIVE"
