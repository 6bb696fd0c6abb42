"""Many who start and stop timers and journals at the same moment, for one person."""

from collections import Counter

import pytest

from forge.store.store import Store
from forge.testing.world import World
from tests.integration.races.crowds import at_once
from tests.unit.wire.answers import body_of
from tests.workshop.office import Office


@pytest.fixture
def office(store: Store) -> Office:
    office = Office(World(store=store))
    office.call("workspaces.update", {"timeTrackingEnabled": True})
    return office


def test_of_ten_timers_started_at_once_one_runs(office: Office) -> None:
    answers = at_once(10, lambda place: office.send("time.start", {"description": f"number {place}"}))

    assert Counter(answer.status for answer in answers) == {200: 1, 409: 9}
    (started,) = [body_of(answer) for answer in answers if answer.status == 200]
    assert office.rows("time.list") == [started]
    assert office.call("time.running")["id"] == started["id"]


def test_of_ten_who_stop_a_timer_at_once_one_does(office: Office) -> None:
    office.call("time.start")

    answers = at_once(10, lambda place: office.send("time.stop"))

    assert Counter(answer.status for answer in answers) == {200: 1, 409: 9}
    assert office.call("time.start")["endedAt"] is None


def test_ten_who_open_todays_journal_at_once_get_one_entry(office: Office) -> None:
    answers = at_once(10, lambda place: office.send("notes.todayJournal"))

    assert {answer.status for answer in answers} == {200}
    assert len({body_of(answer)["id"] for answer in answers}) == 1
    assert len(office.rows("notes.listJournal")) == 1
