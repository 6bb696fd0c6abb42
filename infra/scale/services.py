"""What limits are made of: what AWS documents, what template and code say, and how long requests take.

Nothing of the product is said here a second time. What requests take are allowances: somewhat more than AWS
usually needs in one region, because what is measured on one machine says nothing about it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from forge.store.physical import QUEUES
from forge.store.queues import portions
from forge.testing.simulation.partitions import Physical
from forge.testing.simulation.relays import Relay, Words
from forge.work.background.sweep.outbox import TOGETHER
from forge.work.background.sweep.sweep import MOST_OF_ONE
from forge.work.record.log.events import UNSENT_AFTER
from infra.scale.recorded import Task, Tool
from infra.stack.functions import DISPATCH, RELAY, SWEEP_SECONDS, WORDS, function_id

WRITES, READS = Physical(units=1_000), Physical(units=3_000)
"""Of one physical partition, a second."""
TABLE_AT_FIRST_WRITES, TABLE_AT_FIRST_READS = 4_000, 12_000
"""Of a new table on demand; within half an hour it takes twice its last peak."""
TABLE_QUOTA = 40_000
"""Units a second of one table, reads and writes each, until the account asks for more."""
CONCURRENCY = 1_000
"""Invocations at once in one account and region, until it asks for more."""
FIFO_REQUESTS = 300
"""A second, of each kind, for one queue that keeps an order; each may carry a batch of messages."""

_MILLISECONDS = {
    "GetItem": 4,
    "BatchGetItem": 6,
    "Query": 6,
    "UpdateItem": 7,
    "BatchWriteItem": 10,
    "TransactWriteItems": 20,
}
_SEND, _COMPUTE = 0.012, 0.010
"""Seconds for a request to SQS, and for all that a function does besides waiting."""
_IDLE_POLL = 0.25
"""Lambda asks a shard of a stream four times a second."""
_EVERY_MINUTE = 60.0

SHARD_COUNTS = (1, 2, 4, 8, 16)
SHARDED = frozenset({"LOG", "OUTBOX"})
"""What a workspace's number of shards spreads, by the names of its partitions."""

Resources = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Consumers:
    """Of one queue."""

    at_once: int
    batch: int
    message_seconds: float
    is_parallel: bool
    """Whether one instance works on all messages of its batch together."""

    @property
    def messages_a_second(self) -> float:
        together = self.batch if self.is_parallel else 1
        return self.at_once * together / self.message_seconds


def seconds_of(tool: Tool) -> float:
    """What the requests of one call take, one after the other, and its own work."""
    waits = sum(times * _MILLISECONDS[name] for name, times in tool.requests.items())
    return waits / 1_000 / tool.calls + _COMPUTE


def relay_of(task: Task, resources: Resources, *, stream_shards: int) -> Relay:
    stream = _event(resources, RELAY, "Stream")
    reading = _MILLISECONDS["BatchGetItem"] / 1_000
    deleting = _MILLISECONDS["BatchWriteItem"] / 1_000
    return Relay(
        lanes=int(stream["ParallelizationFactor"]) * stream_shards,
        batch=int(stream["BatchSize"]),
        together=TOGETHER,
        portion_seconds=reading + _sending(task, TOGETHER) + deleting + _COMPUTE,
        reading_seconds=reading,
        idle_poll_seconds=_IDLE_POLL,
        due_after=UNSENT_AFTER.total_seconds(),
        sweep_every=_EVERY_MINUTE,
        sweep_lasts=SWEEP_SECONDS,
        sweep_mark_seconds=2 * reading + _sending(task, 1) + deleting,
        sweep_most=MOST_OF_ONE,
    )


def words_of(task: Task, resources: Resources) -> Words:
    taking = consumers_of(WORDS, task, resources)
    return Words(
        share=task.messages[WORDS] / task.marks,
        consumers=taking.at_once,
        batch=taking.batch,
        message_seconds=taking.message_seconds,
    )


def consumers_of(queue: str, task: Task, resources: Resources) -> Consumers:
    taken = _event(resources, queue, "Queue")
    worker = {DISPATCH: task.dispatch, WORDS: task.words}[queue]
    waits = sum(times * _MILLISECONDS[name] for name, times in worker.requests.items()) / 1_000
    return Consumers(
        at_once=int(taken["ScalingConfig"]["MaximumConcurrency"]),
        batch=int(taken["BatchSize"]),
        message_seconds=waits / task.messages[queue] + _COMPUTE,
        is_parallel=queue == DISPATCH,
    )


def messages_in_a_request() -> int:
    entry: Any = {"Id": "", "MessageBody": ""}
    return len(next(portions([entry] * 1_000)))


def is_fifo(queue: str) -> bool:
    return any(one.is_fifo for one in QUEUES if one.name == queue)


def send_requests(task: Task, marks: float, queue: str) -> float:
    """How many requests it takes to send what so many marks tell of."""
    messages = task.messages[queue] / task.marks * marks
    # Less than one, where most marks have nothing for the queue.
    return max(messages / messages_in_a_request(), min(messages, 1))


def _sending(task: Task, marks: float) -> float:
    return sum(send_requests(task, marks, queue) for queue in task.messages) * _SEND


def _event(resources: Resources, folder: str, name: str) -> Mapping[str, Any]:
    properties: Mapping[str, Any] = resources[function_id(folder)]["Properties"]["Events"][name]["Properties"]
    return properties
