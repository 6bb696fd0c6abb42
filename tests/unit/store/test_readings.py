"""What was read: what is not there is None, and what nobody asked for never looks like that."""

import pytest

from forge.store.readings import NeverRead, Readings
from forge.testing.builders import a_label, a_project, an_agent
from forge.work.workspace.labels import LabelItem
from forge.work.workspace.people.agents import AgentItem

BUG, DOCS, GONE = a_label("bug"), a_label("docs"), a_label("gone")


@pytest.fixture
def readings() -> Readings:
    readings = Readings()
    readings.hold_items([BUG, an_agent()])
    readings.hold_absent([GONE.key])
    return readings


def test_what_it_holds_is_found_as_what_it_is(readings: Readings) -> None:
    assert readings.find(LabelItem, BUG.key) == readings.get(LabelItem, BUG.key) == BUG
    assert readings.find(AgentItem, an_agent().key) == an_agent()
    assert readings.has(BUG.key)


def test_what_is_not_there_is_none_and_must_not_be_asked_for_as_if_it_had_to_be(readings: Readings) -> None:
    assert readings.find(LabelItem, GONE.key) is None
    assert not readings.has(GONE.key)
    with pytest.raises(LookupError) as missed:
        readings.get(LabelItem, GONE.key)
    assert not isinstance(missed.value, NeverRead)


def test_a_number_that_nothing_was_added_to_is_none(readings: Readings) -> None:
    assert readings.number(BUG.key, "version") == 1
    assert readings.number(BUG.key, "uses") == readings.number(GONE.key, "uses") == 0


def test_what_nobody_read_raises_however_it_is_asked_for(readings: Readings) -> None:
    for ask in (
        lambda: readings.find(LabelItem, DOCS.key),
        lambda: readings.get(LabelItem, DOCS.key),
        lambda: readings.has(DOCS.key),
        lambda: readings.number(DOCS.key, "version"),
    ):
        with pytest.raises(NeverRead):
            ask()


def test_without_a_table_only_what_is_known_can_be_fetched(readings: Readings) -> None:
    readings.fetch([BUG.key, GONE.key])
    with pytest.raises(NeverRead):
        readings.fetch([BUG.key, a_project().key])


def test_what_is_held_later_takes_the_place_of_what_was_held_before(readings: Readings) -> None:
    readings.hold_items([GONE])
    readings.hold_absent([BUG.key])

    assert (readings.find(LabelItem, GONE.key), readings.find(LabelItem, BUG.key)) == (GONE, None)
