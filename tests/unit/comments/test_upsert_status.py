"""A run has one status comment, which says how the work goes now; what it said before is kept."""

from datetime import datetime

from forge.work.content.comments.comments import CommentItem, status_comment_key
from forge.work.record.log.kinds import EventKind
from tests.workshop.comments import an_agents_key, comment_events, revisions, say, stored
from tests.workshop.issues import an_issue, events, head, live_run, table
from tests.workshop.office import Office


def test_the_first_status_begins_a_run_and_is_its_comment(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent("worker")

    status = say(office, issue_id, " Going\n", key=an_agents_key(office, agent["id"]), currentStep=" test ")

    run = live_run(office, issue_id, agent["id"])
    assert (status["body"], status["runId"], status["currentStep"]) == (" Going\n", run.id, "test")
    assert (run.current_step, run.output_started_at) == ("test", office.world.clock())
    place = status_comment_key(head(office, issue_id), run.as_live)
    assert table(office).find(CommentItem, place) == stored(office, issue_id)[0]
    assert office.rows("comments.list", {"issueId": issue_id, "include": ["revisions"]}) == [status]


def test_a_later_status_replaces_the_one_before(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent()
    key = an_agents_key(office, agent["id"])
    first = say(office, issue_id, "Going", key=key, currentStep="test")
    office.world.clock.advance(minutes=1)

    second = say(office, issue_id, "Still going", key=key, currentStep="fix")

    assert second == {
        **first,
        "body": "Still going",
        "currentStep": "fix",
        "createdAt": second["updatedAt"],
        "updatedAt": second["updatedAt"],
        "revisions": [{"body": "Going", "currentStep": "test", "editedAt": first["updatedAt"]}],
    }
    assert datetime.fromisoformat(second["updatedAt"]) == office.world.clock()
    assert office.rows("comments.list", {"issueId": issue_id, "include": ["revisions"]}) == [second]
    (revision,) = revisions(office, first["id"])
    assert (revision.body.text, revision.current_step) == ("Going", "test")
    assert revision.written_at == datetime.fromisoformat(first["updatedAt"])
    assert [event.kind for event in comment_events(office)] == ["COMMENT_CREATED", "COMMENT_UPDATED"]
    assert comment_events(office)[-1].payload["currentStep"] == "fix"


def test_a_later_status_is_a_sign_of_life(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent()
    key = an_agents_key(office, agent["id"])
    say(office, issue_id, key=key)
    office.world.clock.advance(minutes=1)

    say(office, issue_id, "Still going", key=key, currentStep="fix")

    run = live_run(office, issue_id, agent["id"])
    assert (run.last_event_at, run.current_step) == (office.world.clock(), "fix")
    assert len(events(office, EventKind.AGENT_RUN_STARTED)) == 1


def test_a_step_that_is_left_out_stays(office: Office) -> None:
    issue_id, key = an_issue(office), an_agents_key(office, office.an_agent()["id"])
    say(office, issue_id, key=key, currentStep="test")

    for step in ({}, {"currentStep": None}, {"currentStep": " "}):
        assert say(office, issue_id, f"Going {step}", key=key, **step)["currentStep"] == "test"


def test_the_same_status_again_is_only_a_sign_of_life(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent()
    key = an_agents_key(office, agent["id"])
    for body in ("Going", "😀" * 50_000):
        first = say(office, issue_id, body, key=key, currentStep="test")
        logged, issue, kept = office.log(), head(office, issue_id), revisions(office, first["id"])
        office.world.clock.advance(minutes=2)

        assert say(office, issue_id, body, key=key, currentStep="test") == first
        assert say(office, issue_id, body, key=key) == first

        assert live_run(office, issue_id, agent["id"]).last_event_at == office.world.clock()
        assert revisions(office, first["id"]) == kept
        assert office.log() == logged
        assert head(office, issue_id) == issue


def test_a_deleted_status_comes_back_with_the_next_one(office: Office) -> None:
    issue_id, key = an_issue(office), an_agents_key(office, office.an_agent()["id"])
    status = say(office, issue_id, key=key)
    office.call("comments.delete", {"id": status["id"]}, key=key)

    again = say(office, issue_id, key=key)

    assert again["id"] == status["id"]
    assert [row["id"] for row in office.rows("comments.list", {"issueId": issue_id})] == [status["id"]]
    assert len(comment_events(office)) == 3
