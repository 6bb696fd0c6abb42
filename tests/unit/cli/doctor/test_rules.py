"""What the doctor makes of facts, without asking anybody."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

import pytest

from forge.cli.doctor import executions, messages, surroundings, tables, workspaces
from forge.cli.doctor.checkup import looked
from forge.cli.doctor.executions import Waited
from forge.cli.doctor.findings import Finding, Level, listed, of_refusal, worst_of
from forge.cli.doctor.messages import MappingFacts, QueueFacts
from forge.cli.doctor.surroundings import Versions
from forge.cli.doctor.tables import KeptTable
from forge.context import KeyKind
from forge.errors import Unavailable
from forge.store.answers import NoAnswer, Refused
from forge.store.keys import Key
from forge.store.physical import table_definition
from forge.testing.clock import NOON
from forge.work.background.deliveries.deliveries import DeliveryItem, DeliveryStatus, ReceiverType
from forge.work.background.sweep.timers import Due, TimerItem, TimerState
from forge.work.workspace.people.api_keys import ApiKeyItem

OK, SKIP, WARN, FAIL = Level.OK, Level.SKIP, Level.WARN, Level.FAIL


def levels(findings: Iterable[Finding]) -> list[Level]:
    """In their order; whatever is not well also says what to do."""
    found = list(findings)
    assert all(finding.next for finding in found if finding.level in (WARN, FAIL))
    return [finding.level for finding in found]


def a_table(**changed: Any) -> dict[str, Any]:
    """As AWS describes one that is well."""
    return {
        "TableName": "forge",
        "TableStatus": "ACTIVE",
        **table_definition(),
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
        **changed,
    }


@pytest.mark.parametrize(
    ("changed", "level"),
    [
        ({}, OK),
        ({"TableStatus": "UPDATING"}, WARN),
        ({"TableStatus": "DELETING"}, FAIL),
        ({"KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]}, FAIL),
    ],
)
def test_a_table_is_well_that_is_active_and_ours(changed: dict[str, Any], level: Level) -> None:
    assert levels(tables.judge_table(a_table(**changed))) == [level]


def test_each_index_has_to_be_there_active_and_alike() -> None:
    indexes = table_definition()["GlobalSecondaryIndexes"]
    building = [{**indexes[0], "IndexStatus": "CREATING"}, *indexes[1:]]
    other = [{**indexes[0], "Projection": {"ProjectionType": "KEYS_ONLY"}}, *indexes[1:]]

    def judged(found: list[dict[str, Any]]) -> list[Level]:
        return levels(tables.judge_indexes(a_table(GlobalSecondaryIndexes=found)))

    assert judged(indexes) == [OK]
    assert judged(indexes[2:]) == [FAIL, FAIL]
    assert judged(building) == [WARN]
    assert judged(other) == [FAIL]


@pytest.mark.parametrize(
    ("stream", "level"),
    [
        ({"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}, OK),
        ({"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}, FAIL),
        ({"StreamEnabled": False}, FAIL),
        (None, FAIL),
    ],
)
def test_a_stream_has_to_show_what_items_became(stream: Any, level: Level) -> None:
    assert levels(tables.judge_stream(a_table(StreamSpecification=stream))) == [level]


@pytest.mark.parametrize(
    ("kept", "found"),
    [
        (KeptTable(is_protected=True, has_recovery=True), [OK]),
        (KeptTable(is_protected=False, has_recovery=True), [WARN]),
        (KeptTable(is_protected=True, has_recovery=False), [FAIL]),
        (KeptTable(is_protected=False, has_recovery=False), [FAIL, WARN]),
    ],
)
def test_a_table_that_cannot_be_restored_is_a_failure(kept: KeptTable, found: list[Level]) -> None:
    assert levels(tables.judge_backups(kept)) == found


@pytest.mark.parametrize(
    ("described", "level"),
    [
        ({"TimeToLiveStatus": "ENABLED", "AttributeName": "ttl"}, OK),
        ({"TimeToLiveStatus": "ENABLED", "AttributeName": "expires"}, FAIL),
        ({"TimeToLiveStatus": "DISABLED"}, FAIL),
    ],
)
def test_what_may_be_forgotten_has_to_be(described: dict[str, str], level: Level) -> None:
    assert levels(tables.judge_expiry(described)) == [level]


@pytest.mark.parametrize(
    ("fact", "level"),
    [
        (QueueFacts("tasks", True, 3), OK),
        (QueueFacts("tasks", True, 5_000), WARN),
        (QueueFacts("tasks", False), FAIL),
    ],
)
def test_a_queue_is_well_whose_messages_are_taken(fact: QueueFacts, level: Level) -> None:
    assert levels(messages.judge_queues([fact])) == [level]


@pytest.mark.parametrize(
    ("age", "level"),
    [
        (None, OK),
        (timedelta(seconds=20), OK),
        (timedelta(minutes=6), WARN),
        (timedelta(hours=2), FAIL),
    ],
)
def test_a_message_is_taken_before_it_is_old(age: timedelta | None, level: Level) -> None:
    assert levels(messages.judge_ages({"tasks": age})) == [level]


def test_a_dead_letter_is_a_failure() -> None:
    empty, full = QueueFacts("DeadLetters", True), QueueFacts("FifoDeadLetters", True, 2)

    assert levels(messages.judge_dead_letters([empty])) == [OK]
    assert levels(messages.judge_dead_letters([empty, full])) == [FAIL]


@pytest.mark.parametrize(
    ("state", "result", "level"),
    [
        ("Enabled", "OK", OK),
        ("Enabled", "No records processed", OK),
        ("Enabled", "PROBLEM: Function call failed", WARN),
        ("Disabled", "", FAIL),
        ("", "", FAIL),
    ],
)
def test_a_consumer_has_to_be_fed(state: str, result: str, level: Level) -> None:
    assert levels(messages.judge_consumers([MappingFacts("relay", "stream", state, result)])) == [level]


@pytest.mark.parametrize(
    ("off", "level"), [(0, OK), (29, OK), (-31, WARN), (100, WARN), (300, FAIL), (-4000, FAIL)]
)
def test_a_clock_is_wrong_before_aws_refuses_what_it_signs(off: int, level: Level) -> None:
    assert levels(surroundings.judge_clock(NOON, NOON + timedelta(seconds=off))) == [level]


@pytest.mark.parametrize(
    ("versions", "found"),
    [
        (Versions("1.2.0", "1.2.0", frozenset({"7"})), [OK]),
        (Versions("1.2.0", "1.1.0"), [WARN]),
        (Versions("1.2.0", ""), [FAIL]),
        (Versions("1.2.0", "1.2.0", frozenset({"7", "8"})), [FAIL]),
    ],
)
def test_versions_have_to_agree(versions: Versions, found: list[Level]) -> None:
    assert levels(surroundings.judge_versions(versions)) == found


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
    assert levels(workspaces.judge_sweep([Due(Key(partition, "META"), place)], NOON)) == found


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


def test_a_right_that_is_missing_is_named_and_is_no_failure() -> None:
    told = "User: arn:aws:iam::1:user/ada is not authorized to perform: sqs:GetQueueAttributes on resource: x"

    finding = of_refusal("queues", Refused("AccessDenied", told, status=403))

    assert finding.level is WARN
    assert "sqs:GetQueueAttributes" in finding.message
    assert of_refusal("bucket", Refused("403", "Forbidden", status=403)).level is WARN


@pytest.mark.parametrize(
    ("raised", "level"),
    [
        (Refused("ResourceNotFoundException", "no such table"), FAIL),
        (Refused("ExpiredTokenException", "the token is old"), FAIL),
        (Refused("UnknownOperationException"), SKIP),
        (NoAnswer("Unable to locate credentials"), FAIL),
        (Unavailable("not in time"), FAIL),
    ],
)
def test_whatever_aws_says_is_a_finding(raised: Exception, level: Level) -> None:
    def look() -> Iterable[Finding]:
        raise raised

    assert levels(looked("queues", look)) == [level]


def test_the_worst_counts_and_nothing_is_well() -> None:
    assert worst_of([]) is OK
    assert worst_of([Finding("a", WARN, "", "-"), Finding("b", FAIL, "", "-"), Finding("c", OK, "")]) is FAIL
    assert listed("abcdefg") == "a, b, c, d, e and 2 more"
    assert {level.symbol for level in Level} == set("✓–!✗")
