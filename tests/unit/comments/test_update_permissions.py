"""A comment is changed by its author or an admin, and only where they may look."""

from tests.workshop.comments import a_comment, an_agents_key, edit, stored
from tests.workshop.issues import an_issue
from tests.workshop.office import Office


def refused_edit(office: Office, comment_id: str, **how: str) -> tuple[int, str, set[str]]:
    return office.refused("comments.update", {"id": comment_id, "body": "Better"}, **how)


def test_an_agent_edits_its_own_comment(office: Office) -> None:
    key = an_agents_key(office, office.an_agent()["id"])
    comment = a_comment(office, an_issue(office), key=key)

    assert edit(office, comment["id"], key=key)["body"] == "Better"


def test_an_agent_edits_its_own_status(office: Office) -> None:
    issue_id, key = an_issue(office), an_agents_key(office, office.an_agent()["id"])
    status = office.call("comments.upsertStatus", {"issueId": issue_id, "body": "Going"}, key=key)

    edited = edit(office, status["id"], "Gone", key=key)

    assert (edited["kind"], edited["body"], edited["runId"]) == ("STATUS", "Gone", status["runId"])


def test_nobody_edits_what_another_wrote(office: Office) -> None:
    issue_id = an_issue(office)
    ada, bob = office.a_colleague(), office.a_colleague()
    agent, other = office.an_agent("worker")["id"], office.an_agent("other")["id"]
    by_person = a_comment(office, issue_id, key=ada.key)["id"]
    by_agent = a_comment(office, issue_id, key=an_agents_key(office, agent))["id"]

    for comment_id, key in (
        (by_person, bob.key),
        (by_person, an_agents_key(office, agent)),
        (by_agent, an_agents_key(office, other)),
        (by_agent, ada.key),
    ):
        assert refused_edit(office, comment_id, key=key) == (403, "forbidden", set())
    assert {comment.revisions for comment in stored(office, issue_id)} == {0}


def test_an_admin_edits_what_another_wrote(office: Office) -> None:
    ada = office.a_colleague(name="Ada", handle="ada")
    admin = office.a_colleague("ADMIN")
    key = office.a_key(userId=admin.id, scopes=["WRITE_COMMENTS"])["rawKey"]
    comment = a_comment(office, an_issue(office), key=ada.key)

    edited = edit(office, comment["id"], key=key)

    assert edited["author"] == {"id": ada.id, "name": "Ada", "handle": "ada"}


def test_what_is_no_comment_is_not_found(office: Office) -> None:
    issue_id = an_issue(office)
    number = str(office.call("issues.get", {"id": issue_id})["number"])
    agent = office.an_agent()["id"]
    order = {"issueId": issue_id, "body": "Going"}
    office.call("comments.upsertStatus", order, key=an_agents_key(office, agent))

    for comment_id in ("cmt_unknown", issue_id, number, f"{issue_id}#{agent}", "REF"):
        assert refused_edit(office, comment_id) == (404, "not_found", set())


def test_a_deleted_comment_is_not_found(office: Office) -> None:
    comment = a_comment(office, an_issue(office))
    office.call("comments.delete", {"id": comment["id"]})

    assert refused_edit(office, comment["id"]) == (404, "not_found", set())
