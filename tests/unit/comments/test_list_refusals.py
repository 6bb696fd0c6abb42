"""Comments are listed for those who may see the issue, and for nobody else."""

from typing import Any

import pytest

from tests.unit.comments.threads import (
    a_comment,
    an_issue,
    delete_issue,
)
from tests.unit.office import Office


def test_an_unknown_field_is_refused(office: Office) -> None:
    order = {"issueId": an_issue(office), "fields": ["text"]}

    assert office.refused("comments.list", order) == (400, "invalid_input", {"fields"})


@pytest.mark.parametrize(
    "wrong", [{"limit": 0}, {"limit": 201}, {"before": "yesterday"}, {"issueId": ""}, {"cursor": "x"}]
)
def test_a_wrong_field_is_named(tableless_office: Office, wrong: dict[str, Any]) -> None:
    refused = tableless_office.refused("comments.list", {"issueId": "iss_1"} | wrong)

    assert refused == (400, "invalid_input", set(wrong))


def test_an_issue_that_does_not_exist_is_not_found(office: Office) -> None:
    assert office.refused("comments.list", {"issueId": "iss_unknown"}) == (404, "not_found", set())


def test_the_comments_of_a_deleted_issue_are_not_found(office: Office) -> None:
    issue_id = an_issue(office)
    a_comment(office, issue_id)
    delete_issue(office, issue_id)

    assert office.refused("comments.list", {"issueId": issue_id}) == (404, "not_found", set())


def test_another_workspaces_issue_is_not_found(office: Office, other_office: Office) -> None:
    issue_id = an_issue(other_office)
    a_comment(other_office, issue_id)

    assert office.refused("comments.list", {"issueId": issue_id}) == (404, "not_found", set())


def test_a_narrowed_key_lists_only_where_it_may_look(office: Office) -> None:
    label_id = office.a_label()["id"]
    inside, outside = an_issue(office, labelIds=[label_id]), an_issue(office)
    key = office.a_narrowed_key(label_ids=[label_id])

    assert office.refused("comments.list", {"issueId": outside}, key=key) == (403, "forbidden", set())
    assert office.rows("comments.list", {"issueId": inside}, key=key) == []


def test_reading_issues_is_the_scope_that_is_needed(office: Office) -> None:
    issue_id = an_issue(office)
    allowed = office.a_key(scopes=["READ_ISSUES"])["rawKey"]
    refused = office.a_key(scopes=["READ_COMMENTS", "WRITE_COMMENTS"])["rawKey"]

    assert office.rows("comments.list", {"issueId": issue_id}, key=allowed) == []
    order = {"issueId": issue_id}
    assert office.refused("comments.list", order, key=refused) == (403, "scope_required", set())
