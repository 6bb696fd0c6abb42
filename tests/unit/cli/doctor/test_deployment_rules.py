"""What the doctor makes of facts about a deployment, without asking anybody."""

from datetime import timedelta
from typing import Any

import pytest

from forge.cli.doctor import messages, surroundings, tables
from forge.cli.doctor.findings import Level
from forge.cli.doctor.messages import MappingFacts, QueueFacts
from forge.cli.doctor.surroundings import Versions
from forge.cli.doctor.tables import KeptTable
from forge.store.physical import table_definition
from forge.testing.clock import NOON
from tests.unit.cli.doctor.levels import FAIL, OK, WARN, levels


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
