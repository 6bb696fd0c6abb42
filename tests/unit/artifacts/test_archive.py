"""An archived artifact is out of the way, and can come back."""

from tests.workshop.artifacts import an_artifact, links, now
from tests.workshop.issues import an_issue, head
from tests.workshop.office import Office


def test_an_archived_artifact_is_not_listed(office: Office) -> None:
    issue_id = an_issue(office)
    made = an_artifact(office, issueId=issue_id)
    office.world.clock.advance(minutes=2)

    archived = office.call("artifacts.archive", {"id": made["id"]})

    moment = now(office)
    assert archived == made | {"status": "ARCHIVED", "archivedAt": moment, "updatedAt": moment}
    for of in ({}, {"issueId": issue_id}):
        assert office.rows("artifacts.list", of) == []
        assert office.rows("artifacts.list", of | {"includeArchived": True}) == [archived]
    assert [link.status for link in links(office, issue_id)] == ["ARCHIVED"]
    assert head(office, issue_id).updated_at == office.world.clock()
