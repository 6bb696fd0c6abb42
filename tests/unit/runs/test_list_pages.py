"""Runs come in pages that neither repeat nor lose any."""

from datetime import timedelta

import pytest

from tests.unit.runs.histories import AGENT, pages, stored_runs
from tests.workshop.issues import stored_issues
from tests.workshop.office import Office, ids_in
from tests.workshop.runs import engaged


def test_before_holds_on_every_page(office: Office) -> None:
    ids = stored_runs(office, stored_issues(office, 9))
    before = (office.world.clock() - timedelta(seconds=2)).isoformat()

    found = pages(office, limit=3, before=before)

    assert [ids_in(page) for page in found] == [ids[2:5], ids[5:8], ids[8:]]


@pytest.mark.parametrize("filters", [{}, {"agentId": AGENT}, {"status": "COMPLETED"}])
def test_pages_neither_repeat_nor_lose_a_run(office: Office, filters: dict[str, str]) -> None:
    ids = stored_runs(office, stored_issues(office, 7))

    found = pages(office, limit=3, **filters)

    assert [ids_in(page) for page in found] == [ids[:3], ids[3:6], ids[6:]]
    assert all("truncated" not in page for page in found)


def test_runs_that_started_together_are_each_listed_once(office: Office) -> None:
    workers = [engaged(office) for _ in range(5)]

    found = pages(office, limit=2)

    ids = [run_id for page in found for run_id in ids_in(page)]
    assert sorted(ids) == sorted(worker.run_id for worker in workers)


@pytest.mark.parametrize("limit", [120, 200])
def test_a_page_ends_where_one_request_can_not_read_the_issues(office: Office, limit: int) -> None:
    ids = stored_runs(office, stored_issues(office, 210))

    found = pages(office, limit=limit, fields=["status"])

    assert [run_id for page in found for run_id in ids_in(page)] == ids
    assert all(page["truncated"] for page in found[:-1])
    assert "truncated" not in found[-1]


def test_many_runs_of_few_issues_and_agents_fit_on_a_page(office: Office) -> None:
    (issue_id,) = stored_issues(office, 1)
    ids = stored_runs(office, [issue_id] * 200)

    (page,) = pages(office, limit=200, fields=["status"])

    assert ids_in(page) == ids


def test_a_cursor_is_for_its_own_list(office: Office, other_office: Office) -> None:
    issue_ids = stored_issues(office, 2)
    stored_runs(office, issue_ids * 2)
    stored_runs(other_office, stored_issues(other_office, 2))
    of_all = office.call("runs.list", {"limit": 1})["nextCursor"]
    elsewhere = other_office.call("runs.list", {"limit": 1})["nextCursor"]

    for wrong in ({"cursor": elsewhere}, {"cursor": of_all, "agentId": AGENT}, {"cursor": "garbage"}):
        assert office.refused("runs.list", wrong) == (400, "invalid_input", {"cursor"})
    wrong = {"cursor": of_all, "issueId": issue_ids[0]}
    assert office.refused("runs.list", wrong) == (400, "invalid_input", {"cursor"})
