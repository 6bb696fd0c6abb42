"""Handlers of the functions without tools: the relay, the sweep, and those who take messages from queues."""

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType
from aws_lambda_powertools.utilities.data_classes.dynamo_db_stream_event import DynamoDBRecord
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord

from forge.context import Services
from forge.contract.catalog import load_catalog
from forge.errors import Unavailable
from forge.store.answers import NoAnswer, Refused
from forge.store.physical import SORT
from forge.wire import tasking
from forge.wire.backend import open_backend
from forge.wire.edge import Edge
from forge.wire.observing import Event, Handler, Observer, observed
from forge.wire.settings import Settings
from forge.wire.starting import Start, is_on_lambda
from forge.work.background import errand_runner, export_files
from forge.work.background.deliveries import consuming
from forge.work.background.deliveries.deliveries import DeliveryItem, DeliveryStatus
from forge.work.background.erasures import carrying_out
from forge.work.background.sweep import outbox, sweep
from forge.work.background.sweep.sweep import Sweep
from forge.work.background.sweep.timers import Due, TimerItem, TimerState
from forge.work.background.waits import tending
from forge.work.backlog.trackers.errands import ErrandItem
from forge.work.overviews.exports.orders import ExportItem
from forge.work.plans.gateway.tasks import TaskItem
from forge.work.plans.waits.waits import WaitItem
from forge.work.record.log.events import LogItem
from forge.work.workspace.erasures import ErasureItem
from forge.work.workspace.jobs import Job
from forge.work.workspace.workers import POST_SECONDS, SWEEP, Worker, worker_of

OpenServices = Callable[[], Services]
OpenedT = TypeVar("OpenedT")
Opened = tuple[Edge, Services]
OpenEdge = Callable[[], Opened]

_AWAY = (Unavailable, Refused, NoAnswer)
"""What says nothing about a row: table or queue could not be reached, or did not want to."""
_COUNTED = ("due", "swept", "failed", "dead", "overtaken", "unknown")
_TRIED = {
    DeliveryStatus.SUCCESS: "delivered",
    DeliveryStatus.FAILED: "undelivered",
    DeliveryStatus.DEAD_LETTER: "dead",
}
_RESERVED_MS = 10_000
"""The longest that settling one thing takes, with all its patience."""
_FOR_THE_FILE_MS = 180_000
"""For sending what was exported to the bucket."""


class HeldBack(Exception):
    """A record before this one failed, so its turn has not come."""


def open_services() -> Services:
    backend = open_backend()
    if is_on_lambda():
        backend.prepare()
    return backend.services


def open_task_edge() -> Opened:
    """Every tool that agents have, none imported before it is called."""
    settings = Settings.read(os.environ)
    backend = settings.open_backend()
    return Edge(load_catalog().for_agents(), backend, settings.options()), backend.services


def relay_handler(open_all: OpenServices = open_services) -> Handler:
    """Sends what the stream shows of the outbox, and reports what it could not send.

    A shard is in order, and Lambda sends everything again from the first failure on. When table or queue are
    away, nothing after it is sent now: that would tell of a change before the one it follows. A row that
    can't be sent at all stops nothing: what follows is sent, unless it was when the same batch came before.
    Lambda tries the row again, and in the end sets it aside; it is still due, and so the sweep's.
    """

    def relay_all(services: Services, event: Event, observer: Observer, context: Any) -> dict[str, Any]:
        # A batch whose first record failed is a partial failure like any other, and no error of the function.
        batch = BatchProcessor(EventType.DynamoDBStreams, raise_on_entire_batch_failure=False)

        def relay(record: DynamoDBRecord) -> bool:
            if any(isinstance(reason, _AWAY) for _, reason, _ in batch.exceptions):
                raise HeldBack
            return _relay(services, record, may_be_sent=bool(batch.fail_messages))

        with batch(event["Records"], relay):
            done = batch.process()
        relayed = sum(result is True for _, result, _ in done)
        observer.count(relayed=relayed, failed=_tell_failures(batch, observer))
        return dict(batch.response())

    return _handler("relay", open_all, relay_all)


