"""Handlers of the functions without tools: the relay of the outbox, and the minute sweep."""

from collections.abc import Callable
from typing import Any

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType
from aws_lambda_powertools.utilities.data_classes.dynamo_db_stream_event import DynamoDBRecord

from forge.context import Services
from forge.errors import Unavailable
from forge.store.answers import NoAnswer, Refused
from forge.store.physical import SORT
from forge.wire.backend import open_backend
from forge.wire.observing import Event, Handler, Observer, observed
from forge.wire.starting import Start, is_on_lambda
from forge.work.log import outbox, sweep
from forge.work.log.events import LogItem
from forge.work.log.sweep import Sweep
from forge.work.log.timers import Due, TimerItem, TimerState

OpenServices = Callable[[], Services]

_AWAY = (Unavailable, Refused, NoAnswer)
"""What says nothing about a row: table or queue could not be reached, or did not want to."""
_COUNTED = ("due", "swept", "failed", "dead", "overtaken", "unknown")
_RESERVED_MS = 10_000
"""The longest that settling one thing takes, with all its patience."""


class HeldBack(Exception):
    """A record before this one failed, so its turn has not come."""


def open_services() -> Services:
    backend = open_backend()
    if is_on_lambda():
        backend.prepare()
    return backend.services


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


def sweep_handler(open_all: OpenServices = open_services) -> Handler:
    """Settles what is due while there is time; how much there was is its answer."""

    def settle_all(services: Services, event: Event, observer: Observer, context: Any) -> dict[str, Any]:
        def note(due: Due, reason: Exception, timer: TimerItem | None) -> None:
            known = {"tries": timer.tries, "state": timer.state} if timer else {}
            is_over = timer is not None and timer.state is TimerState.DEAD
            write = observer.logger.error if is_over else observer.logger.warning
            where = {"partition": due.key.partition, "sort": due.key.sort}
            write("given up" if is_over else "not settled", exc_info=reason, extra={**where, **known})

        task = Sweep(services.store, services.now(), services.new_id, note, has_time=_time_left(context))
        settled = sweep.run(task)
        observer.count(**{name: task.counts[name] for name in _COUNTED})
        return {"settled": settled}

    return _handler("sweep", open_all, settle_all)


def _time_left(context: Any) -> Callable[[], bool]:
    """Whether something can still be begun, as Lambda tells it; elsewhere there is time."""
    remaining = getattr(context, "get_remaining_time_in_millis", None)
    return (lambda: remaining() > _RESERVED_MS) if remaining else (lambda: True)


def _handler(
    service: str,
    open_all: OpenServices,
    work: Callable[[Services, Event, Observer, Any], dict[str, Any]],
) -> Handler:
    """What can't be opened is logged, and raised too: only then does Lambda count the event as failed."""
    start = Start(open_all)

    def handle(event: Event, context: Any, observer: Observer) -> dict[str, Any]:
        services = start.opened(lambda: getattr(context, "aws_request_id", "none"))
        return work(services, event, observer, context)

    return observed(service, handle)


def _relay(services: Services, record: DynamoDBRecord, *, may_be_sent: bool) -> bool:
    """Whether there was something to send, and it was sent."""
    image = record.raw_event["dynamodb"].get("NewImage")
    if image is None or SORT not in image or not outbox.is_for_relay(image):
        return False
    row = LogItem.from_attributes(image)
    if may_be_sent:
        return outbox.relay_unless_sent(services.store, row)
    return outbox.relay(services.store, row)


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
