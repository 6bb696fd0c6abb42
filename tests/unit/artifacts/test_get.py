"""One artifact is shown with its whole text, by id or slug, and with what it was before."""

import pytest

from forge.store.store import Store
from forge.work.texts import MAX_INLINE
from tests.unit.artifacts.shelf import (
    a_counted_office,
    a_project,
    an_artifact,
    an_issue,
    now,
    stored_versions,
    versions,
)
from tests.unit.office import Office


def test_an_artifact_is_found_by_its_id_and_by_its_slug(office: Office) -> None:
    made = an_artifact(office, slug="report", body="Ünïcode 😀")

    found = office.call("artifacts.get", {"id": made["id"]})

    (version,) = found["versions"]
    assert found == made | {"body": "Ünïcode 😀", "versions": [version]}
    assert version == {
        "number": 1,
        "size": len("Ünïcode 😀".encode()),
        "createdById": office.owner_id,
        "createdByAgentId": None,
        "createdAt": now(office),
    }
    assert office.call("artifacts.get", {"slug": "report"}) == found


@pytest.mark.parametrize("arguments", [{}, {"id": "art_1", "slug": "report"}, {"id": None, "slug": None}])
def test_exactly_one_of_both_must_be_given(
    tableless_office: Office, arguments: dict[str, str | None]
) -> None:
    refused = tableless_office.refused("artifacts.get", arguments)

    assert refused == (400, "invalid_input", {"id", "slug"})


def test_the_last_ten_versions_are_told_of_the_newest_first(office: Office) -> None:
    made = an_artifact(office, body="text 1")
    for number in range(2, 13):
        office.world.clock.advance(minutes=1)
        office.call("artifacts.update", {"id": made["id"], "body": f"text {number}"})

    found = office.call("artifacts.get", {"id": made["id"]})

    assert found["body"] == "text 12"
    assert found["versionNumber"] == 12
    assert [version["number"] for version in found["versions"]] == [*range(12, 2, -1)]
    assert found["versions"][0]["createdAt"] == now(office)
    assert not any("body" in version for version in found["versions"])
    assert len(versions(office, made["id"])) == 12


def test_an_archived_one_is_still_found(office: Office) -> None:
    made = an_artifact(office, slug="report")
    office.call("artifacts.archive", {"id": made["id"]})

    for how in ({"id": made["id"]}, {"slug": "report"}):
        assert office.call("artifacts.get", how)["status"] == "ARCHIVED"


def test_it_costs_one_request_by_id_and_two_by_slug(store: Store) -> None:
    office, requests = a_counted_office(store)
    made = an_artifact(office, slug="report", issueId=an_issue(office))
    stored_versions(office, made["id"], 10, "x" * MAX_INLINE)

    for how, reads in (({"id": made["id"]}, 1), ({"slug": "report"}, 2)):
        requests.reset()
        found = office.call("artifacts.get", how)

        assert requests.reads == reads
        assert (len(found["versions"]), len(found["body"])) == (10, MAX_INLINE)


def test_an_unknown_one_is_not_found(office: Office, other_office: Office) -> None:
    foreign = an_artifact(other_office, slug="theirs")
    own = an_artifact(office, slug="ours")
    office.call("artifacts.update", {"id": own["id"], "slug": "renamed"})
    narrowed = office.a_narrowed_key(project_ids=["prj_1"])

    for how in (
        {"id": "art_unknown"},
        {"id": foreign["id"]},
        {"id": "ours"},
        {"slug": "theirs"},
        {"slug": "ours"},
    ):
        for key in (office.owner_key, narrowed):
            assert office.refused("artifacts.get", how, key=key) == (404, "not_found", set())


def test_a_narrowed_key_sees_those_of_its_issues(office: Office) -> None:
    project_id = a_project(office)
    ours = an_artifact(office, slug="ours", issueId=an_issue(office, projectId=project_id))
    theirs = an_artifact(office, slug="theirs", issueId=an_issue(office))
    loose = an_artifact(office, slug="loose")
    key = office.a_narrowed_key(project_ids=[project_id])

    for how in ({"id": ours["id"]}, {"slug": "ours"}):
        assert office.call("artifacts.get", how, key=key)["id"] == ours["id"]
    for hidden in (theirs, loose):
        for how in ({"id": hidden["id"]}, {"slug": hidden["slug"]}):
            assert office.refused("artifacts.get", how, key=key) == (403, "forbidden", set())


def test_initiatives_narrow_no_artifacts(office: Office) -> None:
    made = an_artifact(office)

    found = office.call(
        "artifacts.get", {"id": made["id"]}, key=office.a_narrowed_key(initiative_ids=["ini_1"])
    )

    assert found["id"] == made["id"]


@pytest.mark.parametrize(("field", "value"), [("id", "i" * 41), ("slug", "No Slug"), ("slug", "s" * 65)])
def test_what_can_not_be_one_is_refused(tableless_office: Office, field: str, value: str) -> None:
    assert tableless_office.refused("artifacts.get", {field: value}) == (400, "invalid_input", {field})


def test_only_the_scope_read_issues_reads_them(office: Office) -> None:
    made = an_artifact(office)
    key = office.a_key(scopes=["WRITE_ISSUES", "READ_PROJECTS", "ADMIN"])["rawKey"]

    assert office.refused("artifacts.get", {"id": made["id"]}, key=key) == (403, "scope_required", set())


def test_an_artifact_can_be_read_over_mcp(office: Office) -> None:
    made = an_artifact(office)

    assert office.mcp("artifacts_get", {"id": made["id"]})["body"]
    assert office.mcp_error("artifacts_get", {"id": "art_unknown"}) == "not_found"
