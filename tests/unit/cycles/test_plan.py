"""cycles.plan: many issues come into a cycle or leave it, all of them checked first."""

from typing import Any

from forge.testing.instruments import Parameters, Send
from forge.work.issues.issues import IssueItem
from forge.work.record.log.kinds import EventKind
from tests.workshop.cycles import a_cycle, add, cycles_of, members, stored_members
from tests.workshop.interference import COMMIT, only
from tests.workshop.issues import a_project, an_issue, assign, events, head, issues, woken
from tests.workshop.office import Body, Office


def plan(office: Office, cycle_id: str, **wanted: object) -> Body:
    return office.call("cycles.plan", {"cycleId": cycle_id, **wanted})


def refused(office: Office, cycle_id: str, **wanted: object) -> tuple[int, str, set[str]]:
    return office.refused("cycles.plan", {"cycleId": cycle_id, **wanted})


def test_some_come_and_some_go_and_only_what_moved_is_counted(office: Office) -> None:
    cycle_id, other = a_cycle(office), a_cycle(office, "Sprint 2")
    inside, elsewhere, loose, leaving = issues(office, 4)
    add(office, cycle_id, inside, leaving)
    add(office, other, elsewhere)

    done = plan(office, "sprint 1", issueIds=[inside, loose, elsewhere], removeIssueIds=[leaving])

    assert done == {"planned": 2, "removed": 1, "cycleId": cycle_id, "failed": []}
    assert members(office, cycle_id) == {inside, loose, elsewhere}
    assert members(office, other) == set()
    again = plan(office, cycle_id, issueIds=[inside])
    assert again == {"planned": 0, "cycleId": cycle_id, "failed": []}


def test_what_is_in_another_cycle_is_not_taken_out_of_that(office: Office) -> None:
    cycle_id, other, issue_id = a_cycle(office), a_cycle(office, "Sprint 2"), an_issue(office)
    add(office, other, issue_id)

    assert plan(office, cycle_id, removeIssueIds=[issue_id])["removed"] == 0
    assert members(office, other) == {issue_id}


def test_it_is_told_of_each_and_wakes_nobody(office: Office) -> None:
    cycle_id, issue_id = a_cycle(office), an_issue(office)
    assign(office, issue_id, office.an_agent()["id"])
    place = len(office.log())

    plan(office, cycle_id, issueIds=[issue_id])

    (told,) = events(office, EventKind.ISSUE_UPDATED)
    assert (told.payload, told.issue_id, told.action) == ({"cycleId": cycle_id}, issue_id, "plan")
    assert woken(office, place) == []


def test_one_that_is_unknown_or_out_of_reach_keeps_all_where_they_are(office: Office) -> None:
    cycle_id, project_id = a_cycle(office), a_project(office)
    inside, outside = an_issue(office, projectId=project_id), an_issue(office)
    key = office.a_narrowed_key(project_ids=[project_id])

    assert refused(office, cycle_id, issueIds=[inside, "iss_none"]) == (400, "invalid_input", {"issueIds"})
    unknown = refused(office, cycle_id, issueIds=[inside], removeIssueIds=["iss_none"])
    assert unknown == (400, "invalid_input", {"removeIssueIds"})
    hidden = office.refused("cycles.plan", {"cycleId": cycle_id, "issueIds": [inside, outside]}, key=key)
    assert hidden[:2] == (403, "forbidden")

    assert cycles_of(office, inside, outside) == [None, None]


def test_an_issue_is_named_once_by_whatever_name(office: Office) -> None:
    cycle_id, issue_id = a_cycle(office), an_issue(office)
    identifier = office.call("issues.get", {"id": issue_id})["identifier"]

    twice = refused(office, cycle_id, issueIds=[issue_id], removeIssueIds=[identifier])
    assert twice == (400, "invalid_input", {"removeIssueIds"})
    assert plan(office, cycle_id, issueIds=[issue_id, identifier])["planned"] == 1


def test_none_and_too_many_are_refused_for_their_form(tableless_office: Office) -> None:
    some = [f"iss_{place}" for place in range(251)]

    for wrong in ({}, {"issueIds": some, "removeIssueIds": some}, {"issueIds": [*some, *some]}):
        form = tableless_office.refused("cycles.plan", {"cycleId": "cyc_01J00000000000000000000000", **wrong})
        assert form == (400, "invalid_input", {"issueIds"})


def test_more_than_fit_into_one_transaction_all_move(office: Office) -> None:
    first, second = a_cycle(office), a_cycle(office, "Sprint 2")
    ids = stored_members(office, first, 500)

    done = plan(office, second, issueIds=ids)

    assert (done["planned"], done["failed"]) == (500, [])
    assert (members(office, first), members(office, second)) == (set(), set(ids))


def test_a_chunk_that_somebody_else_was_changing_is_told(office: Office) -> None:
    cycle_id, elsewhere = a_cycle(office), a_cycle(office, "Sprint 2")
    ids = stored_members(office, elsewhere, 45)
    changed = head(office, ids[3])
    office.interference.handle = only(COMMIT, _overtaken_once(office, changed))

    done = plan(office, cycle_id, issueIds=ids)

    assert (done["planned"], [one["id"] for one in done["failed"]]) == (25, ids[:20])
    assert (members(office, cycle_id), members(office, elsewhere)) == (set(ids[20:]), set(ids[:20]))


def _overtaken_once(office: Office, issue: IssueItem) -> Any:
    pending = [issue]

    def overtake(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        if pending:
            tx = office.begin()
            tx.replace(pending.pop().changed(title="Another title"))
            office.commit(tx)
        return send(**parameters)

    return overtake
