"""An artifact is made once under its slug, with its first version, and its issue knows of it."""

import pytest

from forge.work.content.artifacts.artifacts import ArtifactItem, ArtifactType
from tests.unit.artifacts.shelf import (
    A_REPORT,
    LONG,
    an_artifact,
    an_issue,
    events,
    head,
    links,
    now,
    parts,
    table,
    versions,
    with_a_short_prefix,
)
from tests.unit.office import Office


def test_an_artifact_is_returned_as_it_was_made_but_for_its_text(office: Office) -> None:
    issue_id = an_issue(office)

    made = office.call(
        "artifacts.create",
        {
            "title": " Why the login hangs ",
            "body": "# Findings\n",
            "artifactType": "REPORT",
            "status": "IN_REVIEW",
            "summary": "It was the cache.",
            "slug": "login-report",
            "issueId": issue_id,
        },
    )

    assert made == {
        "id": made["id"],
        "slug": "login-report",
        "title": "Why the login hangs",
        "type": "REPORT",
        "status": "IN_REVIEW",
        "summary": "It was the cache.",
        "versionNumber": 1,
        "issueId": issue_id,
        "createdById": office.owner_id,
        "createdByAgentId": None,
        "createdAt": now(office),
        "updatedAt": now(office),
    }
    assert made["id"].startswith("art_")
    assert office.call("artifacts.get", {"id": made["id"]})["body"] == "# Findings\n"


def test_only_title_and_body_must_be_given(office: Office) -> None:
    made = an_artifact(office)

    assert (made["type"], made["status"]) == ("DOCUMENT", "DRAFT")
    assert (made["summary"], made["issueId"]) == (None, None)
    assert {"sourceType", "sourceId", "archivedAt"}.isdisjoint(made)


@pytest.mark.parametrize("name", ["type", "artifactType"])
def test_the_type_goes_by_two_names(office: Office, name: str) -> None:
    assert an_artifact(office, **{name: "RUNBOOK"})["type"] == "RUNBOOK"
    assert an_artifact(office, **{name: None})["type"] == "DOCUMENT"


@pytest.mark.parametrize("kind", [*ArtifactType])
def test_every_type_can_be_made(office: Office, kind: str) -> None:
    assert an_artifact(office, artifactType=kind)["type"] == kind


def test_one_that_is_made_archived_says_since_when(office: Office) -> None:
    assert an_artifact(office, status="ARCHIVED")["archivedAt"] == now(office)
    assert office.rows("artifacts.list") == []


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("Why the login hangs", "why-the-login-hangs"),
        ("  Café: 100% «übel»!  ", "cafe-100-ubel"),
        ("ログイン", "document"),
        ("---", "document"),
        ("x" * 200, "x" * 57),
        ("a" * 56 + " b", "a" * 56),
    ],
)
def test_a_slug_is_made_of_the_title_and_the_id(office: Office, title: str, stem: str) -> None:
    made = an_artifact(office, title=title)

    assert made["slug"] == f"{stem}-{made['id'][-6:]}"
    assert len(made["slug"]) <= 64
    assert office.call("artifacts.get", {"slug": made["slug"]})["id"] == made["id"]


def test_the_same_title_can_be_used_again(office: Office) -> None:
    first, second = an_artifact(office), an_artifact(office)

    assert first["slug"] != second["slug"]


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
    office.world.clock.advance(minutes=1)

    made = an_artifact(office, issueId=issue_id, summary="s" * 300, artifactType="SPEC")

    (link,) = links(office, issue_id)
    assert (link.id, link.slug, link.title) == (made["id"], made["slug"], made["title"])
    assert (link.type, link.status, link.summary) == ("SPEC", "DRAFT", "s" * 199 + "…")
    assert head(office, issue_id).updated_at == office.world.clock()
    assert office.rows("issues.list", {"orderBy": "updatedAt", "limit": 1})[0]["id"] == issue_id


def test_an_issue_can_be_named_by_its_identifier(office: Office) -> None:
    office = with_a_short_prefix(office)
    issue_id = an_issue(office)

    made = an_artifact(office, issueId=f"{office.workspace.key_prefix.lower()}-1")

    assert made["issueId"] == issue_id


def test_exactly_one_event_tells_of_it_and_wakes_nobody(office: Office) -> None:
    issue_id = an_issue(office)
    office.call("issues.assign", {"issueId": issue_id, "agentId": office.an_agent()["id"]})
    logged = len(office.log())

    made = an_artifact(office, issueId=issue_id)

    (row,) = events(office, made["id"])
    assert office.log()[logged:] == [row]
    told = {"artifactId": made["id"], "title": made["title"], "action": "created", "version": 1}
    assert (row.action, row.payload, row.issue_id, row.wakes) == ("create", told, issue_id, [])
    (shown,) = office.rows("events.recent", {"subjectType": "artifact", "subjectId": made["id"]})
    assert shown["payload"] == told


def test_an_agents_artifact_is_the_agents(office: Office) -> None:
    agent = office.an_agent()

    made = an_artifact(office, key=office.an_agents_key(agent["id"]))

    assert (made["createdById"], made["createdByAgentId"]) == (None, agent["id"])
    (version,) = versions(office, made["id"])
    assert (version.created_by_id, version.created_by_agent_id) == (None, agent["id"])


def test_a_text_that_no_item_could_hold_is_read_back_whole(office: Office) -> None:
    made = an_artifact(office, body=LONG)

    found = office.call("artifacts.get", {"id": made["id"]})

    assert found["body"] == LONG
    assert found["versions"][0]["size"] == len(LONG.encode()) > 100_000
    (version,) = versions(office, made["id"])
    assert (version.body.text, bool(version.body.blob)) == ("", True)


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


def test_a_repeated_call_makes_one(office: Office) -> None:
    issue_id = an_issue(office)
    order = A_REPORT | {"slug": "report", "issueId": issue_id}

    first = office.call("artifacts.create", order, idempotency_key="once")
    second = office.call("artifacts.create", order, idempotency_key="once")

    assert first == second
    assert len(links(office, issue_id)) == 1
    assert len(events(office, first["id"])) == 1


def test_an_artifact_can_be_made_over_mcp(office: Office) -> None:
    assert office.mcp("artifacts_create", A_REPORT)["title"] == A_REPORT["title"]
    assert office.mcp_error("artifacts_create", A_REPORT | {"issueId": "iss_unknown"}) == "invalid_input"
