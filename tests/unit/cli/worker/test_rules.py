"""What follows from how a stretch of work ended, and what a worker does next."""

import pytest

from forge.cli.worker.agents.protocol import End
from forge.cli.worker.loop.deciding import Known, Step, next_step, pause_after
from forge.cli.worker.runs.rules import (
    Checking,
    Stretch,
    Then,
    after,
    after_checks,
    is_resumable,
    seconds_before,
)


@pytest.mark.parametrize(
    ("stretch", "then"),
    [
        (Stretch(End.DONE, "ACTIVE", 1, 3), Then.HAND_IN),
        (Stretch(End.DONE, "WAITING", 1, 3), Then.PARK),
        (Stretch(End.DONE, "COMPLETED", 1, 3), Then.CLOSE),
        (Stretch(End.FAILED, "ABANDONED", 1, 3), Then.CLOSE),
        (Stretch(End.ASKED, "ACTIVE", 1, 3), Then.PARK),
        (Stretch(End.LIMIT, "ACTIVE", 1, 3), Then.PARK),
        (Stretch(End.FAILED, "ACTIVE", 2, 3), Then.AGAIN),
        (Stretch(End.NO_SESSION, "ACTIVE", 2, 3), Then.AGAIN),
        (Stretch(End.FAILED, "ACTIVE", 3, 3), Then.GIVE_BACK),
        (Stretch(End.FAILED, "ACTIVE", 1, 3, is_stopping=True), Then.KEEP),
        (Stretch(End.DONE, "ACTIVE", 1, 3, is_stopping=True), Then.HAND_IN),
    ],
)
def test_what_follows_from_the_end_of_a_stretch(stretch: Stretch, then: Then) -> None:
    assert after(stretch) is then


def test_failing_checks_are_shown_so_often_and_then_the_work_is_given_back() -> None:
    assert after_checks(Checking(is_passed=True, rounds=5, most_rounds=1)) is Then.HAND_IN
    assert after_checks(Checking(is_passed=False, rounds=0, most_rounds=1)) is Then.AGAIN
    assert after_checks(Checking(is_passed=False, rounds=1, most_rounds=1)) is Then.GIVE_BACK


def test_each_failure_is_waited_after_for_longer_up_to_a_limit() -> None:
    assert [seconds_before(n) for n in (0, 1, 2, 3)] == [0, 10, 20, 40]
    assert seconds_before(50) == 300


def test_a_session_is_tried_twice_and_then_the_work_begins_afresh() -> None:
    assert [is_resumable(session="s", lost=lost) for lost in (0, 1, 2)] == [True, True, False]
    assert not is_resumable(session="", lost=0)


@pytest.mark.parametrize(
    ("known", "step"),
    [
        (Known(free=1, busy=0, due=0), Step.LOOK),
        (Known(free=1, busy=0, due=0, has_looked=True), Step.WAIT),
        (Known(free=1, busy=1, due=2, has_looked=True), Step.GO_ON),
        (Known(free=0, busy=1, due=2), Step.WAIT),
        (Known(free=1, busy=1, due=2, is_draining=True), Step.WAIT),
        (Known(free=2, busy=0, due=2, is_draining=True), Step.END),
        (Known(free=1, busy=1, due=0, is_full=True), Step.WAIT),
        (Known(free=2, busy=0, due=0, is_full=True), Step.END),
    ],
)
def test_what_a_worker_does_next(known: Known, step: Step) -> None:
    assert next_step(known) is step


def test_who_has_troubles_looks_for_work_less_often() -> None:
    assert [pause_after(n, 15) for n in (0, 1, 2, 10)] == [15, 30, 60, 300]
