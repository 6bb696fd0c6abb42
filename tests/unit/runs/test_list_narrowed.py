"""A narrowed key sees the runs of issues that it may see, and no others."""

import pytest

from forge.testing.world import World
from forge.work.issues.issues import IssueItem
from tests.unit.runs.histories import AGENT, OTHER_AGENT, ids_in, listed, pages, stored_runs
from tests.workshop.issues import stored_issues
from tests.workshop.office import Office
from tests.workshop.runs import engaged


def test_runs_of_its_projects_or_labels_are_listed(office: Office) -> None:
    (of_project,) = stored_issues(office, 1, project_id="prj_1")
    (of_label,) = stored_issues(office, 1, project_id="prj_2", label_ids=frozenset({"lbl_1", "lbl_9"}))
    (of_neither,) = stored_issues(office, 1, project_id="prj_2", label_ids=frozenset({"lbl_2"}))
    (loose,) = stored_issues(office, 1)
    ids = stored_runs(office, [loose, of_neither, of_label, of_project])

    assert listed(office, key=office.a_narrowed_key(project_ids=["prj_1"])) == ids[:1]
    assert listed(office, key=office.a_narrowed_key(label_ids=["lbl_1"])) == ids[1:2]
    both = office.a_narrowed_key(project_ids=["prj_1"], label_ids=["lbl_1"])
    assert listed(office, key=both) == ids[:2]


def test_initiatives_narrow_no_runs(office: Office) -> None:
    ids = stored_runs(office, stored_issues(office, 2))

    assert listed(office, key=office.a_narrowed_key(initiative_ids=["ini_1"])) == ids


def test_filters_are_joined_with_the_narrowing(office: Office) -> None:
    (ours,) = stored_issues(office, 1, project_id="prj_1")
    (theirs,) = stored_issues(office, 1, project_id="prj_2")
    (wanted,) = stored_runs(office, [ours], agent_id=AGENT, status="STALLED")
    stored_runs(office, [ours], agent_id=AGENT)
    stored_runs(office, [ours], agent_id=OTHER_AGENT, status="STALLED")
    stored_runs(office, [theirs], agent_id=AGENT, status="STALLED")
    key = office.a_narrowed_key(project_ids=["prj_1"])

    assert listed(office, key=key, agentId=AGENT, status="STALLED") == [wanted]


def test_an_issue_that_was_asked_for_and_is_not_allowed_is_refused(stored_world: World) -> None:
    office = Office(stored_world)
    label = office.a_label()
    ours, theirs = engaged(office, labelIds=[label["id"]]), engaged(office)
    (quiet,) = stored_issues(office, 1)
    identifier = f"{office.workspace.key_prefix}-{theirs.head.number}"
    key = office.a_narrowed_key(label_ids=[label["id"]])

    assert listed(office, key=key, issueId=ours.issue_id) == [ours.run_id]
    for given in (theirs.issue_id, identifier, quiet):
        assert office.refused("runs.list", {"issueId": given}, key=key) == (403, "forbidden", set())
    assert office.refused("runs.list", {"issueId": "iss_none"}, key=key) == (404, "not_found", set())


def test_it_is_decided_by_where_the_issue_is_now(office: Office) -> None:
    (issue_id,) = stored_issues(office, 1, project_id="prj_1")
    ids = stored_runs(office, [issue_id])
    key = office.a_narrowed_key(project_ids=["prj_2"])
    assert listed(office, key=key) == []

    tx = office.begin()
    tx.adjust(IssueItem.at(office.workspace.id, issue_id), assign={"project_id": "prj_2"})
    office.commit(tx)

    assert listed(office, key=key) == ids


def test_pages_neither_repeat_nor_lose_a_run(office: Office) -> None:
    (ours,) = stored_issues(office, 1, project_id="prj_1")
    (theirs,) = stored_issues(office, 1, project_id="prj_2")
    ids = stored_runs(office, [ours, theirs, theirs] * 5)
    key = office.a_narrowed_key(project_ids=["prj_1"])

    found = pages(office, key=key, limit=2)

    of_ours = ids[2::3]
    assert [ids_in(page) for page in found] == [of_ours[:2], of_ours[2:4], of_ours[4:]]
    assert all("truncated" not in page for page in found)


@pytest.mark.parametrize("limit", [1, 3, 200])
def test_a_page_ends_where_one_request_can_not_read_the_issues(office: Office, limit: int) -> None:
    ours = stored_issues(office, 5, project_id="prj_1")
    theirs = stored_issues(office, 225, project_id="prj_2")
    order = [issue for place, one in enumerate(ours) for issue in (one, *theirs[place * 45 :][:45])]
    ids = stored_runs(office, order)
    key = office.a_narrowed_key(project_ids=["prj_1"])

    found = pages(office, key=key, limit=limit)

    assert [run_id for page in found for run_id in ids_in(page)] == ids[45::46]
    assert all(page.get("truncated", False) for page in found[:-1] if len(page["data"]) < limit)
    assert "truncated" not in found[-1]
