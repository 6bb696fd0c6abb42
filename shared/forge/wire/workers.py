"""Handlers of the functions without tools: the sweep, and those who take messages from queues."""

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord

from forge.context import Services
from forge.contract.catalog import load_catalog
from forge.wire import tasking
from forge.wire.backend import open_backend
from forge.wire.edge import Edge
from forge.wire.observing import Event, Handler, Observer, observed
from forge.wire.settings import Settings
from forge.wire.starting import Start, is_on_lambda
from forge.work.background import errand_runner, export_files, word_index
from forge.work.background.deliveries import consuming
from forge.work.background.deliveries.deliveries import DeliveryItem, DeliveryStatus
from forge.work.background.erasures import carrying_out
from forge.work.background.sweep import sweep
from forge.work.background.sweep.sweep import Sweep
from forge.work.background.sweep.timers import Due, TimerItem, TimerState
from forge.work.background.waits import tending
from forge.work.backlog.trackers.errands import ErrandItem
from forge.work.overviews.exports.orders import ExportItem
from forge.work.plans.gateway.tasks import TaskItem
from forge.work.plans.waits.waits import WaitItem
from forge.work.workspace.erasures import ErasureItem
from forge.work.workspace.workers import POST_SECONDS, SWEEP, Worker, worker_of

OpenServices = Callable[[], Services]
OpenedT = TypeVar("OpenedT")
Opened = tuple[Edge, Services]
OpenEdge = Callable[[], Opened]

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

    return handling("dispatch", open_all, dispatch_all)


def waits_handler(open_all: OpenServices = open_services) -> Handler:
    """Takes messages about waits: asks, reminds and in the end decides."""
    return _taking(
        WaitItem.queue, "tended", open_all, lambda worker, body: tending.consume(worker, body) is not None
    )


def tasks_handler(open_edge: OpenEdge = open_task_edge) -> Handler:
    """Carries out tasks: calls whose answers clients come back for."""

    def perform_all(opened: Opened, event: Event, observer: Observer, context: Any) -> dict[str, Any]:
        return _one_by_one(event, observer, "performed", partial(tasking.perform, *opened))

    return handling(TaskItem.queue, open_edge, perform_all)


def errands_handler(open_all: OpenServices = open_services) -> Handler:
    """Does elsewhere what was decided here."""
    return _taking(
        ErrandItem.queue, "done", open_all, lambda worker, body: errand_runner.consume(worker, body) > 0
    )


def exports_handler(open_all: OpenServices = open_services) -> Handler:
    """Writes the exports that were ordered."""
    return _taking(ExportItem.queue, "exported", open_all, export_files.consume)


def erasures_handler(open_all: OpenServices = open_services) -> Handler:
    """Erases what was ordered to be."""
    return _taking(ErasureItem.queue, "erased", open_all, carrying_out.consume)


def words_handler(open_all: OpenServices = open_services) -> Handler:
    """Keeps up what issues are found by."""
    return _taking(word_index.QUEUE, "settled", open_all, word_index.consume)


def _taking(queue: str, counted: str, open_all: OpenServices, act: Callable[[Worker, str], bool]) -> Handler:
    def take_all(services: Services, event: Event, observer: Observer, context: Any) -> dict[str, Any]:
        has_time = _time_left(context, reserved_ms=_FOR_THE_FILE_MS)
        worker = replace(worker_of(services, queue), has_time=has_time)
        return _one_by_one(event, observer, counted, partial(act, worker))

    return handling(queue, open_all, take_all)


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

    return handling("sweep", open_all, settle_all)


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


def handling(
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
