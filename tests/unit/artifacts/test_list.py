"""Artifacts are listed without their texts, the one that changed last first."""

from typing import Any

import pytest

from tests.workshop.artifacts import an_artifact, links
from tests.workshop.issues import an_issue
from tests.workshop.office import Body, Office, ids_in


def listed(office: Office, *, key: str | None = None, **how: object) -> list[str]:
    return [row["id"] for row in office.rows("artifacts.list", how, key=key or office.owner_key)]


def made_one_after_another(office: Office, number: int, **more: Any) -> list[Body]:
    """The newest first."""
    made = []
    for _ in range(number):
        office.world.clock.advance(minutes=1)
        made.append(an_artifact(office, **more))
    return made[::-1]


def test_the_one_that_changed_last_comes_first(office: Office) -> None:
    made = made_one_after_another(office, 3)
    office.world.clock.advance(minutes=1)
    office.call("artifacts.update", {"id": made[2]["id"], "status": "ACCEPTED"})

    assert listed(office) == [made[2]["id"], made[0]["id"], made[1]["id"]]


def test_a_row_has_everything_but_the_text(office: Office) -> None:
    made = an_artifact(office, summary="s" * 2_000)

    assert office.rows("artifacts.list") == [made]


@pytest.mark.parametrize("is_of_issue", [False, True])
def test_every_filter_narrows_further(office: Office, is_of_issue: bool) -> None:
    issue_id = an_issue(office)
    made = {
        (kind, status): an_artifact(office, artifactType=kind, status=status, issueId=issue_id)["id"]
        for kind in ("SPEC", "REPORT")
        for status in ("DRAFT", "ACCEPTED", "ARCHIVED")
    }
    of: Body = {"issueId": issue_id} if is_of_issue else {}

    def found(**how: Any) -> set[str]:
        return set(listed(office, **of, **how))

    everything = set(made.values())
    archived = {made["SPEC", "ARCHIVED"], made["REPORT", "ARCHIVED"]}
    assert found() == everything - archived
    assert found(includeArchived=True) == everything
    assert found(status="ARCHIVED") == archived
    assert found(type="SPEC") == {made["SPEC", "DRAFT"], made["SPEC", "ACCEPTED"]}
    assert found(artifactType="SPEC", status="DRAFT") == {made["SPEC", "DRAFT"]}
    assert found(status="IN_REVIEW") == set()


def test_the_artifacts_of_an_issue_are_listed_alone(office: Office) -> None:
    issue_id, other_id = an_issue(office), an_issue(office)
    ids = [one["id"] for one in made_one_after_another(office, 3, issueId=issue_id)]
    an_artifact(office, issueId=other_id)
    an_artifact(office)

    assert listed(office, issueId=issue_id) == ids
    assert [ids_in(one) for one in office.pages("artifacts.list", {"issueId": issue_id, "limit": 2})] == [
        ids[:2],
        ids[2:],
    ]
    assert listed(office, issueId=an_issue(office)) == []


def test_the_rows_of_an_issue_are_those_of_all(office: Office) -> None:
    issue_id = an_issue(office)
    made = an_artifact(office, issueId=issue_id, summary="s" * 2_000)

    assert office.rows("artifacts.list", {"issueId": issue_id}) == office.rows("artifacts.list") == [made]


def test_the_order_of_an_issues_artifacts_follows_their_changes(office: Office) -> None:
    issue_id = an_issue(office)
    first, second = reversed(made_one_after_another(office, 2, issueId=issue_id))
    office.world.clock.advance(minutes=1)
    office.call("artifacts.update", {"id": first["id"], "title": "Changed"})

    assert listed(office, issueId=issue_id) == [first["id"], second["id"]]


def test_a_cursor_of_another_list_is_refused(office: Office) -> None:
    one, two = an_issue(office), an_issue(office)
    for issue_id in (one, one, two, two):
        an_artifact(office, issueId=issue_id)
    first = {of: office.call("artifacts.list", {"limit": 1, "issueId": of}) for of in (None, one, two)}

    for of, page in first.items():
        for other in {None, one, two} - {of}:
            refused = office.refused("artifacts.list", {"issueId": other, "cursor": page["nextCursor"]})

            assert refused == (400, "invalid_input", {"cursor"})


def test_one_that_changed_since_its_link_was_read_is_left_out(office: Office) -> None:
    issue_id = an_issue(office)
    made = an_artifact(office, issueId=issue_id)
    (link,) = links(office, issue_id)
    office.call("artifacts.archive", {"id": made["id"]})
    # As if it had been archived between the two requests of the list.
    tx = office.begin()
    tx.overwrite(link)
    office.commit(tx)

    assert listed(office, issueId=issue_id) == []
    assert listed(office, issueId=issue_id, includeArchived=True) == [made["id"]]
