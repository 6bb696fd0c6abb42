"""What silence comes to: a run stalls, is given up, or has ignored its assignment."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from forge.testing.builders import a_run, a_workspace
from forge.testing.clock import NOON
from forge.work.issues.runs import silence
from forge.work.issues.runs.runs import TOLD_OF_SUMMARY, RunItem, RunStatus
from forge.work.issues.runs.silence import SilenceVerdict

WORKSPACE = a_workspace(required_ack_seconds=60)
HALF_AN_HOUR, DAY, MINUTE = timedelta(minutes=30), timedelta(days=1), timedelta(minutes=1)
TOLD = a_run(assignment_event_id="evt_1", assigned_at=NOON, ack_due_at=NOON + MINUTE)


def due_of(run: RunItem) -> datetime | None:
    return silence.watched(run, WORKSPACE).due_at


def test_a_run_that_nothing_is_heard_of_for_half_an_hour_has_stalled() -> None:
    run = a_run()

    assert due_of(run) == NOON + HALF_AN_HOUR
    assert silence.verdict(run, WORKSPACE, NOON + HALF_AN_HOUR) is SilenceVerdict.STALLED
    assert silence.verdict(run, WORKSPACE, NOON + HALF_AN_HOUR - timedelta(seconds=1)) is None
    assert silence.verdict(run.heard_of(NOON + MINUTE), WORKSPACE, NOON + HALF_AN_HOUR) is None


@pytest.mark.parametrize(
    "otherwise",
    [
        {"status": RunStatus.WAITING},
        {"awaiting_approval_at": NOON},
        {"status": RunStatus.COMPLETED, "finished_at": NOON},
        {"status": RunStatus.ABANDONED, "finished_at": NOON},
    ],
    ids=str,
)
def test_one_that_waits_for_somebody_or_is_over_never_stalls(otherwise: dict[str, Any]) -> None:
    run = a_run(**otherwise)

    assert (due_of(run), silence.verdict(run, WORKSPACE, NOON + DAY)) == (None, None)


def test_where_the_settings_are_off_nothing_stalls_and_nothing_is_given_up() -> None:
    off = a_workspace(agent_run_stale_minutes=0, abandon_stalled_after_hours=0)
    stalled = silence.stalled(a_run(), WORKSPACE, NOON)

    for run in (a_run(), stalled):
        assert silence.verdict(run, off, NOON + 365 * DAY) is None
        assert silence.watched(run, off).due_at is None


def test_a_stalled_run_says_since_when_and_where_and_is_given_up_after_a_day() -> None:
    run = a_run(current_step="Writing " * 100, acknowledged_at=NOON)

    stalled = silence.stalled(run, WORKSPACE, NOON + HALF_AN_HOUR)
    over = silence.given_up(stalled, NOON + 2 * DAY)

    assert (stalled.status, stalled.finished_at) == (RunStatus.STALLED, NOON + HALF_AN_HOUR)
    assert "2099-07-28T12:00:00.000Z" in str(stalled.summary)
    assert "Writing" in str(stalled.summary)
    assert stalled.due_at == NOON + HALF_AN_HOUR + DAY
    assert silence.verdict(stalled, WORKSPACE, NOON + DAY) is None
    assert silence.verdict(stalled, WORKSPACE, NOON + HALF_AN_HOUR + DAY) is SilenceVerdict.GIVEN_UP
    assert (over.status, over.finished_at, over.due_at) == (RunStatus.ABANDONED, stalled.finished_at, None)
    assert len(str(over.summary)) <= TOLD_OF_SUMMARY


def test_an_assignment_that_was_told_and_not_answered_in_time_is_missed() -> None:
    assert silence.watched(TOLD, WORKSPACE).due_at == NOON + MINUTE
    assert silence.misses_ack(TOLD, WORKSPACE, NOON + MINUTE)
    assert not silence.misses_ack(TOLD, WORKSPACE, NOON + MINUTE - timedelta(seconds=1))


@pytest.mark.parametrize(
    "otherwise",
    [
        {"ack_due_at": None},
        {"last_event_at": NOON + timedelta(seconds=1)},
        {"acknowledged_at": NOON + timedelta(seconds=1)},
        {"status": RunStatus.WAITING},
        {"unacknowledged_event_id": "evt_1"},
        {"assignment_event_id": None},
    ],
    ids=str,
)
def test_whoever_answered_or_was_told_off_or_never_told_misses_nothing(otherwise: dict[str, Any]) -> None:
    assert not silence.misses_ack(TOLD.changed(**otherwise), WORKSPACE, NOON + MINUTE)


def test_nobody_has_to_answer_where_the_setting_is_off_by_then() -> None:
    assert not silence.misses_ack(TOLD, a_workspace(), NOON + MINUTE)


def test_what_an_agent_did_before_does_not_answer_a_new_assignment() -> None:
    again = TOLD.changed(acknowledged_at=NOON, assigned_at=NOON + MINUTE, last_event_at=NOON + MINUTE)

    assert silence.misses_ack(again, WORKSPACE, NOON + 2 * MINUTE)


def test_whoever_was_told_off_once_is_not_told_off_again_for_the_same() -> None:
    off = silence.told_off(TOLD)

    assert off.due_at is None
    assert not silence.misses_ack(off.changed(ack_due_at=NOON), WORKSPACE, NOON)
    assert silence.misses_ack(off.changed(ack_due_at=NOON, assignment_event_id="evt_2"), WORKSPACE, NOON)


def test_a_run_that_is_given_out_anew_has_all_its_time_again() -> None:
    fields = silence.given_anew(TOLD.key, WORKSPACE, NOON + DAY)
    known = {name: value for name, value in fields.items() if name in RunItem.model_fields}

    anew = TOLD.changed(**known)

    assert anew == silence.watched(anew, WORKSPACE)
    assert (anew.status, anew.last_event_at, anew.ack_due_at) == (RunStatus.ACTIVE, NOON + DAY, None)
    (place,) = [one for one in anew.index_keys if one.index_name == "due"]
    assert (fields["duePk"], fields["dueSk"]) == (place.partition, place.sort)
