"""There is one status comment for each run, whoever writes it at the same moment."""

from datetime import datetime

from forge.store.keys import SharedKey
from forge.work.issues.issues import MAX_LIVE_RUNS
from forge.work.issues.runs.runs import NO_PLACE, LiveRunItem, RunItem, RunStatus
from forge.work.record.log.kinds import EventKind
from tests.integration.races.crowds import at_once
from tests.workshop.comments import a_comment, an_agents_key, revisions, say, stored
from tests.workshop.issues import an_issue, events, head, live_run
from tests.workshop.office import Office


def end_run(office: Office, issue_id: str, agent_id: str) -> RunItem:
    """As when it is completed."""
    run, issue = live_run(office, issue_id, agent_id), head(office, issue_id)
    tx = office.begin()
    tx.replace(run.changed(status=RunStatus.COMPLETED))
    tx.forget(SharedKey(*LiveRunItem.at(office.workspace.id, agent_id, issue_id, NO_PLACE)))
    tx.replace(issue.changed(live_runs=[], current_run_id=None))
    office.commit(tx)
    return run


def test_a_status_goes_into_the_run_that_woke_the_agent(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent("worker")
    a_comment(office, issue_id, "@worker research: why?")
    run = live_run(office, issue_id, agent["id"])
    office.world.clock.advance(minutes=1)

    status = say(office, issue_id, key=an_agents_key(office, agent["id"]))

    assert status["runId"] == run.id
    assert datetime.fromisoformat(status["createdAt"]) == office.world.clock()
    assert live_run(office, issue_id, agent["id"]).engagement_mode == "RESEARCH"


def test_a_waiting_run_goes_on(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent()
    key = an_agents_key(office, agent["id"])
    say(office, issue_id, key=key)
    tx = office.begin()
    tx.replace(live_run(office, issue_id, agent["id"]).changed(status=RunStatus.WAITING))
    office.commit(tx)

    say(office, issue_id, "Going on", key=key)

    assert live_run(office, issue_id, agent["id"]).status == "ACTIVE"


def test_the_next_run_has_a_status_of_its_own(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent()
    key = an_agents_key(office, agent["id"])
    first = say(office, issue_id, "First run", key=key)
    end_run(office, issue_id, agent["id"])
    office.world.clock.advance(minutes=1)

    second = say(office, issue_id, "Second run", key=key)
    third = say(office, issue_id, "Second run goes on", key=key)

    assert first["id"] != second["id"] == third["id"]
    rows = office.rows("comments.list", {"issueId": issue_id})
    assert [row["body"] for row in rows] == ["Second run goes on", "First run"]
    assert revisions(office, first["id"]) == []


def test_each_agent_has_a_status_of_its_own(office: Office) -> None:
    issue_id = an_issue(office)
    keys = [an_agents_key(office, office.an_agent(name)["id"]) for name in ("one", "two")]

    for body in ("Going", "Gone"):
        for key in keys:
            say(office, issue_id, body, key=key)

    assert [comment.body.text for comment in stored(office, issue_id)] == ["Gone", "Gone"]


def test_two_first_ones_at_once_are_one_comment(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent()
    key = an_agents_key(office, agent["id"])

    said = at_once(4, lambda place: say(office, issue_id, f"number {place}", key=key))

    (comment,) = stored(office, issue_id)
    texts = [comment.body.text, *(revision.body.text for revision in revisions(office, comment.id))]
    assert {status["id"] for status in said} == {comment.id}
    assert sorted(texts) == [f"number {place}" for place in range(4)]
    assert len(events(office, EventKind.COMMENT_CREATED)) == 1


def test_two_first_ones_at_once_in_a_run_that_is_there_are_one_comment(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent()
    key = an_agents_key(office, agent["id"])
    a_comment(office, issue_id, key=key)

    at_once(4, lambda place: say(office, issue_id, f"number {place}", key=key))

    (status,) = [comment for comment in stored(office, issue_id) if comment.kind == "STATUS"]
    assert len(revisions(office, status.id)) == status.revisions == 3


def test_an_issue_that_is_full_of_runs_takes_no_further_one(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent("late")
    for number in range(MAX_LIVE_RUNS):
        office.an_agent(f"agent{number}")
    a_comment(office, issue_id, " ".join(f"@agent{number}" for number in range(MAX_LIVE_RUNS)))

    order = {"issueId": issue_id, "body": "Going"}
    refused = office.refused("comments.upsertStatus", order, key=an_agents_key(office, agent["id"]))

    assert refused == (422, "precondition_failed", set())
