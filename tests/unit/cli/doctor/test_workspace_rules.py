"""What the doctor makes of facts about workspaces, without asking anybody."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from forge.cli.doctor import executions, workspaces
from forge.cli.doctor.executions import Waited
from forge.cli.doctor.findings import Level
from forge.context import KeyKind
from forge.store.keys import Key
from forge.testing.clock import NOON
from forge.work.background.deliveries.deliveries import DeliveryItem, DeliveryStatus, ReceiverType
from forge.work.background.sweep.timers import Due, TimerItem, TimerState
from forge.work.workspace.people.api_keys import ApiKeyItem
from tests.unit.cli.doctor.levels import FAIL, OK, WARN, levels


def a_key(expires_at: datetime | None, **fields: Any) -> ApiKeyItem:
    return ApiKeyItem(
        workspace_id="ws_1",
        id="key_1",
        key_hash="hash",
        prefix="forge_sk_a",
        created_at=NOON,
        expires_at=expires_at,
        **{"name": "ci", "kind": KeyKind.PERSONAL, **fields},
    )


@pytest.mark.parametrize(
    ("key", "found"),
    [
        (a_key(None), [OK]),
        (a_key(NOON + timedelta(days=60)), [OK]),
        (a_key(NOON + timedelta(days=3)), [WARN]),
        (a_key(NOON - timedelta(days=3)), [WARN]),
        (a_key(NOON - timedelta(days=90)), []),
        (a_key(NOON + timedelta(days=3), revoked_at=NOON), []),
        (a_key(NOON + timedelta(hours=3), kind=KeyKind.SESSION), []),
    ],
)
def test_a_key_is_told_before_it_ends_and_for_a_while_after(key: ApiKeyItem, found: list[Level]) -> None:
    assert levels(workspaces.judge_keys({"acme": [key]}, NOON)) == found


def a_delivery(status: DeliveryStatus, *, days_ago: int = 0) -> DeliveryItem:
    return DeliveryItem(
        workspace_id="ws_1",
        id="whd_1",
        event_id="evt_1",
        event_kind="ISSUE_CREATED",
        target_type=ReceiverType.WEBHOOK,
        target_id="whk_1",
        body="{}",
        status=status,
        response_status=500,
        created_at=NOON - timedelta(days=days_ago),
        scheduled_at=NOON,
    )


@pytest.mark.parametrize(
    ("failing", "found"),
    [
        ([], [OK]),
        ([a_delivery(DeliveryStatus.FAILED)], [WARN]),
        ([a_delivery(DeliveryStatus.DEAD_LETTER)], [FAIL]),
        ([a_delivery(DeliveryStatus.DEAD_LETTER, days_ago=20)], [OK]),
    ],
)
def test_a_receiver_that_does_not_answer_is_told(failing: list[DeliveryItem], found: list[Level]) -> None:
    assert levels(workspaces.judge_receivers({"acme": failing}, NOON)) == found


@pytest.mark.parametrize(
    ("state", "found"), [(TimerState.RETRYING, [WARN]), (TimerState.DEAD, [FAIL]), (None, [OK])]
)
def test_what_was_given_up_is_told(state: TimerState | None, found: list[Level]) -> None:
    timers = [
        TimerItem(
            workspace_id="ws_1",
            id="tmr_1",
            subject_partition="WS#ws_1#RUN#run_1",
            subject_sort="META",
            state=state,
            tries=3,
            last_error="no",
            failing_since=NOON,
            last_failed_at=NOON,
        )
        for _ in range(1)
        if state
    ]

    assert levels(workspaces.judge_given_up({"acme": timers})) == found


@pytest.mark.parametrize(
    ("partition", "place", "found"),
    [
        ("WS#ws_1#RUN#run_1", "2026-03-02T11:00:00.000000Z", [FAIL]),
        ("WS#ws_1#RUN#run_1", "2026-03-02T11:00:00.000000Z#again", [OK]),
        ("WS#ws_1#NEWER#1", "2026-03-02T11:00:00.000000Z", [WARN]),
    ],
)
def test_a_sweep_that_does_not_come_by_is_told(partition: str, place: str, found: list[Level]) -> None:
    assert levels(workspaces.judge_sweep([Due(Key(partition, "META"), place)])) == found


@pytest.mark.parametrize(
    ("waited", "found"),
    [
        (Waited("ar_1-1", NOON - timedelta(hours=1), 1, "RUNNING"), [OK]),
        (Waited("ar_1-1", NOON - timedelta(hours=1), 1, "ABORTED"), [FAIL]),
        (Waited("ar_1-1", NOON - timedelta(hours=1), 1, ""), [FAIL]),
        (Waited("ar_1-1", NOON - timedelta(hours=1), 0, ""), [FAIL]),
        (Waited("ar_1-1", NOON - timedelta(minutes=1), 0, ""), [OK]),
    ],
)
def test_what_waits_needs_somebody_who_counts_the_time(waited: Waited, found: list[Level]) -> None:
    assert levels(executions.judge_executions([waited], NOON)) == found
