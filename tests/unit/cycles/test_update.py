"""cycles.update: another name, other dates, another status; one cycle at most is ACTIVE."""

from tests.workshop.cycles import a_cycle, activate, an_active_cycle
from tests.workshop.office import Body, Office


def update(office: Office, cycle_id: str, **fields: object) -> Body:
    return office.call("cycles.update", {"id": cycle_id, **fields})


def test_name_and_dates_change_and_the_old_name_is_free(office: Office) -> None:
    cycle_id = a_cycle(office)

    changed = update(
        office, "sprint 1", name="One", startsAt="2099-01-01T00:00:00Z", endsAt="2099-01-11T00:00:00Z"
    )

    assert changed["startsAt"] == "2099-01-01T00:00:00Z"
    assert (changed["id"], changed["name"], changed["lengthDays"]) == (cycle_id, "One", 10)
    assert office.rows("cycles.list") == [changed]
    assert a_cycle(office, "Sprint 1")
    assert office.refused("cycles.update", {"id": cycle_id, "name": "sprint 1"}) == (
        409,
        "conflict",
        {"name"},
    )


def test_what_is_left_out_stays_and_nothing_new_is_no_change(office: Office) -> None:
    cycle_id = a_cycle(office)
    before, rows = office.call("cycles.get", {"id": cycle_id}), len(office.log())

    same = update(office, cycle_id, name="Sprint 1", status="PLANNED", endsAt=None)

    assert same == {name: before[name] for name in same}
    assert len(office.log()) == rows


def test_a_second_cycle_is_active_only_after_the_first(office: Office) -> None:
    first, second = an_active_cycle(office), a_cycle(office, "Sprint 2")

    assert office.refused("cycles.update", {"id": second, "status": "ACTIVE"}) == (409, "conflict", set())
    update(office, first, status="COMPLETED")
    assert office.send("cycles.current").body == "null"
    activate(office, second)
    assert office.call("cycles.current")["id"] == second
    assert office.refused("cycles.update", {"id": first, "status": "ACTIVE"})[0] == 409


def test_of_two_that_are_started_at_once_one_is_refused(office: Office) -> None:
    first, second = a_cycle(office), a_cycle(office, "Sprint 2")
    office.meanwhile(lambda: activate(office, first))

    refused = office.refused("cycles.update", {"id": second, "status": "ACTIVE"})

    assert refused == (409, "conflict", set())
    assert office.call("cycles.current")["id"] == first
    assert office.call("cycles.get", {"id": second})["status"] == "PLANNED"


def test_dates_out_of_order_name_the_one_that_is_given(office: Office) -> None:
    cycle_id = a_cycle(office, startsAt="2099-02-01T00:00:00Z", lengthDays=7)

    for wrong in ({"startsAt": "2099-03-01T00:00:00Z"}, {"endsAt": "2099-01-01T00:00:00Z"}):
        refused = office.refused("cycles.update", {"id": cycle_id, **wrong})
        assert refused == (400, "invalid_input", set(wrong))
