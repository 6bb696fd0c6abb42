"""A comment is changed by its author or an admin, and only where they may look."""

import pytest

from tests.workshop.comments import a_comment, an_agents_key, comment_events, edit, stored
from tests.workshop.issues import an_issue
from tests.workshop.office import Body, Office

every_change = pytest.mark.parametrize(
    ("tool", "more"), [("comments.update", {"body": "Better"}), ("comments.delete", {})]
)


def test_an_agent_edits_its_own_status(office: Office) -> None:
    issue_id, key = an_issue(office), an_agents_key(office, office.an_agent()["id"])
    status = office.call("comments.upsertStatus", {"issueId": issue_id, "body": "Going"}, key=key)

    edited = edit(office, status["id"], "Gone", key=key)

    assert (edited["kind"], edited["body"], edited["runId"]) == ("STATUS", "Gone", status["runId"])


@every_change
def test_nobody_changes_what_another_wrote(office: Office, tool: str, more: Body) -> None:
    issue_id, colleague = an_issue(office), office.a_colleague()
    comment_id = a_comment(office, issue_id)["id"]

    assert office.refused(tool, {"id": comment_id, **more}, key=colleague.key) == (403, "forbidden", set())
    (kept,) = stored(office, issue_id)
    assert (kept.revisions, kept.deleted_at) == (0, None)


@every_change
def test_a_deleted_comment_is_not_found(office: Office, tool: str, more: Body) -> None:
    comment = a_comment(office, an_issue(office))
    office.call("comments.delete", {"id": comment["id"]})

    assert office.refused(tool, {"id": comment["id"], **more}) == (404, "not_found", set())
    assert len(comment_events(office)) == 2
