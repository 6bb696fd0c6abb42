"""issues.transition: runs that begin, are heard of and end with it, and whom it wakes."""

from forge.work.issues.issues import MAX_LIVE_RUNS
from forge.work.record.log.events import EventKind
from tests.workshop.issues import (
    an_agents_key,
    an_issue,
    assign,
    events,
    guards,
    has_no_live_run,
    head,
    live_run,
    move,
    now,
    run,
    run_events,
    status_id,
)
from tests.workshop.office import Office


def mentioned(office: Office, issue_id: str, number: int) -> list[str]:
    """So many agents that have a live run because somebody named them."""
    agents = [office.an_agent(f"agent-{place}") for place in range(number)]
    for agent in agents:
        office.call("comments.create", {"issueId": issue_id, "body": f"@{agent['profileKey']} look"})
    return [str(agent["id"]) for agent in agents]


def test_an_agent_that_moves_an_issue_is_at_work_on_it(office: Office) -> None:
    issue_id, agent_id = an_issue(office), office.an_agent()["id"]

    move(office, issue_id, "IN_PROGRESS", key=an_agents_key(office, agent_id))

    begun = live_run(office, issue_id, agent_id)
    assert (begun.status, begun.engagement_mode, begun.engagement_source) == (
        "ACTIVE",
        "EXECUTE",
        "AGENT_REQUEST",
    )
    assert begun.current_step == "→ In Progress"
    assert begun.output_started_at == begun.last_event_at == now(office)
    (started,) = events(office, EventKind.AGENT_RUN_STARTED)
    assert started.payload == {
        "runId": begun.id,
        "issueId": issue_id,
        "agentId": agent_id,
        "assignmentEventId": None,
    }
    assert "TRANSITION" not in [kind for kind, _ in run_events(office, begun.id)]


def test_a_run_that_is_live_already_is_heard_of(office: Office) -> None:
    issue_id, agent_id = an_issue(office), office.an_agent()["id"]
    assign(office, issue_id, agent_id)
    given = live_run(office, issue_id, agent_id)
    office.world.clock.advance(minutes=3)

    move(office, issue_id, "IN_REVIEW", key=an_agents_key(office, agent_id))

    touched = live_run(office, issue_id, agent_id)
    assert touched.id == given.id
    assert touched.current_step == "→ In Review"
    assert touched.last_event_at == touched.output_started_at == now(office)
    seen = {"statusId": status_id(office, "IN_REVIEW"), "category": "IN_REVIEW"}
    assert run_events(office, given.id)[-1] == ("TRANSITION", seen)
    assert len(events(office, EventKind.AGENT_RUN_STARTED)) == 1


def test_what_is_done_completes_runs_that_have_begun_and_abandons_the_others(office: Office) -> None:
    issue_id = an_issue(office)
    begun_by, never_begun_by = office.an_agent("begun")["id"], office.an_agent("idle")["id"]
    move(office, issue_id, "TODO", key=an_agents_key(office, begun_by))
    assign(office, issue_id, never_begun_by)
    begun = live_run(office, issue_id, begun_by)
    never_begun = live_run(office, issue_id, never_begun_by)
    office.world.clock.advance(minutes=5)

    move(office, issue_id, "DONE")

    completed, abandoned = run(office, begun.id), run(office, never_begun.id)
    assert (completed.status, completed.finished_at) == ("COMPLETED", now(office))
    assert completed.completed_at == now(office)
    assert (abandoned.status, abandoned.finished_at) == ("ABANDONED", now(office))
    assert abandoned.completed_at is None
    assert has_no_live_run(office, issue_id, begun_by)
    assert has_no_live_run(office, issue_id, never_begun_by)


def test_the_end_of_each_run_is_told(office: Office) -> None:
    issue_id, agent_id = an_issue(office), office.an_agent()["id"]
    move(office, issue_id, "TODO", key=an_agents_key(office, agent_id))
    begun = live_run(office, issue_id, agent_id)

    move(office, issue_id, "DONE")

    (ended,) = events(office, EventKind.AGENT_RUN_COMPLETED)
    assert (ended.subject_type, ended.subject_id, ended.issue_id) == ("agent-run", begun.id, issue_id)
    assert ended.payload.pop("summary")
    assert ended.payload == {
        "runId": begun.id,
        "issueId": issue_id,
        "agentId": agent_id,
        "finalStatus": "COMPLETED",
    }


def test_as_many_runs_as_there_can_be_end_together(office: Office) -> None:
    issue_id = an_issue(office)
    agents = mentioned(office, issue_id, MAX_LIVE_RUNS)

    move(office, issue_id, "CANCELED")

    assert head(office, issue_id).live_runs == []
    assert [guards(office, agent_id, issue_id) for agent_id in agents] == [[]] * MAX_LIVE_RUNS
    assert len(events(office, EventKind.AGENT_RUN_COMPLETED)) == MAX_LIVE_RUNS
