"""An archived artifact is out of the way, and can come back."""

import pytest

from forge.store.store import Store
from forge.testing.instruments import watched
from forge.testing.world import World
from tests.unit.artifacts.shelf import (
    a_counted_office,
    a_narrowed_shelf,
    an_artifact,
    an_engaged_key,
    an_issue,
    events,
    head,
    links,
    now,
    versions,
)
from tests.unit.office import Office
from tests.unit.store.interference import COMMIT, Interference, once_before


def test_an_archived_artifact_is_not_listed(office: Office) -> None:
    issue_id = an_issue(office)
    made = an_artifact(office, issueId=issue_id)
    office.world.clock.advance(minutes=1)

    archived = office.call("artifacts.archive", {"id": made["id"]})

    moment = now(office)
    assert archived == made | {"status": "ARCHIVED", "archivedAt": moment, "updatedAt": moment}
    for of in ({}, {"issueId": issue_id}):
        assert office.rows("artifacts.list", of) == []
        assert office.rows("artifacts.list", of | {"includeArchived": True}) == [archived]
    assert [link.status for link in links(office, issue_id)] == ["ARCHIVED"]
    assert head(office, issue_id).updated_at == office.world.clock()


def test_its_text_stays_as_it_is(office: Office) -> None:
    made = an_artifact(office)

    office.call("artifacts.archive", {"id": made["id"]})

    assert len(versions(office, made["id"])) == 1


def test_exactly_one_event_tells_of_it(office: Office) -> None:
    issue_id = an_issue(office)
    made = an_artifact(office, issueId=issue_id)
    logged = len(office.log())

    office.call("artifacts.archive", {"id": made["id"]})

    row = events(office, made["id"])[-1]
    assert office.log()[logged:] == [row]
    told = {"artifactId": made["id"], "title": made["title"], "action": "archived"}
    assert (row.action, row.payload, row.issue_id, row.wakes) == ("archive", told, issue_id, [])


def test_archiving_it_again_changes_nothing(office: Office) -> None:
    made = an_artifact(office)
    archived = office.call("artifacts.archive", {"id": made["id"]})
    logged = office.log()
    office.world.clock.advance(minutes=1)

    assert office.call("artifacts.archive", {"id": made["id"]}) == archived
    assert office.log() == logged


def test_two_who_archive_it_at_once_archive_it_once(store: Store) -> None:
    interference = Interference()
    office = Office(World(store=watched(store, interference)))
    made = an_artifact(office)
    archive = {"id": made["id"]}
    interference.handle = once_before(COMMIT, lambda: office.call("artifacts.archive", archive))

    office.call("artifacts.archive", archive)

    assert [row.action for row in events(office, made["id"])] == ["create", "archive"]


def test_a_repeated_call_does_not_archive_what_came_back(office: Office) -> None:
    made = an_artifact(office)
    first = office.call("artifacts.archive", {"id": made["id"]}, idempotency_key="once")
    back = office.call("artifacts.update", {"id": made["id"], "status": "DRAFT"})

    assert office.call("artifacts.archive", {"id": made["id"]}, idempotency_key="once") == first
    assert office.rows("artifacts.list") == [back]


def test_it_costs_two_reads_and_one_transaction(store: Store) -> None:
    office, requests = a_counted_office(store)
    made = an_artifact(office, issueId=an_issue(office))
    requests.reset()

    office.call("artifacts.archive", {"id": made["id"]}, idempotency_key="once")

    assert (requests.reads, requests.writes, requests.most_items) == (2, 1, 5)


def test_an_unknown_artifact_is_not_found(office: Office, other_office: Office) -> None:
    foreign = an_artifact(other_office, slug="theirs")
    narrowed = office.a_narrowed_key(project_ids=["prj_1"])

    for artifact_id in ("art_unknown", foreign["id"], "theirs"):
        for key in (office.owner_key, narrowed):
            refused = office.refused("artifacts.archive", {"id": artifact_id}, key=key)

            assert refused == (404, "not_found", set())
    assert other_office.rows("artifacts.list") == [foreign]


def test_a_narrowed_key_archives_only_what_it_sees(office: Office) -> None:
    key, ours, hidden = a_narrowed_shelf(office)

    for one in hidden:
        assert office.refused("artifacts.archive", {"id": one["id"]}, key=key) == (403, "forbidden", set())
    assert office.call("artifacts.archive", {"id": ours["id"]}, key=key)["archivedAt"]


@pytest.mark.parametrize("mode", ["RESEARCH", "REVIEW", "DISCUSS"])
def test_a_mode_that_changes_nothing_archives_none_of_its_issue(office: Office, mode: str) -> None:
    issue_id = an_issue(office)
    made, loose = an_artifact(office, issueId=issue_id), an_artifact(office)
    key = an_engaged_key(office, issue_id, mode)

    refused = office.refused("artifacts.archive", {"id": made["id"]}, key=key)

    assert refused == (403, "mode_forbidden", set())
    assert office.call("artifacts.archive", {"id": loose["id"]}, key=key)["status"] == "ARCHIVED"


@pytest.mark.parametrize("artifact_id", ["", "a" * 41, None, 5])
def test_an_id_that_can_not_be_one_is_refused(tableless_office: Office, artifact_id: object) -> None:
    assert tableless_office.refused("artifacts.archive", {"id": artifact_id}) == (
        400,
        "invalid_input",
        {"id"},
    )


def test_only_the_scope_write_issues_archives_them(office: Office) -> None:
    made = an_artifact(office)
    key = office.a_key(scopes=["READ_ISSUES", "WRITE_COMMENTS", "ADMIN"])["rawKey"]

    assert office.refused("artifacts.archive", {"id": made["id"]}, key=key) == (403, "scope_required", set())


def test_an_artifact_can_be_archived_over_mcp(office: Office) -> None:
    made = an_artifact(office)

    assert office.mcp("artifacts_archive", {"id": made["id"]})["status"] == "ARCHIVED"
    assert office.mcp_error("artifacts_archive", {"id": "art_unknown"}) == "not_found"
