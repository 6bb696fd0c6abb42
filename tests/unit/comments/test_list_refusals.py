"""Comments are listed for those who may see the issue, and for nobody else."""

from tests.workshop.comments import a_comment
from tests.workshop.issues import an_issue, delete
from tests.workshop.office import Office


def test_the_comments_of_a_deleted_issue_are_not_found(office: Office) -> None:
    issue_id = an_issue(office)
    a_comment(office, issue_id)
    delete(office, issue_id)

    assert office.refused("comments.list", {"issueId": issue_id}) == (404, "not_found", set())


def test_a_narrowed_key_lists_only_where_it_may_look(office: Office) -> None:
    label_id = office.a_label()["id"]
    inside, outside = an_issue(office, labelIds=[label_id]), an_issue(office)
    key = office.a_narrowed_key(label_ids=[label_id])

    assert office.refused("comments.list", {"issueId": outside}, key=key) == (403, "forbidden", set())
    assert office.rows("comments.list", {"issueId": inside}, key=key) == []
