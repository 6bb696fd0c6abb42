"""Who may make an artifact, for which issue, and how many; what can not be made is refused."""

import pytest

from forge.store.store import Store
from forge.testing.instruments import watched
from forge.testing.world import World
from forge.work.content.artifacts.artifacts import MAX_OF_ISSUE
from tests.unit.artifacts.shelf import (
    A_REPORT,
    a_full_issue,
    a_project,
    an_artifact,
    an_engaged_key,
    an_issue,
    links,
)
from tests.unit.office import Office
from tests.unit.store.interference import COMMIT, Interference, once_before


def test_an_issue_has_only_so_many(office: Office) -> None:
    nearly, full = a_full_issue(office, but=1), a_full_issue(office)

    an_artifact(office, issueId=nearly)
    logged = office.log()

    for issue_id in (nearly, full):
        refused = office.refused("artifacts.create", A_REPORT | {"issueId": issue_id})

        assert refused == (422, "precondition_failed", set())
    assert office.log() == logged


def test_of_two_who_add_the_last_one_at_once_one_is_refused(store: Store) -> None:
    interference = Interference()
    office = Office(World(store=watched(store, interference)))
    issue_id = a_full_issue(office, but=1)
    interference.handle = once_before(COMMIT, lambda: an_artifact(office, issueId=issue_id))

    refused = office.refused("artifacts.create", A_REPORT | {"issueId": issue_id})

    assert refused == (422, "precondition_failed", set())
    assert len(links(office, issue_id)) == 1


def test_an_issue_that_is_really_full_is_listed_whole(office: Office) -> None:
    issue_id = an_issue(office)
    for _ in range(MAX_OF_ISSUE):
        an_artifact(office, issueId=issue_id)

    refused = office.refused("artifacts.create", A_REPORT | {"issueId": issue_id})
    page = office.call("artifacts.list", {"issueId": issue_id, "limit": 100, "fields": ["id"]})
    rest = office.call("artifacts.list", {"issueId": issue_id, "cursor": page["nextCursor"]})

    assert refused == (422, "precondition_failed", set())
    assert len({row["id"] for row in [*page["data"], *rest["data"]]}) == MAX_OF_ISSUE


def test_an_unknown_issue_is_named(office: Office, other_office: Office) -> None:
    for issue_id in ("iss_unknown", an_issue(other_office), "NONE-1"):
        refused = office.refused("artifacts.create", A_REPORT | {"issueId": issue_id})

        assert refused == (400, "invalid_input", {"issueId"})
    assert office.rows("artifacts.list") == []


def test_a_narrowed_key_makes_only_what_it_will_see(office: Office) -> None:
    project_id = a_project(office)
    ours, theirs = an_issue(office, projectId=project_id), an_issue(office)
    key = office.a_narrowed_key(project_ids=[project_id])

    for more in ({"issueId": theirs}, {}):
        assert office.refused("artifacts.create", A_REPORT | more, key=key) == (403, "forbidden", set())
    assert an_artifact(office, key=key, issueId=ours)["issueId"] == ours


@pytest.mark.parametrize("mode", ["RESEARCH", "REVIEW", "DISCUSS"])
def test_a_mode_that_changes_nothing_makes_none_for_its_issue(office: Office, mode: str) -> None:
    issue_id = an_issue(office)
    key = an_engaged_key(office, issue_id, mode)

    refused = office.refused("artifacts.create", A_REPORT | {"issueId": issue_id}, key=key)

    assert refused == (403, "mode_forbidden", set())
    assert an_artifact(office, key=key)["issueId"] is None
    assert an_artifact(office, key=key, issueId=an_issue(office))["issueId"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", ""),
        ("title", "  "),
        ("title", "t" * 201),
        ("title", None),
        ("body", ""),
        ("body", "b" * 200_001),
        ("body", None),
        ("artifactType", "NOVEL"),
        ("type", "NOVEL"),
        ("status", "DONE"),
        ("summary", "s" * 2_001),
        ("summary", "😀" * 1_501),
        ("slug", ""),
        ("slug", "Report"),
        ("slug", "a b"),
        ("slug", "s" * 65),
        ("slug", "ü"),
        ("issueId", "i" * 41),
    ],
)
def test_what_can_not_be_is_refused(tableless_office: Office, field: str, value: object) -> None:
    refused = tableless_office.refused("artifacts.create", A_REPORT | {field: value})

    assert refused == (400, "invalid_input", {field})


def test_only_the_scope_write_issues_makes_them(office: Office) -> None:
    key = office.a_key(scopes=["READ_ISSUES", "WRITE_COMMENTS", "ADMIN"])["rawKey"]

    assert office.refused("artifacts.create", A_REPORT, key=key) == (403, "scope_required", set())
