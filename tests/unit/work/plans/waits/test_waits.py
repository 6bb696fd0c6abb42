"""The stages of a wait: what comes after what, and when."""

from datetime import timedelta

import pytest

from forge.testing.clock import NOON
from forge.work.plans.waits.waits import COURSES, GRACE, Stage, WaitItem, WaitKind, wait_id


def a_wait(kind: WaitKind = WaitKind.PLAN_APPROVAL, **fields: object) -> WaitItem:
    made = WaitItem(
        workspace_id="ws_1",
        id="ar_1-1",
        kind=kind,
        subject_id="ar_1",
        plan_id="plan_1",
        reached_at=NOON,
        created_at=NOON,
    )
    return made.changed(**fields)


@pytest.mark.parametrize(
    ("after", "stage"),
    [
        (timedelta(0), None),
        (timedelta(days=1), None),
        (timedelta(days=1) + GRACE, Stage.REMINDED),
    ],
)
def test_a_stage_is_missed_when_its_time_and_some_grace_are_over(
    after: timedelta, stage: Stage | None
) -> None:
    assert a_wait().overdue(NOON + after) is stage


def test_whoever_reaches_a_stage_waits_there_for_its_time_and_without_the_old_token() -> None:
    later = NOON + timedelta(days=1)

    there = a_wait(token="old").reaching(Stage.REMINDED, later)

    assert (there.stage, there.token, there.outcome) == (Stage.REMINDED, None, None)
    assert there.look_at == later + timedelta(days=6) + GRACE


@pytest.mark.parametrize("kind", WaitKind)
def test_with_its_last_stage_a_wait_is_over_and_never_due(kind: WaitKind) -> None:
    end = COURSES[kind].end

    over = a_wait(kind, look_at=NOON).reaching(end, NOON)

    assert (over.outcome, over.look_at) == (end, None)
    assert over.index_keys == ()


def test_a_step_that_is_judged_again_is_another_wait() -> None:
    assert wait_id("step_1", 1) != wait_id("step_1", 2)


def test_what_is_kept_outlives_every_wait() -> None:
    longest = max(sum((leg.lasts for leg in one.legs), timedelta(0)) for one in COURSES.values())

    kept_until = a_wait().purge_after
    assert kept_until is not None
    assert kept_until > NOON + longest
