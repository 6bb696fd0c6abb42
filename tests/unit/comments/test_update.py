"""A comment gets another text; the earlier ones are kept, and only new names are called."""

from forge.work.record.log.kinds import EventKind
from forge.work.record.log.rows import Wake
from tests.integration.races.crowds import at_once
from tests.workshop.comments import a_comment, comment_events, edit, revisions, stored, text_of
from tests.workshop.issues import an_issue, events, head, live_run, watchers
from tests.workshop.office import Office


def test_a_comment_is_shown_with_its_new_text(office: Office) -> None:
    issue_id = an_issue(office)
    person = office.a_colleague(name="Ada", handle="ada")
    order = {"issueId": issue_id, "body": "Good", "confidence": "LOW", "suggestedReplies": ["Yes"]}
    comment = office.call("comments.create", order, key=person.key)
    office.world.clock.advance(minutes=1)

    edited = edit(office, comment["id"], " Better ", key=person.key)

    now = edited["updatedAt"]
    del comment["actionRequestId"], comment["run"]
    earlier = edited.pop("revisions")
    assert edited == {**comment, "body": " Better ", "updatedAt": now, "editedAt": now}
    assert now > comment["createdAt"]
    assert office.rows("comments.list", {"issueId": issue_id}) == [edited]
    assert earlier == [{"body": "Good", "editedAt": comment["updatedAt"]}]


def test_edits_at_once_lose_no_text(office: Office) -> None:
    issue_id = an_issue(office)
    comment = a_comment(office, issue_id, "first")

    at_once(4, lambda place: edit(office, comment["id"], f"number {place}"))

    texts = {revision.body.text for revision in revisions(office, comment["id"])}
    texts |= {item.body.text for item in stored(office, issue_id)}
    assert texts == {"first", "number 0", "number 1", "number 2", "number 3"}


def test_the_same_text_again_changes_nothing(office: Office) -> None:
    issue_id = an_issue(office)
    for body in ("Good", "😀" * 30_000):
        comment = a_comment(office, issue_id, body)
        logged, issue = office.log(), head(office, issue_id)
        office.world.clock.advance(minutes=1)

        same = edit(office, comment["id"], body)

        del comment["actionRequestId"], comment["run"]
        assert same == {**comment, "revisions": []}
        assert revisions(office, comment["id"]) == []
        assert office.log() == logged
        assert head(office, issue_id) == issue


def test_long_texts_are_kept_whole_each_on_its_own(office: Office) -> None:
    issue_id, long, longer = an_issue(office), "漢" * 40_000, "😀" * 50_000
    comment = a_comment(office, issue_id, long)

    edited = edit(office, comment["id"], longer)

    (revision,) = revisions(office, comment["id"])
    assert edited["body"] == longer == office.rows("comments.list", {"issueId": issue_id})[0]["body"]
    assert text_of(office, revision.body) == long


def test_only_names_that_are_new_are_called(office: Office) -> None:
    issue_id = an_issue(office)
    old, new = office.an_agent("old")["id"], office.an_agent("new")["id"]
    person = office.a_colleague(handle="ada").id
    comment = a_comment(office, issue_id, "@old")

    edit(office, comment["id"], "@OLD, @new research: and @ada")

    event, run = comment_events(office)[-1], live_run(office, issue_id, new)
    assert event.payload["mentions"] == {
        "agentIds": [new],
        "userIds": [person],
        "agents": [{"id": new, "profileKey": "new"}],
    }
    assert event.wakes == [Wake(agent_id=new, run_id=run.id)]
    assert (run.engagement_mode, run.trigger_kind) == ("RESEARCH", "COMMENT_UPDATED")
    assert watchers(office, issue_id) == {office.owner_id, old, new, person}
    assert len(events(office, EventKind.AGENT_RUN_STARTED)) == 2
