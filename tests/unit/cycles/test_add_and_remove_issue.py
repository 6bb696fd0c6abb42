"""cycles.addIssue and cycles.removeIssue: one issue comes into a cycle, or leaves the one it is in."""

from forge.work.record.log.kinds import EventKind
from tests.workshop.cycles import a_cycle, an_active_cycle, members
from tests.workshop.issues import an_issue, assign, events, last, move, woken
from tests.workshop.office import Body, Office


def put(office: Office, cycle_id: str, issue_id: str, **how: str) -> Body:
    return office.call("cycles.addIssue", {"cycleId": cycle_id, "issueId": issue_id}, **how)


def test_an_issue_is_in_one_cycle_at_a_time(office: Office) -> None:
    first, second, issue_id = an_active_cycle(office), a_cycle(office, "Sprint 2"), an_issue(office)

    shown = put(office, "current", issue_id)
    assert (shown["id"], shown["cycleId"], shown["status"]["category"]) == (issue_id, first, "BACKLOG")
    put(office, "sprint 2", issue_id)

    assert (members(office, first), members(office, second)) == (set(), {issue_id})
    removed = office.call("cycles.removeIssue", {"issueId": issue_id})
    assert (removed["cycleId"], members(office, second)) == (None, set())


def test_an_issue_leaves_no_other_cycle_than_the_one_that_was_meant(office: Office) -> None:
    first, second, issue_id = a_cycle(office, "Sprint 1"), a_cycle(office, "Sprint 2"), an_issue(office)
    put(office, second, issue_id)

    refused = office.refused("cycles.removeIssue", {"issueId": issue_id, "cycleId": "Sprint 1"})

    assert (refused, members(office, second)) == ((400, "invalid_input", {"cycleId"}), {issue_id})
    for meant in (second, first):
        left = office.call("cycles.removeIssue", {"issueId": issue_id, "cycleId": meant})
        assert left["cycleId"] is None


def test_each_move_is_told_and_wakes_whoever_has_the_issue(office: Office) -> None:
    cycle_id, issue_id, agent_id = a_cycle(office), an_issue(office), office.an_agent()["id"]
    assign(office, issue_id, agent_id)
    place = len(office.log())

    put(office, cycle_id, issue_id)
    assert last(office, EventKind.ISSUE_UPDATED).payload == {"cycleId": cycle_id}
    office.call("cycles.removeIssue", {"issueId": issue_id})

    assert last(office, EventKind.ISSUE_UPDATED).payload == {"cycleId": None}
    assert woken(office, place) == [(agent_id, "ISSUE_UPDATED")] * 2


def test_an_edit_of_the_issue_does_the_same(office: Office) -> None:
    cycle_id, issue_id = a_cycle(office), an_issue(office)

    office.call("issues.update", {"id": issue_id, "cycleId": "Sprint 1"})
    assert members(office, cycle_id) == {issue_id}
    office.call("issues.update", {"id": issue_id, "clear": ["cycleId"]})

    assert members(office, cycle_id) == set()


def test_a_done_issue_still_counts(office: Office) -> None:
    cycle_id, issue_id = a_cycle(office), an_issue(office)
    put(office, cycle_id, issue_id)

    move(office, issue_id, "DONE")

    assert members(office, cycle_id) == {issue_id}


def test_two_who_move_it_at_once_leave_it_in_one_cycle(office: Office) -> None:
    first, second, issue_id = a_cycle(office), a_cycle(office, "Sprint 2"), an_issue(office)
    office.meanwhile(lambda: put(office, first, issue_id))

    put(office, second, issue_id)

    assert (members(office, first), members(office, second)) == (set(), {issue_id})
    assert len(events(office, EventKind.ISSUE_UPDATED)) == 2
