"""Queues: what a request did can be written down, read again, and taken back."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from ministack.core.responses import request_scope
from ministack.services import sqs

from forge.cli.local import queues
from forge.cli.local.documents import Documents, Step, apply

NAME = "kept"
URL = f"http://127.0.0.1:1/123456789012/{NAME}"


@pytest.fixture(autouse=True)
def apart() -> Iterator[None]:
    """An account that no other test in this process uses."""
    with request_scope("123456789012", "eu-west-3"):
        yield
        forget()


def forget() -> None:
    for store in (sqs._queues, sqs._queue_name_to_url):
        for name in list(store):
            del store[name]


def ask(operation: str, **request: Any) -> tuple[Any, Step]:
    body = json.dumps(request).encode()
    before = queues.Before(body)
    headers = {"x-amz-target": f"AmazonSQS.{operation}"}
    status, _, content = asyncio.run(sqs.handle_request("POST", "/", headers, body, {}))
    assert status == 200, content
    return json.loads(content or b"{}"), before.step()


def bodies() -> list[str]:
    queue = queues._find(NAME)
    return [message["body"] for message in queue["messages"]] if queue else []


def received() -> str:
    """A handle for the first message."""
    return str(ask("ReceiveMessage", QueueUrl=URL)[0]["Messages"][0]["ReceiptHandle"])


def write(operation: str) -> Step:
    """One of every kind, on a queue with two messages."""
    requests: dict[str, dict[str, Any]] = {
        "SendMessage": {"QueueUrl": URL, "MessageBody": "third"},
        "SendMessageBatch": {
            "QueueUrl": URL,
            "Entries": [{"Id": name, "MessageBody": name} for name in ("third", "fourth")],
        },
        "SetQueueAttributes": {"QueueUrl": URL, "Attributes": {"VisibilityTimeout": "77"}},
        "PurgeQueue": {"QueueUrl": URL},
        "DeleteQueue": {"QueueUrl": URL},
    }
    if operation == "DeleteMessage":
        requests["DeleteMessage"] = {"QueueUrl": URL, "ReceiptHandle": received()}
    return ask(operation, **requests[operation])[1]


WRITES = (
    "SendMessage",
    "SendMessageBatch",
    "SetQueueAttributes",
    "DeleteMessage",
    "PurgeQueue",
    "DeleteQueue",
)


def a_queue_with_two_messages() -> Documents:
    kept: Documents = {}
    apply(ask("CreateQueue", QueueName=NAME)[1].changes, kept)
    for text in ("first", "second"):
        apply(ask("SendMessage", QueueUrl=URL, MessageBody=text)[1].changes, kept)
    return kept


@pytest.mark.parametrize("operation", WRITES)
def test_every_kind_of_write_is_taken_back_as_if_it_had_not_been(operation: str) -> None:
    a_queue_with_two_messages()
    settings = queues.documents()["queue", NAME]

    step = write(operation)
    step.undo()

    assert step.changes
    assert bodies() == ["first", "second"]
    assert queues.documents()["queue", NAME] == settings


@pytest.mark.parametrize("operation", WRITES)
def test_what_is_written_down_is_there_after_a_start(operation: str) -> None:
    kept = a_queue_with_two_messages()
    apply(write(operation).changes, kept)
    expected, through_the_disk = bodies(), {path: json.loads(json.dumps(each)) for path, each in kept.items()}

    forget()
    queues.restore(through_the_disk)

    assert bodies() == expected


def test_a_made_queue_is_taken_back(apart: None) -> None:
    _, step = ask("CreateQueue", QueueName=NAME)

    step.undo()

    assert queues.documents() == {}


def test_one_that_was_received_comes_again_after_a_start() -> None:
    kept = a_queue_with_two_messages()
    received()

    forget()
    queues.restore(kept)

    assert received()
