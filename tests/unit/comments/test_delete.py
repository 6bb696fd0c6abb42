"""A deleted comment is shown nowhere, but kept."""

from datetime import datetime

from tests.workshop.comments import a_comment, an_agents_key, comment_events, stored
from tests.workshop.issues import an_issue, head
from tests.workshop.office import Office, Refused


def refused_delete(office: Office, comment_id: str, **how: str) -> Refused:
    return office.refused("comments.delete", {"id": comment_id}, **how)


def test_a_deleted_comment_is_shown_once_more(office: Office) -> None:
    issue_id, person = an_issue(office), office.a_colleague(name="Ada", handle="ada")
    other = a_comment(office, issue_id, "Stays")
    comment = a_comment(office, issue_id, "Goes", key=person.key)

    deleted = office.call("comments.delete", {"id": comment["id"]}, key=person.key)

    del comment["actionRequestId"], comment["run"]
    assert deleted == {**comment, "deleted": True, "deletedAt": deleted["deletedAt"]}
    assert datetime.fromisoformat(deleted["deletedAt"]) == office.world.clock()
    assert [row["id"] for row in office.rows("comments.list", {"issueId": issue_id})] == [other["id"]]
    shown = office.call("issues.get", {"id": issue_id, "include": {"comments": True}})["comments"]
    assert [row["id"] for row in shown] == [other["id"]]


def test_a_deleted_comment_is_kept(office: Office) -> None:
    issue_id = an_issue(office)
    comment = a_comment(office, issue_id)
    office.world.clock.advance(minutes=1)

    office.call("comments.delete", {"id": comment["id"]})

    (kept,) = stored(office, issue_id)
    assert (kept.body.text, kept.deleted_at) == ("Hello", office.world.clock())
    assert head(office, issue_id).updated_at == office.world.clock()


def test_a_deletion_announces_itself_and_wakes_nobody(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent("worker")
    comment = a_comment(office, issue_id, "@worker")
    office.call("issues.assign", {"issueId": issue_id, "agentId": agent["id"]})

    office.call("comments.delete", {"id": comment["id"]})

    event = comment_events(office)[-1]
    assert (event.kind, event.subject_type, event.subject_id) == ("COMMENT_UPDATED", "issue", issue_id)
    assert event.payload == {"commentId": comment["id"], "issueId": issue_id, "deleted": True}
    assert event.wakes == []


def test_what_was_deleted_is_not_found_again(office: Office) -> None:
    comment = a_comment(office, an_issue(office))
    office.call("comments.delete", {"id": comment["id"]})

    assert refused_delete(office, comment["id"]) == (404, "not_found", set())
    assert len(comment_events(office)) == 2


def test_nobody_deletes_what_another_wrote(office: Office) -> None:
    issue_id = an_issue(office)
    ada, bob, agent = office.a_colleague(), office.a_colleague(), office.an_agent()
    comment = a_comment(office, issue_id, key=ada.key)

    for key in (bob.key, an_agents_key(office, agent["id"])):
        assert refused_delete(office, comment["id"], key=key) == (403, "forbidden", set())
    assert stored(office, issue_id)[0].deleted_at is None


def test_an_admin_deletes_what_an_agent_wrote(office: Office) -> None:
    agent = office.an_agent("worker")
    comment = a_comment(office, an_issue(office), key=an_agents_key(office, agent["id"]))

    deleted = office.call("comments.delete", {"id": comment["id"]})

    assert deleted["authoringAgent"]["profileKey"] == "worker"


def test_a_long_comment_is_shown_whole_when_it_goes(office: Office) -> None:
    comment = a_comment(office, an_issue(office), "😀" * 50_000)

    assert office.call("comments.delete", {"id": comment["id"]})["body"] == "😀" * 50_000
