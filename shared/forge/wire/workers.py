"""Handlers of the functions without tools: the relay of the outbox, and the minute sweep."""

from collections.abc import Callable
from typing import Any

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType
from aws_lambda_powertools.utilities.data_classes.dynamo_db_stream_event import DynamoDBRecord

from forge.context import Services
from forge.store.keys import Key
from forge.store.physical import SORT
from forge.wire.backend import open_backend
from forge.wire.observing import Event, Handler, Observer, observed
from forge.wire.starting import Start, is_on_lambda
from forge.work.log import outbox, sweep
from forge.work.log.events import LogItem
from forge.work.log.sweep import Sweep

OpenServices = Callable[[], Services]


class HeldBack(Exception):
    """A record before this one failed, so its turn has not come."""


def open_services() -> Services:
    backend = open_backend()
    if is_on_lambda():
        backend.prepare()
    return backend.services


def relay_handler(open_all: OpenServices = open_services) -> Handler:
    """Sends what the stream shows of the outbox; a row that fails comes again with all that follows.

    A shard is in order, and Lambda sends everything again from the first failure on. So nothing after it is
    sent now: that would tell of a change before the one it follows, and tell it twice. When Lambda gives up,
    the rows are still due, and the sweep sends them.
    """

    def relay_all(services: Services, event: Event, observer: Observer) -> dict[str, Any]:
        # A batch whose first record failed is a partial failure like any other, and no error of the function.
        batch = BatchProcessor(EventType.DynamoDBStreams, raise_on_entire_batch_failure=False)

        def relay(record: DynamoDBRecord) -> bool:
            if batch.fail_messages:
                raise HeldBack
            return _relay(services, record)

        with batch(event["Records"], relay):
            done = batch.process()
        observer.count(relayed=sum(result is True for _, result, _ in done), failed=bool(batch.fail_messages))
        _tell_failure(batch, observer)
        return dict(batch.response())

    return _handler("relay", open_all, relay_all)


def sweep_handler(open_all: OpenServices = open_services) -> Handler:
    """Settles what is due; how much there was is its answer."""

    def settle_all(services: Services, event: Event, observer: Observer) -> dict[str, Any]:
        failed: list[Key] = []

        def note(key: Key, reason: Exception) -> None:
            failed.append(key)
            observer.logger.warning(
                "not settled", exc_info=reason, extra={"partition": key.partition, "sort": key.sort}
            )

        task = Sweep(services.store, services.now(), services.new_id, note)
        due = sweep.due(task)
        settled = sum(sweep.settle(task, key) for key in due)
        observer.count(due=len(due), swept=settled, failed=len(failed))
        return {"settled": settled}

    return _handler("sweep", open_all, settle_all)


def _handler(
    service: str,
    open_all: OpenServices,
    work: Callable[[Services, Event, Observer], dict[str, Any]],
) -> Handler:
    """What can't be opened is logged, and raised too: only then does Lambda count the event as failed."""
    start = Start(open_all)

    def handle(event: Event, context: Any, observer: Observer) -> dict[str, Any]:
        services = start.opened(lambda: getattr(context, "aws_request_id", "none"))
        return work(services, event, observer)

    return observed(service, handle)


def _relay(services: Services, record: DynamoDBRecord) -> bool:
    """Whether there was something to send, and it was sent."""
    image = record.raw_event["dynamodb"].get("NewImage")
    if image is None or "outbox_due" not in image or SORT not in image:
        return False
    return outbox.relay(services.store, LogItem.from_attributes(image))


def _tell_failure(batch: BatchProcessor, observer: Observer) -> None:
    if not batch.fail_messages:
        return
    first = batch.response()["batchItemFailures"][0]["itemIdentifier"]
    _, reason, _ = batch.exceptions[0]
    observer.logger.error(
        "not relayed",
        exc_info=reason,
        extra={"sequenceNumber": first, "heldBack": len(batch.fail_messages) - 1},
    )
