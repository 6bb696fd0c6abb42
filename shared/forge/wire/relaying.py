"""The handler of the relay, which follows the table's stream."""

from collections.abc import Iterable, Mapping
from typing import Any

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType
from aws_lambda_powertools.utilities.data_classes.dynamo_db_stream_event import DynamoDBRecord

from forge.context import Services
from forge.errors import Unavailable
from forge.store.answers import NoAnswer, Refused
from forge.store.keys import Key
from forge.wire.observing import Event, Handler, Observer
from forge.wire.workers import OpenServices, handling, open_services
from forge.work.background.sweep import outbox
from forge.work.record.log.rows import OutboxItem

_AWAY = (Unavailable, Refused, NoAnswer)
"""What says nothing about a mark: table or queue could not be reached, or did not want to."""


class HeldBack(Exception):
    """A record before this one failed, so its turn has not come."""


def relay_handler(open_all: OpenServices = open_services) -> Handler:
    """Sends what the stream shows of the outbox, many at once, and reports what it could not send.

    A shard is in order, and Lambda sends everything again from the first failure on. When table or queue are
    away, nothing after it is sent now: that would tell of a change before the one it follows. A mark that
    can't be sent at all stops nothing: what follows is sent, unless it was when the same batch came before.
    Lambda tries the mark again, and in the end sets it aside; it is still due, and so the sweep's.
    """

    def relay_all(services: Services, event: Event, observer: Observer, context: Any) -> dict[str, Any]:
        # A batch whose first record failed is a partial failure like any other, and no error of the function.
        batch = BatchProcessor(EventType.DynamoDBStreams, raise_on_entire_batch_failure=False)
        sent = _relay_together(services, event["Records"])

        def relay(record: DynamoDBRecord) -> bool:
            if any(isinstance(reason, _AWAY) for _, reason, _ in batch.exceptions):
                raise HeldBack
            mark = _mark_in(record.raw_event)
            if mark is None or mark.key in sent:
                return mark is not None
            return outbox.relay_unless_sent(services.store, [mark.key]) > 0

        with batch(event["Records"], relay):
            done = batch.process()
        relayed = sum(result is True for _, result, _ in done)
        observer.count(relayed=relayed, failed=_tell_failures(batch, observer))
        return dict(batch.response())

    return handling("relay", open_all, relay_all)


def _relay_together(services: Services, records: Iterable[Any]) -> set[Key]:
    """A batch with a mark that nobody can read has come before, and what can be read was sent then."""
    read = [_readable(record) for record in records]
    marks = [mark for mark, _ in read if mark is not None]
    may_be_sent = not all(is_readable for _, is_readable in read)
    return outbox.relay_together(services.store, marks, now=services.now(), may_be_sent=may_be_sent)


def _readable(record: Mapping[str, Any]) -> tuple[OutboxItem | None, bool]:
    try:
        return _mark_in(record), True
    except ValueError:
        return None, False


def _mark_in(record: Mapping[str, Any]) -> OutboxItem | None:
    image = record["dynamodb"].get("NewImage")
    return outbox.mark_in(image) if image else None


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
