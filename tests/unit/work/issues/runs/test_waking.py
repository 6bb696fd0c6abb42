"""By when an agent that was told of its assignment must have reacted."""

from datetime import timedelta

import pytest

from forge.testing import builders
from forge.testing.clock import NOON
from forge.work.issues.runs.runs import RunItem
from forge.work.issues.runs.waking import WakeTry, with_ack_due, with_try

LATER = NOON + timedelta(seconds=1)
ASSIGNED = WakeTry("whd_1", "evt_1", "AGENT_ASSIGNED")


def a_run(**fields: object) -> RunItem:
    return builders.a_run(**{"assignment_event_id": "evt_1"} | fields)


def test_a_try_is_counted_and_is_no_sign_of_the_agent() -> None:
    tried = with_try(with_try(a_run(), ASSIGNED, NOON), ASSIGNED, NOON + timedelta(minutes=1))

    assert (tried.wake_attempts, tried.last_wake_delivery_id) == (2, "whd_1")
    assert (tried.last_wake_at, tried.last_event_at) == (NOON + timedelta(minutes=1), NOON)


def test_an_assignment_that_was_delivered_has_to_be_answered_in_time() -> None:
    told = with_ack_due(a_run(), ASSIGNED, now=NOON, seconds=60)

    assert told.ack_due_at == NOON + timedelta(seconds=60)


@pytest.mark.parametrize(
    ("run", "wake", "seconds"),
    [
        (a_run(), ASSIGNED, 0),
        (a_run(), ASSIGNED._replace(event_kind="COMMENT_CREATED"), 60),
        (a_run(assignment_event_id="evt_2"), ASSIGNED, 60),
        (a_run(acknowledged_at=LATER), ASSIGNED, 60),
        (a_run(last_event_at=LATER), ASSIGNED, 60),
    ],
)
def test_nothing_is_due_where_nothing_is_required(run: RunItem, wake: WakeTry, seconds: int) -> None:
    assert with_ack_due(run, wake, now=LATER, seconds=seconds) == run


def test_what_an_agent_did_before_it_was_given_the_issue_again_is_no_answer() -> None:
    before = a_run(output_started_at=NOON, assigned_at=LATER, last_event_at=LATER)

    told = with_ack_due(before, ASSIGNED, now=LATER, seconds=60)

    assert told.ack_due_at == LATER + timedelta(seconds=60)
