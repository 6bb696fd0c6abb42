"""A comment is posted on an issue and shown as stored."""

import pytest

from forge.work.content.comments.comments import CommentReferenceItem
from forge.work.issues.identifiers import ReferenceItem
from forge.work.record.log.kinds import EventKind
from tests.workshop.comments import a_comment, an_agents_key, stored
from tests.workshop.issues import an_issue, events, head, live_run, table, watchers
from tests.workshop.office import Office


def test_a_comment_is_listed_as_it_was_answered_and_only_its_replies_are_trimmed(office: Office) -> None:
    issue_id, text = an_issue(office), " It *works* on my machine.\n"
    order = {"issueId": issue_id, "body": text, "suggestedReplies": [" Yes ", "No"], "confidence": "LOW"}

    comment = office.call("comments.create", order)

    assert (comment["body"], comment["suggestedReplies"]) == (text, ["Yes", "No"])
    del comment["actionRequestId"], comment["run"]
    assert office.rows("comments.list", {"issueId": issue_id}) == [comment]


def test_what_is_not_given_is_not_shown(office: Office) -> None:
    comment = a_comment(office, an_issue(office))

    assert {"suggestedReplies", "confidence", "editedAt", "runId", "currentStep"}.isdisjoint(comment)


def test_a_comment_can_be_found_by_its_id_alone(office: Office) -> None:
    issue_id = an_issue(office)

    comment = a_comment(office, issue_id)

    key = ReferenceItem.at(office.workspace.id, comment["id"])
    place = table(office).find(CommentReferenceItem, key)
    assert place is not None
    assert (place.issue_id, place.sort) == (issue_id, stored(office, issue_id)[0].key.sort)


def test_a_comment_is_news_of_its_issue(office: Office) -> None:
    issue_id, other_id = an_issue(office), an_issue(office)
    office.world.clock.advance(minutes=2)

    a_comment(office, issue_id)

    assert head(office, issue_id).updated_at == office.world.clock()
    rows = office.rows("issues.list", {"orderBy": "updatedAt"})
    assert [row["id"] for row in rows] == [issue_id, other_id]


def test_who_comments_does_not_watch_for_that(office: Office) -> None:
    issue_id = an_issue(office)
    person, agent = office.a_colleague(), office.an_agent()

    a_comment(office, issue_id, key=person.key)
    a_comment(office, issue_id, key=an_agents_key(office, agent["id"]))

    assert watchers(office, issue_id) == {office.owner_id}


def test_an_agents_comment_begins_its_run_with_output(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent()

    a_comment(office, issue_id, key=an_agents_key(office, agent["id"]))

    run = live_run(office, issue_id, agent["id"])
    assert (run.status, run.engagement_mode, run.engagement_source) == ("ACTIVE", "EXECUTE", "AGENT_REQUEST")
    assert run.output_started_at == run.started_at == office.world.clock()
    assert head(office, issue_id).current_run_id == run.id
    (started,) = events(office, EventKind.AGENT_RUN_STARTED)
    assert started.payload["runId"] == run.id


@pytest.mark.parametrize("character", ["😀", "漢", "\\", "\u0000", "a"])
def test_every_text_comes_back_whole(office: Office, character: str) -> None:
    issue_id, body = an_issue(office), character * 50_000

    comment = a_comment(office, issue_id, body)

    (listed,) = office.rows("comments.list", {"issueId": issue_id})
    assert comment["body"] == listed["body"] == body
    (item,) = stored(office, issue_id)
    assert bool(item.body.blob) is (len(body.encode()) > 100_000)


def test_the_same_words_twice_are_two_comments(office: Office) -> None:
    issue_id = an_issue(office)

    assert a_comment(office, issue_id)["id"] != a_comment(office, issue_id)["id"]
    assert len(stored(office, issue_id)) == 2
