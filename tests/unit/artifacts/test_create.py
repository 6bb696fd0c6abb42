"""An artifact is made once under its slug, with its first version, and its issue knows of it."""

import pytest

from forge.work.content.artifacts.artifacts import ArtifactItem
from tests.workshop.artifacts import (
    A_REPORT,
    an_artifact,
    links,
    now,
    parts,
)
from tests.workshop.issues import an_issue, head, table
from tests.workshop.office import Office


def test_only_title_and_body_must_be_given(office: Office) -> None:
    made = an_artifact(office)

    assert (made["type"], made["status"]) == ("DOCUMENT", "DRAFT")
    assert (made["summary"], made["issueId"]) == (None, None)
    assert {"sourceType", "sourceId", "archivedAt"}.isdisjoint(made)


@pytest.mark.parametrize("name", ["type", "artifactType"])
def test_the_type_goes_by_two_names(office: Office, name: str) -> None:
    assert an_artifact(office, **{name: "RUNBOOK"})["type"] == "RUNBOOK"
    assert an_artifact(office, **{name: None})["type"] == "DOCUMENT"


def test_one_that_is_made_archived_says_since_when(office: Office) -> None:
    assert an_artifact(office, status="ARCHIVED")["archivedAt"] == now(office)
    assert office.rows("artifacts.list") == []


def test_a_slug_that_is_taken_is_a_conflict_and_changes_nothing(office: Office, other_office: Office) -> None:
    an_artifact(office, slug="report")
    archived = an_artifact(office, slug="old")
    office.call("artifacts.archive", {"id": archived["id"]})
    issue_id, logged = an_issue(office), office.log()

    for slug in ("report", "old"):
        refused = office.refused("artifacts.create", A_REPORT | {"slug": slug, "issueId": issue_id})

        assert refused == (409, "conflict", {"slug"})
    assert office.log() == logged
    assert links(office, issue_id) == []
    assert an_artifact(other_office, slug="report")["slug"] == "report"


def test_its_issue_knows_of_it_and_has_changed(office: Office) -> None:
    issue_id = an_issue(office)
    office.world.clock.advance(minutes=2)

    made = an_artifact(office, issueId=issue_id, summary="s" * 300, artifactType="SPEC")

    (link,) = links(office, issue_id)
    assert (link.id, link.slug, link.title) == (made["id"], made["slug"], made["title"])
    assert (link.type, link.status, link.summary) == ("SPEC", "DRAFT", "s" * 199 + "…")
    assert head(office, issue_id).updated_at == office.world.clock()
    assert office.rows("issues.list", {"orderBy": "updatedAt", "limit": 1})[0]["id"] == issue_id


def test_the_longest_text_is_taken(office: Office) -> None:
    longest = "\N{MEMO}" * 200_000

    made = an_artifact(office, body=longest)

    assert "".join(parts(office, made["id"])) == longest


def test_only_the_version_has_the_text(office: Office) -> None:
    made = an_artifact(office, body="y" * 90_000, summary="s" * 2_000)

    key = ArtifactItem.at(office.workspace.id, made["id"])
    stored = str(table(office).find_rows([key])[key])
    assert "yyy" not in stored
    assert len(stored) < 8_000
