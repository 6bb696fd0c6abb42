"""What was said becomes an artifact that knows where it comes from."""

import pytest

from tests.unit.artifacts.sources import SOURCES, a_comment, a_source, promoted
from tests.workshop.artifacts import events, links, now
from tests.workshop.issues import an_issue, head
from tests.workshop.office import Office


@pytest.mark.parametrize(
    ("kind", "title", "body"),
    [
        ("comment", "We use *one* table", "# We use *one* table\nBecause."),
        ("agent-run", "Found it.", "Found it.\nThe cache."),
        ("issue", "Fix the login", "It hangs."),
    ],
)
def test_the_text_is_copied_and_the_source_kept(office: Office, kind: str, title: str, body: str) -> None:
    issue_id, order = a_source(office, kind)
    office.world.clock.advance(minutes=2)

    made = promoted(office, order)

    assert made.items() >= {"title": title, "issueId": issue_id, "createdAt": now(office), **order}.items()
    assert office.call("artifacts.get", {"id": made["id"]})["body"] == body
    (row,) = events(office, made["id"])
    assert (row.action, row.payload["action"], row.wakes) == ("promote", "promoted", [])
    assert [link.id for link in links(office, issue_id)] == [made["id"]]
    assert head(office, issue_id).updated_at == office.world.clock()


def test_whatever_is_given_decides(office: Office) -> None:
    _, order = a_source(office, "comment")

    made = promoted(
        office, order, title="Decision", artifactType="DECISION", status="ACCEPTED", slug="one-table"
    )

    assert (made["title"], made["type"]) == ("Decision", "DECISION")
    assert (made["status"], made["slug"]) == ("ACCEPTED", "one-table")


def test_a_long_title_of_an_issue_is_cut(office: Office) -> None:
    issue_id = an_issue(office, title="t" * 300, description="Text.")

    assert promoted(office, {"sourceType": "issue", "sourceId": issue_id})["title"] == "t" * 200


def test_a_later_change_of_the_source_does_not_show(office: Office) -> None:
    issue_id, order = a_source(office, "issue")
    made = promoted(office, order)

    office.call("issues.update", {"id": issue_id, "description": "Other."})

    assert office.call("artifacts.get", {"id": made["id"]})["body"] == "It hangs."


def test_a_text_that_is_kept_apart_is_copied_whole(office: Office) -> None:
    text = "😀" * 40_000
    _, order = a_source(office, "comment")
    order["sourceId"] = a_comment(office, an_issue(office), text)

    made = promoted(office, order)

    assert office.call("artifacts.get", {"id": made["id"]})["body"] == text


@pytest.mark.parametrize("kind", SOURCES)
def test_promoting_it_again_makes_another_one(office: Office, kind: str) -> None:
    issue_id, order = a_source(office, kind)

    first, second = promoted(office, order), promoted(office, order)

    assert first["id"] != second["id"]
    assert first["slug"] != second["slug"]
    assert len(links(office, issue_id)) == 2
