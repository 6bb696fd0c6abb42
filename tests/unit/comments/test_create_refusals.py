"""A comment that can not be posted is refused with its reason, and nothing is stored."""

from typing import Any

import pytest

from tests.unit.comments.threads import (
    a_comment,
    an_issue,
    delete_issue,
    stored,
)
from tests.unit.office import Office


@pytest.mark.parametrize(
    "wrong",
    [
        {"body": ""},
        {"body": " \n\t\u3000"},
        {"body": "b" * 50_001},
        {"body": None},
        {"issueId": ""},
        {"issueId": "i" * 41},
        {"suggestedReplies": ["a", "b", "c", "d", "e"]},
        {"confidence": "SURE"},
        {"actionRequest": "Decide"},
    ],
)
def test_a_wrong_field_is_named(tableless_office: Office, wrong: dict[str, Any]) -> None:
    refused = tableless_office.refused("comments.create", {"issueId": "iss_1", "body": "Hello"} | wrong)

    assert refused == (400, "invalid_input", set(wrong))


@pytest.mark.parametrize("reply", ["", "  ", "r" * 81])
def test_a_wrong_reply_is_named(tableless_office: Office, reply: str) -> None:
    order = {"issueId": "iss_1", "body": "Hello", "suggestedReplies": ["Yes", reply]}

    refused = tableless_office.refused("comments.create", order)

    assert refused == (400, "invalid_input", {"suggestedReplies.1"})


@pytest.mark.parametrize("issue_id", ["iss_unknown", "NOPE-1", "OFFICE-999", "iss_1#X"])
def test_an_issue_that_does_not_exist_is_not_found(office: Office, issue_id: str) -> None:
    refused = office.refused("comments.create", {"issueId": issue_id, "body": "Hello"})

    assert refused == (404, "not_found", set())


def test_a_deleted_issue_is_not_found(office: Office) -> None:
    issue_id = an_issue(office)
    delete_issue(office, issue_id)

    refused = office.refused("comments.create", {"issueId": issue_id, "body": "Hello"})

    assert refused == (404, "not_found", set())


def test_another_workspaces_issue_is_not_found(office: Office, other_office: Office) -> None:
    issue_id = an_issue(other_office)

    refused = office.refused("comments.create", {"issueId": issue_id, "body": "Hello"})

    assert refused == (404, "not_found", set())
    assert stored(other_office, issue_id) == []


def test_a_narrowed_key_comments_only_where_it_may_look(office: Office) -> None:
    project_id = office.call("projects.create", {"key": "SITE", "name": "Website"})["id"]
    inside, outside = an_issue(office, projectId=project_id), an_issue(office)
    key = office.a_narrowed_key(project_ids=[project_id])

    refused = office.refused("comments.create", {"issueId": outside, "body": "Hello"}, key=key)

    assert refused == (403, "forbidden", set())
    assert stored(office, outside) == []
    assert a_comment(office, inside, key=key)["issueId"] == inside


def test_only_the_scope_for_comments_is_needed(office: Office) -> None:
    issue_id = an_issue(office)
    allowed = office.a_key(scopes=["WRITE_COMMENTS"])["rawKey"]
    refused = office.a_key(scopes=["READ_ISSUES", "WRITE_ISSUES", "READ_COMMENTS"])["rawKey"]

    assert a_comment(office, issue_id, key=allowed)["issueId"] == issue_id
    order = {"issueId": issue_id, "body": "Hello"}
    assert office.refused("comments.create", order, key=refused) == (403, "scope_required", set())
