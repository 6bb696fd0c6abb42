"""When a delivery is tried, how long it waits, and when it is given up."""

from datetime import timedelta

import pytest

from forge.errors import Conflict
from forge.testing.clock import NOON
from forge.work.background.deliveries import retries
from forge.work.background.deliveries.deliveries import (
    DeliveryItem,
    DeliveryStatus,
    Receiver,
    ReceiverType,
    delivery_id,
)
from forge.work.background.deliveries.retries import LOST, MOST_TRIES, Result, Turn

DOWN = Result(503, "later")
HOOK = Receiver(ReceiverType.WEBHOOK, "whk_1")


def a_delivery(**fields: object) -> DeliveryItem:
    fresh = DeliveryItem(
        workspace_id="ws_1",
        id="whd_1",
        event_id="evt_1",
        event_kind="ISSUE_CREATED",
        target_type=ReceiverType.WEBHOOK,
        target_id="whk_1",
        body="{}",
        created_at=NOON,
        scheduled_at=NOON,
    )
    return fresh.changed(**fields)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, Turn.NOW),
        ({"status": DeliveryStatus.FAILED, "attempt": 5}, Turn.NOW),
        ({"status": DeliveryStatus.SUCCESS}, Turn.OVER),
        ({"status": DeliveryStatus.DEAD_LETTER}, Turn.OVER),
        ({"leased_until": NOON + timedelta(seconds=1)}, Turn.TAKEN),
        ({"leased_until": NOON}, Turn.NOW),
        ({"scheduled_at": NOON + timedelta(milliseconds=1)}, Turn.EARLY),
        ({"attempt": MOST_TRIES, "leased_until": NOON}, Turn.SPENT),
    ],
)
def test_the_row_decides_whether_it_is_time(fields: dict[str, object], expected: Turn) -> None:
    assert retries.turn(a_delivery(**fields), NOON) is expected


def test_whoever_takes_a_delivery_has_it_for_a_while_and_the_sweep_looks_after_that() -> None:
    taken = a_delivery().leased(NOON)

    until = NOON + DeliveryItem.lease
    assert (taken.leased_until, taken.look_at) == (until, until)
    assert (taken.is_leased(NOON), taken.is_leased(until)) == (True, False)


@pytest.mark.parametrize("status", [200, 204, 299])
def test_what_was_taken_is_over(status: int) -> None:
    result = Result(status, "thanks")

    became = retries.settled(a_delivery(attempt=3, leased_until=NOON), result, now=NOON, chance=0)

    assert (became.status, became.delivered_at) == (DeliveryStatus.SUCCESS, NOON)
    assert (became.leased_until, became.look_at) == (None, None)
    assert (became.response_status, became.response_body) == (status, "thanks")


@pytest.mark.parametrize(("attempt", "minutes"), [(1, 0.5), (2, 2), (3, 8), (4, 32), (5, 128)])
def test_each_wait_is_four_times_as_long(attempt: int, minutes: float) -> None:
    became = retries.settled(a_delivery(attempt=attempt), DOWN, now=NOON, chance=0)

    later = NOON + timedelta(minutes=minutes)
    assert (became.status, became.scheduled_at, became.look_at) == (DeliveryStatus.FAILED, later, later)


def test_chance_makes_a_wait_shorter_by_a_quarter_at_most() -> None:
    assert retries.wait_after(2, chance=1) == timedelta(minutes=1.5)


@pytest.mark.parametrize("status", [0, 199, 300, 302, 404, 500])
def test_anything_but_success_is_a_failure(status: int) -> None:
    became = retries.settled(a_delivery(attempt=1), Result(status, ""), now=NOON, chance=0)

    assert became.status is DeliveryStatus.FAILED


def test_the_sixth_failure_is_the_last() -> None:
    became = retries.settled(a_delivery(attempt=6), DOWN, now=NOON, chance=0)

    assert (became.status, became.look_at) == (DeliveryStatus.DEAD_LETTER, None)


def test_where_nobody_is_left_the_first_failure_is_the_last() -> None:
    became = retries.settled(a_delivery(attempt=1), LOST, now=NOON, chance=0)

    assert became.status is DeliveryStatus.DEAD_LETTER
    assert (became.response_status, became.response_body) == (0, LOST.said)


def test_no_more_than_8000_characters_of_an_answer_are_kept() -> None:
    became = retries.settled(a_delivery(attempt=1), Result(500, "é" * 9000), now=NOON, chance=0)

    assert became.response_body == "é" * 8000


@pytest.mark.parametrize(
    ("seconds", "delay"), [(480, 481), (899, 900), (900, None), (1920, None), (-1, 0), (-600, 0)]
)
def test_a_message_waits_as_long_as_the_delivery_unless_that_is_too_long_for_a_queue(
    seconds: int, delay: int | None
) -> None:
    later = a_delivery(scheduled_at=NOON + timedelta(seconds=seconds))

    assert retries.delay_before(later, NOON) == delay


@pytest.mark.parametrize("status", [DeliveryStatus.FAILED, DeliveryStatus.DEAD_LETTER])
def test_what_failed_begins_anew(status: DeliveryStatus) -> None:
    over = a_delivery(
        status=status,
        attempt=6,
        response_status=500,
        response_body="no",
        scheduled_at=NOON - timedelta(days=1),
    )

    assert retries.replayed(over, NOON) == a_delivery(look_at=NOON)


@pytest.mark.parametrize(
    "fields",
    [
        {"status": DeliveryStatus.PENDING},
        {"status": DeliveryStatus.SUCCESS},
        {"status": DeliveryStatus.FAILED, "leased_until": NOON + timedelta(seconds=1)},
    ],
)
def test_what_did_not_fail_or_is_being_tried_does_not_begin_anew(fields: dict[str, object]) -> None:
    with pytest.raises(Conflict):
        retries.replayed(a_delivery(**fields), NOON)


def test_an_event_has_one_delivery_for_each_receiver() -> None:
    event = "evt_01J00000000000000000000000"
    ids = {
        delivery_id(event, HOOK),
        delivery_id(event, HOOK._replace(id="whk_2")),
        delivery_id(event, HOOK._replace(type=ReceiverType.AGENT)),
        delivery_id("evt_01J00000000000000000000001", HOOK),
    }

    assert len(ids) == 4
    assert delivery_id(event, HOOK._replace(run_id="run_1")) == delivery_id(event, HOOK)
    assert all(one.startswith("whd_01J") and len(one) <= 40 for one in ids)
