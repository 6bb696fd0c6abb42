"""Another text is another version; everything else of an artifact changes in place."""

import pytest

from tests.workshop.artifacts import LONG, an_artifact, events, links, now, parts, versions
from tests.workshop.issues import an_issue, head
from tests.workshop.office import Body, Office


def text(office: Office, artifact_id: str) -> str:
    return "".join(parts(office, artifact_id))


def update(office: Office, artifact: Body, *, key: str | None = None, **more: object) -> Body:
    return office.call("artifacts.update", {"id": artifact["id"], **more}, key=key or office.owner_key)


def test_another_text_is_another_version(office: Office) -> None:
    made = an_artifact(office, body="one")
    office.world.clock.advance(minutes=1)

    changed = update(office, made, body="two")

    assert changed == made | {"versionNumber": 2, "updatedAt": now(office)}
    assert text(office, made["id"]) == "two"
    assert [version.body.text for version in versions(office, made["id"])] == ["one", "two"]


def test_long_texts_are_versions_like_others(office: Office) -> None:
    made = an_artifact(office, body=LONG)

    update(office, made, body=LONG + "!")
    assert text(office, made["id"]) == LONG + "!"
    update(office, made, body="short")
    assert text(office, made["id"]) == "short"
    assert update(office, made, body="short")["versionNumber"] == 3


@pytest.mark.parametrize("body", ["one", LONG])
def test_what_is_so_already_changes_nothing(office: Office, body: str) -> None:
    made = an_artifact(office, body=body, summary="Short.", slug="report", issueId=an_issue(office))
    logged = office.log()
    office.world.clock.advance(minutes=1)

    for more in (
        {},
        {"body": body},
        {"slug": "report", "summary": "Short.", "status": "DRAFT", "artifactType": "DOCUMENT"},
        {"title": made["title"], "body": body, "type": None, "status": None, "slug": None},
    ):
        assert update(office, made, **more) == made
    assert office.log() == logged
    assert len(versions(office, made["id"])) == 1


def test_a_slug_that_was_given_up_is_free(office: Office) -> None:
    made = an_artifact(office, slug="old")

    update(office, made, slug="new")

    assert office.call("artifacts.get", {"slug": "new"})["id"] == made["id"]
    assert office.refused("artifacts.get", {"slug": "old"}) == (404, "not_found", set())
    assert an_artifact(office, slug="old")["slug"] == "old"


def test_a_slug_that_is_taken_is_a_conflict_and_changes_nothing(office: Office) -> None:
    an_artifact(office, slug="taken")
    made = an_artifact(office, slug="mine")
    logged = office.log()

    refused = office.refused("artifacts.update", {"id": made["id"], "slug": "taken", "body": "lost"})

    assert refused == (409, "conflict", {"slug"})
    assert office.log() == logged
    assert text(office, made["id"]) != "lost"
    assert len(versions(office, made["id"])) == 1


def test_the_status_archives_it_and_brings_it_back(office: Office) -> None:
    made = an_artifact(office)

    archived = update(office, made, status="ARCHIVED")
    assert archived["archivedAt"] == now(office)
    assert office.rows("artifacts.list") == []

    back = update(office, made, status="ACCEPTED")
    assert "archivedAt" not in back
    assert office.rows("artifacts.list") == [back]


def test_its_issue_knows_of_it_and_has_changed(office: Office) -> None:
    issue_id = an_issue(office)
    made = an_artifact(office, issueId=issue_id)
    office.world.clock.advance(minutes=2)

    update(office, made, title="New", status="IN_REVIEW", slug="new", artifactType="SPEC", summary="Short.")

    (link,) = links(office, issue_id)
    assert (link.title, link.status, link.slug) == ("New", "IN_REVIEW", "new")
    assert (link.type, link.summary) == ("SPEC", "Short.")
    assert link.updated_at == head(office, issue_id).updated_at == office.world.clock()


def test_exactly_one_event_tells_of_it_and_wakes_nobody(office: Office) -> None:
    issue_id = an_issue(office)
    office.call("issues.assign", {"issueId": issue_id, "agentId": office.an_agent()["id"]})
    made = an_artifact(office, issueId=issue_id)
    logged = len(office.log())

    update(office, made, title="New", body="two", slug="new")
    update(office, made, status="ACCEPTED")
    office.call("artifacts.archive", {"id": made["id"]})

    rows = events(office, made["id"])
    assert office.log()[logged:] == rows[1:]
    told = {"artifactId": made["id"], "title": "New"}
    assert [row.payload for row in rows] == [
        told | {"title": made["title"], "action": "created", "version": 1},
        told | {"action": "updated", "version": 2},
        told | {"action": "updated"},
        told | {"action": "archived"},
    ]
    assert [row.action for row in rows] == ["create", "update", "update", "archive"]
    assert [(row.issue_id, row.wakes) for row in rows] == [(issue_id, [])] * 4
    assert (rows[2].before or {})["status"] == "DRAFT"


def test_two_who_write_at_once_make_two_versions(office: Office) -> None:
    made = an_artifact(office, body="one", issueId=an_issue(office))
    office.meanwhile(lambda: update(office, made, body="two"))

    changed = update(office, made, body="three", title="Mine")

    assert (changed["versionNumber"], changed["title"]) == (3, "Mine")
    assert [version.body.text for version in versions(office, made["id"])] == ["one", "two", "three"]


def test_a_change_of_the_issue_at_the_same_time_is_not_undone(office: Office) -> None:
    issue_id = an_issue(office)
    made = an_artifact(office, issueId=issue_id)
    office.meanwhile(lambda: office.call("issues.update", {"id": issue_id, "title": "Meanwhile"}))

    update(office, made, title="Mine")

    assert head(office, issue_id).title == "Meanwhile"
    assert links(office, issue_id)[0].title == "Mine"
