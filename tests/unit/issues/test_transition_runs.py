"""issues.transition: runs that begin, are heard of and end with it, and whom it wakes."""

from forge.work.issues.issues import MAX_LIVE_RUNS
from forge.work.record.log.kinds import EventKind
from tests.workshop.issues import (
    an_agents_key,
    an_issue,
    assign,
    events,
    head,
    live_run,
    live_runs,
    move,
    now,
)
from tests.workshop.office import Office


def mentioned(office: Office, issue_id: str, number: int) -> list[str]:
    """So many agents that have a live run because somebody named them."""
    agents = [office.an_agent(f"agent-{place}") for place in range(number)]
    for agent in agents:
        office.call("comments.create", {"issueId": issue_id, "body": f"@{agent['profileKey']} look"})
    return [str(agent["id"]) for agent in agents]


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
    assert len(events(office, EventKind.AGENT_RUN_STARTED)) == 1


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
    assert [live_runs(office, agent_id, issue_id) for agent_id in agents] == [[]] * MAX_LIVE_RUNS
    assert len(events(office, EventKind.AGENT_RUN_COMPLETED)) == MAX_LIVE_RUNS
