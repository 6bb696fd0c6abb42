"""What stands under a name that is not a comment's, a relation's or a member's is not found as one."""

import pytest

from tests.workshop.office import Body, Office

NAMES = ("1", "{issue}#artifacts", "issue#{issue}#attachments")


@pytest.mark.parametrize(
    ("tool", "field", "more"),
    [
        ("comments.update", "id", {"body": "Mended."}),
        ("comments.delete", "id", {}),
        ("relations.remove", "relationId", {}),
        ("agentCrews.removeMember", "memberId", {}),
        ("artifacts.promote", "sourceId", {"sourceType": "comment", "title": "A comment"}),
    ],
)
def test_a_name_of_something_else_is_not_found(tool: str, field: str, more: Body, office: Office) -> None:
    issue = office.call("issues.create", {"title": "Ship"})
    office.call("artifacts.create", {"issueId": issue["id"], "title": "Report", "body": "Done."})
    link = {"targetType": "issue", "targetId": issue["id"], "url": "https://example.com", "title": "A page"}
    office.call("attachments.attachLink", link)

    for name in NAMES:
        refused = office.refused(tool, {field: name.format(issue=issue["id"]), **more})
        assert refused[0] == 404, name
