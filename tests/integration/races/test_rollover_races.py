"""Rollovers and planning at the same moment: each issue ends in exactly one cycle, and the counts say so."""

from datetime import timedelta

from forge.store.store import Store
from forge.testing.world import World
from forge.work.record.log.kinds import EventKind
from tests.integration.races.crowds import at_once
from tests.workshop.cycles import a_cycle, an_active_cycle, members, stored_members
from tests.workshop.issues import events, now
from tests.workshop.office import Office

CROWD, ISSUES = 4, 60


def test_a_crowd_that_rolls_one_cycle_over_does_it_once(store: Store) -> None:
    office = Office(World(store=store))
    source = an_active_cycle(office)
    target = a_cycle(office, "Sprint 2", startsAt=(now(office) + timedelta(weeks=1)).isoformat())
    ids = stored_members(office, source, ISSUES)

    answers = at_once(CROWD, lambda _: office.call("cycles.rollover", {"activateTarget": True}))

    assert {answer["targetCycleId"] for answer in answers} == {target}
    assert (members(office, source), members(office, target)) == (set(), set(ids))
    assert len(events(office, EventKind.ISSUE_UPDATED)) == ISSUES
    assert len(office.rows("cycles.list")) == 2


def test_planning_and_rolling_over_at_once_lose_nothing(store: Store) -> None:
    office = Office(World(store=store))
    source, aside = an_active_cycle(office), a_cycle(office, "Aside", startsAt="2000-01-01T00:00:00Z")
    ids = stored_members(office, source, ISSUES)

    def act(place: int) -> str | None:
        if place:
            wanted = {"cycleId": aside, "issueIds": ids[place::CROWD]}
            # Whoever comes too late for a part of it is told so.
            assert office.send("cycles.plan", wanted).status in (200, 409)
            return None
        return str(office.call("cycles.rollover")["targetCycleId"])

    target = at_once(CROWD, act)[0]

    found = [members(office, one) for one in (source, aside, str(target))]
    assert sorted(issue_id for some in found for issue_id in some) == sorted(ids)
    assert found[0] == set()
