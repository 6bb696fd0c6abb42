"""cycles.rollover: what is not finished moves on, and the cycles themselves with it."""

from datetime import timedelta

from forge.work.record.log.kinds import EventKind
from tests.workshop.cycles import a_cycle, add, an_active_cycle, cycles_of, members, stored_members
from tests.workshop.issues import an_issue, assign, events, issues, move, now, woken
from tests.workshop.office import Body, Office


def roll(office: Office, **wanted: object) -> Body:
    return office.call("cycles.rollover", wanted)


def status(office: Office, cycle_id: str) -> str:
    return str(office.call("cycles.get", {"id": cycle_id})["status"])


def a_later_cycle(office: Office, name: str = "Sprint 2", *, weeks: int = 1) -> str:
    return a_cycle(office, name, startsAt=(now(office) + timedelta(weeks=weeks)).isoformat())


def test_what_is_open_moves_from_the_current_cycle_to_the_next(office: Office) -> None:
    source, later = an_active_cycle(office), a_later_cycle(office, "Sprint 3", weeks=2)
    target = a_later_cycle(office)
    opened, started, done, canceled = issues(office, 4)
    add(office, source, opened, started, done, canceled)
    for issue_id, category in ((started, "IN_PROGRESS"), (done, "DONE"), (canceled, "CANCELED")):
        move(office, issue_id, category)

    answer = roll(office)

    assert answer == {
        "rolled": 2,
        "targetCycleId": target,
        "sourceCompleted": False,
        "targetActivated": False,
    }
    assert (members(office, source), members(office, later)) == ({done, canceled}, set())
    assert members(office, target) == {opened, started}
    assert office.call("cycles.current")["id"] == source


def test_without_a_next_one_it_is_made_and_does_not_take_a_name(office: Office) -> None:
    source = an_active_cycle(office, lengthDays=10, cooldownDays=2)
    a_cycle(office, "Sprint 1 (rollover)", startsAt="2000-01-01T00:00:00Z")
    issue_id = an_issue(office)
    add(office, source, issue_id)

    target = roll(office, fromCycleId="Sprint 1")["targetCycleId"]

    made, old = (office.call("cycles.get", {"id": one}) for one in (target, source))
    assert (made["name"], made["status"]) == ("Sprint 1 (rollover 2)", "PLANNED")
    assert (made["lengthDays"], made["cooldownDays"]) == (10, 2)
    assert made["startsAt"][:10] > old["endsAt"][:10]
    assert members(office, target) == {issue_id}


def test_an_activated_target_is_current_and_the_source_completed(office: Office) -> None:
    source, target = an_active_cycle(office), a_later_cycle(office)

    answer = roll(office, activateTarget=True)

    assert (answer["sourceCompleted"], answer["targetActivated"], answer["rolled"]) == (True, True, 0)
    assert (status(office, source), office.call("cycles.current")["id"]) == ("COMPLETED", target)


def test_a_completed_source_leaves_none_current(office: Office) -> None:
    source = an_active_cycle(office)

    assert roll(office, completeSource=True)["sourceCompleted"] is True

    assert (status(office, source), office.send("cycles.current").body) == ("COMPLETED", "null")


def test_with_no_current_cycle_one_has_to_be_named(office: Office) -> None:
    a_cycle(office)

    assert office.refused("cycles.rollover") == (409, "conflict", set())


def test_a_third_cycle_that_is_active_forbids_to_activate_the_target(office: Office) -> None:
    source, target = a_cycle(office), a_later_cycle(office)
    an_active_cycle(office, "Sprint 0")
    issue_id = an_issue(office)
    add(office, source, issue_id)

    wanted = {"fromCycleId": source, "targetCycleId": target, "activateTarget": True}
    assert office.refused("cycles.rollover", wanted) == (409, "conflict", set())

    assert (status(office, target), cycles_of(office, issue_id)) == ("PLANNED", [source])


def test_source_and_target_must_be_there_and_take_issues(office: Office, other_office: Office) -> None:
    source, over, foreign = an_active_cycle(office), a_later_cycle(office), a_cycle(other_office)
    office.call("cycles.update", {"id": over, "status": "COMPLETED"})

    assert office.refused("cycles.rollover", {"fromCycleId": foreign}) == (404, "not_found", set())
    for wrong in (foreign, source):
        refused = office.refused("cycles.rollover", {"targetCycleId": wrong})
        assert refused == (400, "invalid_input", {"targetCycleId"})
    assert office.refused("cycles.rollover", {"targetCycleId": over}) == (409, "conflict", set())


def test_it_is_told_of_each_issue_and_wakes_nobody(office: Office) -> None:
    source, target, issue_id = an_active_cycle(office), a_later_cycle(office), an_issue(office)
    add(office, source, issue_id)
    assign(office, issue_id, office.an_agent()["id"])
    place = len(office.log())

    roll(office)

    told = events(office, EventKind.ISSUE_UPDATED)[-1]
    assert (told.payload, told.action, told.tool) == ({"cycleId": target}, "rollover", "cycles.rollover")
    assert woken(office, place) == []


def test_a_repetition_joins_what_is_under_way_even_if_the_target_is_current_now(office: Office) -> None:
    source, target = an_active_cycle(office), a_later_cycle(office)
    first = an_issue(office)
    add(office, source, first)
    answer = roll(office, activateTarget=True)

    assert roll(office, activateTarget=True) == answer
    assert roll(office, fromCycleId=source)["targetCycleId"] == target

    assert members(office, target) == {first}
    assert len(office.rows("cycles.list")) == 2


def test_another_rollover_may_follow_a_finished_one_at_once(office: Office) -> None:
    source, second, third = an_active_cycle(office), a_later_cycle(office), a_later_cycle(office, "Sprint 3")
    first = an_issue(office)
    add(office, source, first)
    assert roll(office, targetCycleId=second, activateTarget=True)["rolled"] == 1
    late = an_issue(office)
    add(office, source, late)

    assert roll(office, fromCycleId=source, targetCycleId=third)["rolled"] == 1
    assert roll(office, targetCycleId=third)["rolled"] == 1
    for _ in range(3):
        office.world.clock.advance(minutes=2)
        office.sweep()

    assert [members(office, one) for one in (source, second, third)] == [set(), set(), {first, late}]


def test_a_target_that_is_over_takes_nothing_and_another_does_at_once(office: Office) -> None:
    source, target = an_active_cycle(office), a_later_cycle(office)
    roll(office, activateTarget=True)
    office.call("cycles.update", {"id": target, "status": "COMPLETED"})

    assert roll(office, fromCycleId=source)["targetCycleId"] not in (source, target)


def test_two_at_once_are_one(office: Office) -> None:
    source, target = an_active_cycle(office), a_later_cycle(office)
    ids = stored_members(office, source, 45)
    office.meanwhile(lambda: roll(office, activateTarget=True))

    answer = roll(office, activateTarget=True)

    assert (answer["rolled"], answer["targetCycleId"]) == (45, target)
    assert (members(office, source), members(office, target)) == (set(), set(ids))
    assert len(events(office, EventKind.ISSUE_UPDATED)) == 45
    assert len(office.rows("cycles.list")) == 2


def test_a_name_that_is_taken_at_that_moment_is_not_used(office: Office) -> None:
    an_active_cycle(office)
    taken = {"name": "Sprint 1 (rollover)", "startsAt": "2000-01-01T00:00:00Z"}
    office.meanwhile(lambda: office.call("cycles.create", taken))

    target = roll(office)["targetCycleId"]

    assert office.call("cycles.get", {"id": target})["name"] == "Sprint 1 (rollover 2)"
