"""One artifact is shown with its text, by id or slug, and with what it was before."""

import pytest

from forge.work.record.texts import MAX_INLINE
from functions.artifacts.models import MAX_PART
from tests.workshop.artifacts import an_artifact, now, parts, stored_versions, versions
from tests.workshop.issues import an_issue
from tests.workshop.office import Office


def test_an_artifact_is_found_by_its_id_and_by_its_slug(office: Office) -> None:
    made = an_artifact(office, slug="report", body="Ünïcode 😀")

    found = office.call("artifacts.get", {"id": made["id"]})

    (version,) = found["versions"]
    assert found == made | {"version": 1, "body": "Ünïcode 😀", "versions": [version]}
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


def test_every_version_can_be_read(office: Office) -> None:
    made = an_artifact(office, body="text 1")
    for number in range(2, 13):
        office.call("artifacts.update", {"id": made["id"], "body": f"text {number}"})

    for number in (1, 2, 3, 11, 12):
        found = office.call("artifacts.get", {"id": made["id"], "version": number})

        assert (found["version"], found["body"]) == (number, f"text {number}")
        assert found["versionNumber"] == 12
    refused = office.refused("artifacts.get", {"id": made["id"], "version": 13})
    assert refused == (400, "invalid_input", {"version"})


def test_a_long_text_comes_in_parts_that_make_all_of_it(office: Office) -> None:
    text = "".join(f"{number:05}😀" for number in range(15_000))
    made = an_artifact(office, body=text)

    found = parts(office, made["id"])

    assert [len(part) for part in found] == [MAX_PART, MAX_PART, len(text) - 2 * MAX_PART]
    assert "".join(found) == text


def test_a_part_is_as_short_as_it_is_asked_for(office: Office) -> None:
    made = an_artifact(office, body="0123456789")

    found = office.call("artifacts.get", {"id": made["id"], "offset": 3, "limit": 4})

    assert (found["body"], found["nextOffset"]) == ("3456", 7)
    assert "nextOffset" not in office.call("artifacts.get", {"id": made["id"], "offset": 6, "limit": 4})
    for where, field in (({"offset": 10}, "offset"), ({"limit": 0}, "limit"), ({"limit": 40_001}, "limit")):
        refused = office.refused("artifacts.get", {"id": made["id"], **where})
        assert refused == (400, "invalid_input", {field})


def test_an_archived_one_is_still_found(office: Office) -> None:
    made = an_artifact(office, slug="report")
    office.call("artifacts.archive", {"id": made["id"]})

    for how in ({"id": made["id"]}, {"slug": "report"}):
        assert office.call("artifacts.get", how)["status"] == "ARCHIVED"


def test_a_narrowed_key_does_not_see_what_belongs_to_no_issue(office: Office) -> None:
    loose = an_artifact(office, slug="loose")
    key = office.a_narrowed_key(project_ids=["prj_1"])

    for how in ({"id": loose["id"]}, {"slug": "loose"}):
        assert office.refused("artifacts.get", how, key=key) == (403, "forbidden", set())


def test_it_costs_one_request_by_id_and_two_by_slug(office: Office) -> None:
    requests = office.counted()
    made = an_artifact(office, slug="report", issueId=an_issue(office))
    stored_versions(office, made["id"], 10, "x" * MAX_INLINE)

    for how, reads in (({"id": made["id"]}, 1), ({"slug": "report"}, 2)):
        requests.reset()
        found = office.call("artifacts.get", how)

        assert requests.reads == reads
        assert (len(found["versions"]), len(found["body"])) == (10, MAX_PART)
