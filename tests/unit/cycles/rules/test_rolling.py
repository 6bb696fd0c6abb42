"""Where a rollover goes if nobody says so, and what it makes of the two cycles."""

from datetime import timedelta
from itertools import islice

import pytest

from forge.errors import Conflict, InvalidInput
from forge.testing.clock import NOON
from forge.work.content.cycles.cycles import CycleItem, CycleStatus
from functions.cycles import rules
from functions.cycles.rules import CycleHandover
from tests.workshop.cycles import cycle

WEEK = timedelta(days=7)
SOURCE = cycle(status=CycleStatus.ACTIVE)
TARGET = cycle(id="cyc_target", name="Sprint 2")


def hand_over(
    source: CycleItem = SOURCE,
    target: CycleItem = TARGET,
    *,
    active_id: str | None = SOURCE.id,
    completes: bool = False,
    activates: bool = False,
) -> CycleHandover:
    return rules.hand_over(source, target, active_id, completes_source=completes, activates_target=activates)


def outcome(after: CycleHandover) -> tuple[str, str, str | None]:
    return after.source.status, after.target.status, after.active_id


def test_the_next_one_is_the_first_that_is_planned_for_later() -> None:
    def later(weeks: int, **fields: object) -> CycleItem:
        return cycle(id=f"cyc_w{weeks}", starts_at=NOON + weeks * WEEK, **fields)

    early, second, third = later(0), later(2), later(3)
    running = later(1, status=CycleStatus.ACTIVE)

    assert rules.next_planned(SOURCE, [third, early, second, running, SOURCE]) == second
    assert rules.next_planned(SOURCE, [early, running]) is None
    assert rules.next_planned(SOURCE, [later(1)]) == later(1)


def test_a_successor_is_as_long_and_begins_after_the_days_of_rest() -> None:
    source = cycle(length_days=10, cooldown_days=2)

    made = rules.successor(source, id="cyc_2", name="Next", now=NOON)

    assert made.starts_at == source.ends_at + timedelta(days=2)
    assert made.ends_at == made.starts_at + timedelta(days=10)
    assert (made.length_days, made.cooldown_days, made.status) == (10, 2, CycleStatus.PLANNED)


@pytest.mark.parametrize("name", ["Sprint 1", "Sprint 1 (rollover)", "Sprint 1 (rollover 7)"])
def test_a_successor_is_called_after_the_first_of_its_line(name: str) -> None:
    names = rules.successor_names(name, longest=80)

    assert list(islice(names, 3)) == [
        "Sprint 1 (rollover)",
        "Sprint 1 (rollover 2)",
        "Sprint 1 (rollover 3)",
    ]


def test_no_name_is_too_long() -> None:
    names = list(islice(rules.successor_names("n" * 80, longest=80), 12))

    assert {len(name) for name in names} == {80}
    assert len(set(names)) == 12


def test_a_rollover_alone_changes_no_status() -> None:
    assert outcome(hand_over()) == ("ACTIVE", "PLANNED", SOURCE.id)


def test_the_source_is_completed_if_asked_and_none_is_current_then() -> None:
    assert outcome(hand_over(completes=True)) == ("COMPLETED", "PLANNED", None)


def test_an_activated_target_is_current_and_completes_the_source() -> None:
    assert outcome(hand_over(activates=True)) == ("COMPLETED", "ACTIVE", TARGET.id)


def test_what_is_over_already_stays_as_it_ended() -> None:
    canceled = SOURCE.changed(status=CycleStatus.CANCELED)

    assert outcome(hand_over(canceled, active_id=None, activates=True)) == ("CANCELED", "ACTIVE", TARGET.id)


def test_a_third_cycle_that_is_active_forbids_to_activate_and_nothing_else() -> None:
    planned = SOURCE.changed(status=CycleStatus.PLANNED)

    assert outcome(hand_over(planned, active_id="cyc_3", completes=True)) == ("COMPLETED", "PLANNED", "cyc_3")
    with pytest.raises(Conflict):
        hand_over(planned, active_id="cyc_3", activates=True)


@pytest.mark.parametrize("status", [CycleStatus.COMPLETED, CycleStatus.CANCELED])
def test_a_target_that_is_over_takes_nothing(status: CycleStatus) -> None:
    with pytest.raises(Conflict):
        hand_over(target=TARGET.changed(status=status))


def test_no_cycle_rolls_over_into_itself() -> None:
    with pytest.raises(InvalidInput) as refused:
        hand_over(target=SOURCE)

    assert set(refused.value.issues or ()) == {"targetCycleId"}


def test_what_is_under_way_is_joined_on_its_way_alone_while_that_takes_issues() -> None:
    rules.require_same_way(TARGET, None)
    rules.require_same_way(TARGET, TARGET.id)
    over = TARGET.changed(status=CycleStatus.COMPLETED)
    for target, wanted in ((TARGET, "cyc_other"), (over, None), (over, over.id), (over, "cyc_other")):
        with pytest.raises(Conflict):
            rules.require_same_way(target, wanted)