def dispatch_handler(open_all: OpenServices = open_services, seconds: float = POST_SECONDS) -> Handler:
    """Acts on the messages of a batch at once, and reports those that it could not act on.

    A message that nobody can read is among them each time, and in the end among the dead letters. A delivery
    that failed is none of them: its row says when it is tried again.
    """

    def dispatch_all(services: Services, event: Event, observer: Observer, context: Any) -> dict[str, Any]:
        worker = replace(worker_of(services, "dispatch"), seconds=seconds)
        records = event["Records"]
        batch = BatchProcessor(EventType.SQS, raise_on_entire_batch_failure=False)
        with consuming.under_way(worker, [record["body"] for record in records]) as acted:
            by_id = {record["messageId"]: each for record, each in zip(records, acted, strict=True)}

            def outcome(record: SQSRecord) -> DeliveryItem | None:
                return by_id[record.message_id].result()

            with batch(records, outcome):
                done = batch.process()
        tried = [result for _, result, _ in done if isinstance(result, DeliveryItem)]
        observer.count(**_tell_tries(tried, observer), unread=_tell_unread(batch, observer))
        return dict(batch.response())

    return _handler("dispatch", open_all, dispatch_all)


def waits_handler(open_all: OpenServices = open_services) -> Handler:
    """Looks at what waits for somebody."""
    return _taking(
        WaitItem, "tended", open_all, lambda worker, body: tending.consume(worker, body) is not None
    )


def tasks_handler(open_edge: OpenEdge = open_task_edge) -> Handler:
    """Carries out what nobody waits for."""

    def perform_all(opened: Opened, event: Event, observer: Observer, context: Any) -> dict[str, Any]:
        return _one_by_one(event, observer, "performed", partial(tasking.perform, *opened))

    return _handler(TaskItem.queue, open_edge, perform_all)


def errands_handler(open_all: OpenServices = open_services) -> Handler:
    """Does elsewhere what was decided here."""
    return _taking(ErrandItem, "done", open_all, lambda worker, body: errand_runner.consume(worker, body) > 0)


def exports_handler(open_all: OpenServices = open_services) -> Handler:
    """Writes what was ordered."""
    return _taking(ExportItem, "exported", open_all, export_files.consume)


def erasures_handler(open_all: OpenServices = open_services) -> Handler:
    """Erases what was ordered to be."""
    return _taking(ErasureItem, "erased", open_all, carrying_out.consume)


def _taking(
    kind: type[Job], counted: str, open_all: OpenServices, act: Callable[[Worker, str], bool]
) -> Handler:
    def take_all(services: Services, event: Event, observer: Observer, context: Any) -> dict[str, Any]:
        has_time = _time_left(context, reserved_ms=_FOR_THE_FILE_MS)
        worker = replace(worker_of(services, kind.queue), has_time=has_time)
        return _one_by_one(event, observer, counted, partial(act, worker))

    return _handler(kind.queue, open_all, take_all)


def sweep_handler(open_all: OpenServices = open_services) -> Handler:
    """Settles what is due while there is time; how much there was is its answer."""

    def settle_all(services: Services, event: Event, observer: Observer, context: Any) -> dict[str, Any]:
        def note(due: Due, reason: Exception, timer: TimerItem | None) -> None:
            known = {"tries": timer.tries, "state": timer.state} if timer else {}
            is_over = timer is not None and timer.state is TimerState.DEAD
            write = observer.logger.error if is_over else observer.logger.warning
            where = {"partition": due.key.partition, "sort": due.key.sort}
            write("given up" if is_over else "not settled", exc_info=reason, extra={**where, **known})

        task = Sweep(replace(worker_of(services, SWEEP), has_time=_time_left(context)), note)
        settled = sweep.run(task)
        observer.count(**{name: task.counts[name] for name in _COUNTED})
        return {"settled": settled}

    return _handler("sweep", open_all, settle_all)


