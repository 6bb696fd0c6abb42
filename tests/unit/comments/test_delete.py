"""A deleted comment is shown nowhere, but kept."""

from datetime import datetime

from tests.workshop.comments import a_comment, stored
from tests.workshop.issues import an_issue, head
from tests.workshop.office import Office


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
    office.world.clock.advance(minutes=2)

    office.call("comments.delete", {"id": comment["id"]})

    (kept,) = stored(office, issue_id)
    assert (kept.body.text, kept.deleted_at) == ("Hello", office.world.clock())
    assert head(office, issue_id).updated_at == office.world.clock()


def test_a_long_comment_is_shown_whole_when_it_goes(office: Office) -> None:
    comment = a_comment(office, an_issue(office), "😀" * 50_000)

    assert office.call("comments.delete", {"id": comment["id"]})["body"] == "😀" * 50_000
