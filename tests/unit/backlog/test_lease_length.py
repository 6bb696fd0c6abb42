"""A workspace says how long a lock of its backlog lasts."""

from datetime import datetime, timedelta

from tests.workshop.backlog import Session, a_repository, backlog, filed, identifier
from tests.workshop.office import Body, Office


def left_of(office: Office, lock: Body) -> timedelta:
    return datetime.fromisoformat(lock["leaseExpiresAt"]) - office.world.clock()


def test_every_call_that_takes_or_keeps_a_lock_goes_by_the_setting(office: Office) -> None:
    office.call("workspaces.update", {"backlogLeaseSeconds": 60})
    a_repository(office)
    number = filed(office)
    first, second = Session(office, "a"), Session(office, "b")

    taken = first.select()["lock"]
    office.world.clock.advance(seconds=30)
    renewed, held = first.renew(number)["lock"], left_of(office, taken)
    office.world.clock.advance(seconds=30)
    first.advance(number, "research")
    still_held = second.select()["reason"]
    forced = second.force(number)["lock"]

    assert held == timedelta(seconds=30)
    assert left_of(office, renewed) == timedelta(seconds=30)
    assert still_held == "all_locked"
    assert left_of(office, forced) == timedelta(seconds=60)
    shown = office.call("issues.get", {"id": identifier(office, number)})
    assert shown["claimExpiresAt"] == forced["leaseExpiresAt"]


def test_who_has_a_lock_keeps_its_time_when_the_setting_changes_and_renews_for_the_new_one(
    office: Office,
) -> None:
    a_repository(office)
    number = filed(office)
    session = Session(office, "a")
    session.taken()
    office.call("workspaces.update", {"backlogLeaseSeconds": 3600})

    office.world.clock.advance(minutes=29)
    assert backlog(office)[0]["isLocked"] is True
    assert left_of(office, session.renew(number)["lock"]) == timedelta(hours=1)
