"""Runs are listed newest first: of everybody, an agent, or an issue."""

from datetime import timedelta
from typing import Any

import pytest

from forge.work.issues.runs.runs import RunStatus
from tests.unit.runs.histories import AGENT, GONE, OTHER_AGENT, listed, stored_runs
from tests.workshop.issues import stored_issues
from tests.workshop.office import Office
from tests.workshop.runs import engaged


def written(moment: Any) -> str:
    return str(moment.isoformat(timespec="milliseconds"))


def test_an_end_does_not_move_a_run(office: Office) -> None:
    first = engaged(office)
    office.world.clock.advance(seconds=1)
    second = engaged(office)
    office.world.clock.advance(seconds=1)

    first.call("runs.complete", {"summary": "Done."})

    assert listed(office) == [second.run_id, first.run_id]


def test_runs_of_one_agent(office: Office) -> None:
    issue_ids = stored_issues(office, 4)
    ours = stored_runs(office, issue_ids, agent_id=AGENT)
    stored_runs(office, issue_ids, agent_id=OTHER_AGENT)

    assert listed(office, agentId=AGENT) == ours
    assert office.refused("runs.list", {"agentId": GONE}) == (400, "invalid_input", {"agentId"})


def test_runs_of_one_agent_for_one_issue(office: Office) -> None:
    (issue_id, other_id) = stored_issues(office, 2)
    ours = stored_runs(office, [issue_id] * 3, agent_id=AGENT)
    stored_runs(office, [issue_id] * 3, agent_id=OTHER_AGENT)
    stored_runs(office, [other_id], agent_id=AGENT)

    assert listed(office, issueId=issue_id, agentId=AGENT) == ours


@pytest.mark.parametrize("status", list(RunStatus))
def test_runs_in_one_status(office: Office, status: RunStatus) -> None:
    issue_ids = stored_issues(office, 2)
    ids = {one: stored_runs(office, issue_ids, status=one) for one in RunStatus}

    assert listed(office, status=status.value) == ids[status]
    assert listed(office, status=status.value, agentId=AGENT, issueId=issue_ids[0]) == [ids[status][1]]


def test_before_leaves_out_its_own_moment(office: Office) -> None:
    start = office.world.clock()
    third, second, first = stored_runs(office, stored_issues(office, 3))
    of_second = start + timedelta(seconds=1)

    assert listed(office, before=written(of_second)) == [first]
    assert listed(office, before=written(of_second + timedelta(milliseconds=1))) == [second, first]
    assert listed(office, before=written(of_second - timedelta(milliseconds=1))) == [first]
    assert listed(office, before=written(office.world.clock())) == [third, second, first]
    assert listed(office, before="0300-01-01T00:00:00Z") == []


def test_runs_of_an_issue_that_was_deleted_are_gone_with_it(office: Office) -> None:
    now = office.world.clock()
    (deleted,) = stored_issues(office, 1, deleted_at=now)
    (kept,) = stored_issues(office, 1)
    stored_runs(office, [deleted, "iss_none"])
    ids = stored_runs(office, [kept])

    assert listed(office) == ids
    assert office.refused("runs.list", {"issueId": deleted}) == (404, "not_found", set())


def test_an_agent_that_is_gone_has_no_name(office: Office) -> None:
    stored_runs(office, stored_issues(office, 1), agent_id=GONE)

    assert office.rows("runs.list")[0]["agent"] is None


def test_a_list_is_two_requests_unless_hardly_anything_of_it_is_shown(office: Office) -> None:
    counter = office.counted()
    issue_ids = stored_issues(office, 150, project_id="prj_1")
    stored_runs(office, issue_ids)
    narrowed, blind = (office.a_narrowed_key(project_ids=[name]) for name in ("prj_1", "prj_2"))

    def reads(key: str, **arguments: object) -> int:
        counter.reset()
        office.call("runs.list", arguments, key=key)
        return counter.reads

    for key in (office.owner_key, narrowed):
        for arguments in ({"limit": 200}, {"limit": 1}, {"agentId": AGENT}, {"issueId": issue_ids[0]}):
            assert reads(key, **arguments) == 2
    assert reads(office.owner_key, status="ACTIVE") <= 4
    assert reads(blind, limit=1) <= 6