def _time_left(context: Any, *, reserved_ms: int = _RESERVED_MS) -> Callable[[], bool]:
    """Whether something can still be begun, as Lambda tells it; elsewhere there is time."""
    remaining = getattr(context, "get_remaining_time_in_millis", None)
    return (lambda: remaining() > reserved_ms) if remaining else (lambda: True)


def _one_by_one(event: Event, observer: Observer, counted: str, act: Callable[[str], bool]) -> dict[str, Any]:
    """Acts on one message after the other, and reports those that it could not act on."""
    batch = BatchProcessor(EventType.SQS, raise_on_entire_batch_failure=False)

    def act_on(record: SQSRecord) -> bool:
        return act(record.body)

    with batch(event["Records"], act_on):
        done = batch.process()
    acted = sum(result is True for _, result, _ in done)
    observer.count(**{counted: acted, "unread": _tell_unread(batch, observer)})
    return dict(batch.response())


def _handler(
    service: str,
    open_all: Callable[[], OpenedT],
    work: Callable[[OpenedT, Event, Observer, Any], dict[str, Any]],
) -> Handler:
    """What can't be opened is logged, and raised too: only then does Lambda count the event as failed."""
    start = Start(open_all)

    def handle(event: Event, context: Any, observer: Observer) -> dict[str, Any]:
        opened = start.opened(lambda: getattr(context, "aws_request_id", "none"))
        return work(opened, event, observer, context)

    return observed(service, handle)


def _relay(services: Services, record: DynamoDBRecord, *, may_be_sent: bool) -> bool:
    """Whether there was something to send, and it was sent."""
    image = record.raw_event["dynamodb"].get("NewImage")
    if image is None or SORT not in image or not outbox.is_for_relay(image):
        return False
    row = LogItem.from_attributes(image)
    if may_be_sent:
        return outbox.relay_unless_sent(services.store, row.key)
    return outbox.relay(services.store, row)


def _tell_tries(tried: Iterable[DeliveryItem], observer: Observer) -> dict[str, int]:
    """A line for each delivery that was not taken; neither secrets nor what was sent or said are in it."""
    counts = dict.fromkeys(_TRIED.values(), 0)
    for delivery in tried:
        counts[_TRIED[delivery.status]] += 1
        if delivery.status is DeliveryStatus.SUCCESS:
            continue
        is_over = delivery.status is DeliveryStatus.DEAD_LETTER
        write = observer.logger.error if is_over else observer.logger.warning
        shown = {
            "workspaceId": delivery.workspace_id,
            "deliveryId": delivery.id,
            "target": delivery.target_id,
            "attempt": delivery.attempt,
            "responseStatus": delivery.response_status,
        }
        write("delivery given up" if is_over else "not delivered", extra=shown)
    return counts


def _tell_unread(batch: BatchProcessor, observer: Observer) -> int:
    reported = [one["itemIdentifier"] for one in batch.response()["batchItemFailures"]]
    for message_id, (_, reason, _) in zip(reported, batch.exceptions, strict=True):
        observer.logger.error("not acted on", exc_info=reason, extra={"messageId": message_id})
    return len(reported)


def _tell_failures(batch: BatchProcessor, observer: Observer) -> int:
    """A line for each row that failed by itself; how many did."""
    reported = [one["itemIdentifier"] for one in batch.response()["batchItemFailures"]]
    failed = [
        (number, reason)
        for number, (_, reason, _) in zip(reported, batch.exceptions, strict=True)
        if not isinstance(reason, HeldBack)
    ]
    for number, reason in failed:
        observer.logger.error(
            "not relayed",
            exc_info=reason,
            extra={
                "sequenceNumber": number,
                "heldBack": len(batch.fail_messages) - len(failed),
            },
        )
    return len(failed)
