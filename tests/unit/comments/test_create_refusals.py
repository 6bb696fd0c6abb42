"""A comment that can not be posted is refused with its reason, and nothing is stored."""

from tests.workshop.comments import a_comment, stored
from tests.workshop.issues import an_issue, delete
from tests.workshop.office import Office


def test_a_deleted_issue_is_not_found(office: Office) -> None:
    issue_id = an_issue(office)
    delete(office, issue_id)

    refused = office.refused("comments.create", {"issueId": issue_id, "body": "Hello"})

    assert refused == (404, "not_found", set())


def test_a_narrowed_key_comments_only_where_it_may_look(office: Office) -> None:
    project_id = office.call("projects.create", {"key": "SITE", "name": "Website"})["id"]
    inside, outside = an_issue(office, projectId=project_id), an_issue(office)
    key = office.a_narrowed_key(project_ids=[project_id])

    refused = office.refused("comments.create", {"issueId": outside, "body": "Hello"}, key=key)

    assert refused == (403, "forbidden", set())
    assert stored(office, outside) == []
    assert a_comment(office, inside, key=key)["issueId"] == inside
