"""What the embedded AWS has to save, told from what only reads."""

import asyncio
from collections.abc import MutableMapping
from typing import Any

import pytest

from forge.cli.emulator_child import Receive, Scope, Send, Snapshots
from forge.cli.emulator_requests import may_change

READING = [
    *("DynamoDB_20120810.GetItem", "DynamoDB_20120810.BatchGetItem", "DynamoDB_20120810.Query"),
    *("DynamoDB_20120810.TransactGetItems", "DynamoDB_20120810.DescribeTable", "DynamoDB_20120810.Scan"),
    *("DynamoDBStreams_20120810.GetRecords", "DynamoDBStreams_20120810.DescribeStream"),
    *("AmazonSQS.ReceiveMessage", "AmazonSQS.GetQueueUrl", "secretsmanager.GetSecretValue"),
]
WRITING = [
    *("DynamoDB_20120810.PutItem", "DynamoDB_20120810.UpdateItem", "DynamoDB_20120810.DeleteItem"),
    *("DynamoDB_20120810.BatchWriteItem", "DynamoDB_20120810.TransactWriteItems"),
    *("DynamoDB_20120810.CreateTable", "DynamoDB_20120810.UpdateTimeToLive"),
    *("AmazonSQS.SendMessage", "AmazonSQS.DeleteMessage", "AmazonSQS.CreateQueue"),
    *("AWSStepFunctions.StartExecution", "Unheard.OfOperation"),
]


async def _nothing_more() -> MutableMapping[str, Any]:
    return {}


async def _to_nobody(message: MutableMapping[str, Any]) -> None:
    return None


async def _answered(scope: Scope, receive: Receive, send: Send) -> None:
    return None


async def _failed(scope: Scope, receive: Receive, send: Send) -> None:
    raise ConnectionError


def to(target: str) -> list[tuple[bytes, bytes]]:
    return [(b"host", b"127.0.0.1"), (b"x-amz-target", target.encode())]


@pytest.mark.parametrize("target", READING)
def test_a_read_changes_nothing(target: str) -> None:
    assert not may_change("POST", to(target))


@pytest.mark.parametrize("target", WRITING)
def test_a_write_may_change_something_and_so_may_what_is_not_known(target: str) -> None:
    assert may_change("POST", to(target))


@pytest.mark.parametrize(
    ("method", "changes"), [("GET", False), ("HEAD", False), ("PUT", True), ("POST", True), ("DELETE", True)]
)
def test_where_no_operation_is_named_the_method_tells(method: str, changes: bool) -> None:
    assert may_change(method, [(b"host", b"127.0.0.1")]) is changes


@pytest.mark.parametrize(("target", "is_saved"), [("Query", False), ("UpdateItem", True)])
def test_only_after_a_write_there_is_something_to_save(target: str, is_saved: bool) -> None:
    snapshots = Snapshots(_answered)

    asyncio.run(_asked(snapshots, f"DynamoDB_20120810.{target}"))

    assert snapshots.has_changed is is_saved


def test_a_read_does_not_hide_the_write_before_it() -> None:
    snapshots = Snapshots(_answered)

    asyncio.run(_asked(snapshots, "DynamoDB_20120810.PutItem", "DynamoDB_20120810.GetItem"))

    assert snapshots.has_changed


def test_a_write_that_broke_off_may_have_happened() -> None:
    snapshots = Snapshots(_failed)

    with pytest.raises(ConnectionError):
        asyncio.run(_asked(snapshots, "DynamoDB_20120810.PutItem"))

    assert snapshots.has_changed


async def _asked(snapshots: Snapshots, *targets: str) -> None:
    for target in targets:
        scope = {"type": "http", "method": "POST", "headers": to(target)}
        await snapshots(scope, _nothing_more, _to_nobody)
