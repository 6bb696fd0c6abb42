"""Handlers of the functions without tools: the relay of the outbox, and the minute sweep."""

from collections.abc import Callable, Mapping
from typing import Any

from forge.context import Services
from forge.errors import DomainError
from forge.store.physical import SORT
from forge.store.readings import Attributes
from forge.wire.backend import open_backend
from forge.wire.starting import Start, is_on_lambda
from forge.work.log import outbox, sweep
from forge.work.log.events import LogItem
from forge.work.log.sweep import Sweep

Event = Mapping[str, Any]
Handler = Callable[[Event, Any], dict[str, Any]]


def relay_handler() -> Handler:
    """Sends what the stream shows of the outbox; a row that fails comes again with all that follows."""

    def relay(services: Services, event: Event) -> dict[str, Any]:
        for record in event["Records"]:
            try:
                _relay(services, record["dynamodb"].get("NewImage"))
            except DomainError:
                # The stream is in order: from this record on, everything comes again.
                failed = {"itemIdentifier": record["dynamodb"]["SequenceNumber"]}
                return {"batchItemFailures": [failed]}
        return {"batchItemFailures": []}

    return _handler(relay)


def sweep_handler() -> Handler:
    """Settles what is due; how much there was is its answer."""

    def settle(services: Services, event: Event) -> dict[str, Any]:
        return {"settled": sweep.run(Sweep(services.store, services.now(), services.new_id))}

    return _handler(settle)


def _handler(work: Callable[[Services, Event], dict[str, Any]]) -> Handler:
    """What can't be opened is logged, and raised too: only then does Lambda count the event as failed."""
    start = Start(_open_services)

    def handle(event: Event, context: Any) -> dict[str, Any]:
        return work(start.opened(lambda: getattr(context, "aws_request_id", "none")), event)

    return handle


def _open_services() -> Services:
    backend = open_backend()
    if is_on_lambda():
        backend.prepare()
    return backend.services


def _relay(services: Services, image: Attributes | None) -> None:
    if image is not None and "outbox_due" in image and SORT in image:
        outbox.relay(services.store, LogItem.from_attributes(image))
