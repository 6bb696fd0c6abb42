"""What was said becomes an artifact that knows where it comes from."""

import pytest

from forge.store.store import Store
from tests.unit.artifacts.shelf import (
    a_counted_office,
    an_issue,
    events,
    head,
    links,
    now,
    versions,
    with_a_short_prefix,
)
from tests.unit.artifacts.sources import SOURCES, a_comment, a_source, promoted
from tests.unit.office import Office


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
    office.world.clock.advance(minutes=1)

    made = promoted(office, order)

    assert made == {
        "id": made["id"],
        "slug": made["slug"],
        "title": title,
        "type": "DOCUMENT",
        "status": "DRAFT",
        "summary": None,
        "versionNumber": 1,
        "issueId": issue_id,
        "sourceType": kind,
        "sourceId": order["sourceId"],
        "createdById": office.owner_id,
        "createdByAgentId": None,
        "createdAt": now(office),
        "updatedAt": now(office),
    }
    assert office.call("artifacts.get", {"id": made["id"]})["body"] == body
    assert [link.id for link in links(office, issue_id)] == [made["id"]]
    assert head(office, issue_id).updated_at == office.world.clock()


def test_whatever_is_given_decides(office: Office) -> None:
    _, order = a_source(office, "comment")

    made = promoted(
        office, order, title="Decision", artifactType="DECISION", status="ACCEPTED", slug="one-table"
    )

    assert (made["title"], made["type"]) == ("Decision", "DECISION")
    assert (made["status"], made["slug"]) == ("ACCEPTED", "one-table")


def test_another_issue_can_be_named_by_id_or_identifier(office: Office) -> None:
    office = with_a_short_prefix(office)
    issue_id, order = a_source(office, "comment")
    other_id = an_issue(office)

    for given in (other_id, f"{office.workspace.key_prefix}-2"):
        assert promoted(office, order, issueId=given)["issueId"] == other_id
    assert links(office, issue_id) == []
    assert len(links(office, other_id)) == 2


def test_an_issue_can_be_promoted_by_its_identifier(office: Office) -> None:
    office = with_a_short_prefix(office)
    issue_id, _ = a_source(office, "issue")

    identifier = f"{office.workspace.key_prefix}-1"
    made = promoted(office, {"sourceType": "issue", "sourceId": identifier})

    assert (made["sourceId"], made["issueId"]) == (issue_id, issue_id)


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("\n\n> ## Quoted\nmore", "Quoted"),
        ("---\n* first", "first"),
        ("***", "***"),
        ("\u00a0\n\tsaid\u00a0 here ", "said here"),
        ("w" * 300, "w" * 200),
    ],
)
def test_a_title_is_the_first_line_that_says_something(office: Office, body: str, title: str) -> None:
    comment_id = a_comment(office, an_issue(office), body)

    assert promoted(office, {"sourceType": "comment", "sourceId": comment_id})["title"] == title


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


@pytest.mark.parametrize("kind", SOURCES)
def test_exactly_one_event_tells_of_it(office: Office, kind: str) -> None:
    issue_id, order = a_source(office, kind)
    logged = len(office.log())

    made = promoted(office, order)

    (row,) = events(office, made["id"])
    assert office.log()[logged:] == [row]
    told = {"artifactId": made["id"], "title": made["title"], "action": "promoted", "version": 1}
    assert (row.action, row.payload, row.issue_id, row.wakes) == ("promote", told, issue_id, [])


def test_a_repeated_call_makes_one(office: Office) -> None:
    issue_id, order = a_source(office, "comment")

    first = office.call("artifacts.promote", order, idempotency_key="once")
    office.call("comments.delete", {"id": order["sourceId"]})

    assert office.call("artifacts.promote", order, idempotency_key="once") == first
    assert len(links(office, issue_id)) == 1


@pytest.mark.parametrize(("kind", "reads"), [("comment", 2), ("agent-run", 2), ("issue", 1)])
def test_it_costs_at_most_two_reads_and_one_transaction(store: Store, kind: str, reads: int) -> None:
    office, requests = a_counted_office(store)
    _, order = a_source(office, kind)
    other_id = an_issue(office)
    requests.reset()

    made = office.call("artifacts.promote", order | {"issueId": other_id}, idempotency_key="once")

    assert (requests.reads, requests.writes, requests.most_items) == (reads, 1, 8)
    assert len(versions(office, made["id"])) == 1


def test_a_source_can_be_promoted_over_mcp(office: Office) -> None:
    _, order = a_source(office, "issue")

    assert office.mcp("artifacts_promote", order)["sourceType"] == "issue"
    assert office.mcp_error("artifacts_promote", order | {"sourceId": "iss_unknown"}) == "not_found"
