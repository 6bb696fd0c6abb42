"""What waits on a queue."""

import json
from typing import Any

from forge.store.store import Store


def waiting_messages(store: Store, queue: str = "dispatch") -> list[dict[str, Any]]:
    """Takes every message off the queue."""
    url = store.queues.urls[queue]
    found: list[dict[str, Any]] = []
    while batch := store.queues.client.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages"):
        for message in batch:
            found.append(json.loads(message["Body"]))
            store.queues.client.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
    return found
