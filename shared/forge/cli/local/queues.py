"""SQS: queues and messages are kept; how often and by whom one was received is not, so it may come again."""

import json
from collections.abc import Iterator
from typing import Any

from ministack.services import sqs

from forge.cli.local.documents import MESSAGE, QUEUE, Change, Documents, Step
from forge.testing.engine import copied

READING = frozenset(
    {"ChangeMessageVisibility", "ChangeMessageVisibilityBatch", "GetQueueAttributes", "GetQueueUrl"}
    | {"ListQueues", "ReceiveMessage"}
)
WRITING = frozenset(
    {"CreateQueue", "DeleteMessage", "DeleteMessageBatch", "DeleteQueue", "PurgeQueue", "SendMessage"}
    | {"SendMessageBatch", "SetQueueAttributes"}
)

_APART = frozenset({"dedup_cache", "messages", "url"})
_COUNTS = "ApproximateNumberOf"


def take_repetitions() -> None:
    """For the whole process: a queue in turns takes a message whatever was sent before it.

    No two of ours are alike, and all that was sent within five minutes would be looked through, and written
    down, with each of them.
    """
    sqs._prune_dedup = lambda queue: queue["dedup_cache"].clear()


class Before:
    """How the queue that a request names was; made in the turn that executes it."""

    def __init__(self, body: bytes) -> None:
        self._name = _queue_name(body)
        self._queue = _find(self._name)
        self._settings = copied(_settings(self._queue))
        self._messages = list(self._queue["messages"]) if self._queue else []

    def step(self) -> Step:
        return Step([*self._changed_settings(), *self._changed_messages()], self._undo)

    def _changed_settings(self) -> Iterator[Change]:
        now = _settings(_find(self._name))
        if now != self._settings:
            yield Change((QUEUE, self._name), copied(now))

    def _changed_messages(self) -> Iterator[Change]:
        queue = _find(self._name)
        now = queue["messages"] if queue else []
        # Sent ones are appended. Gone ones are told by id alone: the dead letters keep it.
        yield from [_sent(self._name, message) for message in now[len(self._messages) :]]
        if len(now) < len(self._messages):
            kept = {message["id"] for message in now}
            gone = [message["id"] for message in self._messages if message["id"] not in kept]
            yield from [Change((MESSAGE, message_id), None) for message_id in gone]

    def _undo(self) -> None:
        queue = _find(self._name)
        if self._queue is None:
            if queue is not None:
                sqs._queues.pop(queue["url"], None)
                sqs._queue_name_to_url.pop(self._name, None)
            return
        if queue is None:
            _install(self._name, self._queue)
        self._queue.update(copied(self._settings))
        self._queue["messages"] = self._messages


def restore(documents: Documents) -> None:
    for path, document in documents.items():
        if path[0] == QUEUE:
            _install(path[1], {**document, "dedup_cache": {}, "messages": []})
    for path, document in documents.items():
        if path[0] == MESSAGE:
            queue = _find(document["queue"])
            if queue is not None:
                queue["messages"].append(document["message"])


def documents() -> Documents:
    """Everything that the engine holds."""
    found: Documents = {}
    for queue in sqs._queues.values():
        found[QUEUE, queue["name"]] = _settings(queue)
    for queue in sqs._queues.values():
        found |= dict(_sent(queue["name"], message) for message in queue["messages"])
    return found


def _queue_name(body: bytes) -> str:
    try:
        request = json.loads(body)
    except ValueError:
        return ""
    named = request.get("QueueName") or request.get("QueueUrl") if isinstance(request, dict) else None
    return named.rstrip("/").rpartition("/")[2] if isinstance(named, str) else ""


def _find(name: str) -> Any:
    return sqs._queues.get(sqs._queue_url(name))


def _install(name: str, queue: dict[str, Any]) -> None:
    """Under this run's address: a queue's has the port in it."""
    url = sqs._queue_url(name)
    queue["url"] = url
    sqs._queues[url] = queue
    sqs._queue_name_to_url[name] = url


def _settings(queue: dict[str, Any] | None) -> dict[str, Any]:
    if queue is None:
        return {}
    attributes = {name: value for name, value in queue["attributes"].items() if not name.startswith(_COUNTS)}
    return {name: value for name, value in queue.items() if name not in _APART} | {"attributes": attributes}


def _sent(name: str, message: dict[str, Any]) -> Change:
    return Change((MESSAGE, message["id"]), {"queue": name, "message": {**message, "receipt_handle": None}})
