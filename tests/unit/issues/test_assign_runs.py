"""issues.assign: the mode of the run it opens, whom it wakes, and the runs that it ends."""

from forge.work.record.log.events import EventKind, Wake
from tests.workshop.issues import an_issue, assign, events, has_no_live_run, head, last, live_run, now, run
from tests.workshop.office import Office


def test_the_agent_is_woken_with_a_run_that_waits_for_it(office: Office) -> None:
    issue_id, agent_id = an_issue(office), office.an_agent()["id"]

    assign(office, issue_id, agent_id)

    (event,), (started,) = (
        events(office, kind) for kind in (EventKind.AGENT_ASSIGNED, EventKind.AGENT_RUN_STARTED)
    )
    given = live_run(office, issue_id, agent_id)
    assert event.wakes == [Wake(agent_id=agent_id, run_id=given.id)]
    assert (given.trigger_event_id, given.trigger_kind) == (event.id, "AGENT_ASSIGNED")
    assert given.assignment_event_id == event.id == started.payload["assignmentEventId"]
    assert (given.status, given.output_started_at, given.acknowledged_at) == ("ACTIVE", None, None)
    assert head(office, issue_id).current_run_id == given.id


def test_the_run_of_the_agent_that_had_it_is_abandoned(office: Office) -> None:
    issue_id = an_issue(office)
    first, second = office.an_agent("first")["id"], office.an_agent("second")["id"]
    assign(office, issue_id, first)
    former = live_run(office, issue_id, first)

    assign(office, issue_id, second)

    ended = run(office, former.id)
    assert (ended.status, ended.finished_at) == ("ABANDONED", now(office))
    assert has_no_live_run(office, issue_id, first)
    (told,) = events(office, EventKind.AGENT_RUN_COMPLETED)
    assert (told.payload["runId"], told.payload["finalStatus"]) == (former.id, "ABANDONED")
    assert told.payload["summary"]
    assert head(office, issue_id).current_run_id == live_run(office, issue_id, second).id


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
