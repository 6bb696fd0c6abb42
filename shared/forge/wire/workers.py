"""Handlers of the functions without tools: the relay of the outbox, and the minute sweep."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from forge.context import Services
from forge.errors import DomainError
from forge.store.physical import SORT
from forge.store.table import Attributes
from forge.wire.backend import open_backend
from forge.work.log import outbox, sweep
from forge.work.log.events import LogItem
from forge.work.log.sweep import Sweep

Event = Mapping[str, Any]
Handler = Callable[[Event, Any], dict[str, Any]]


def relay_handler() -> Handler:
    """Sends what the stream shows of the outbox; a row that fails comes again with all that follows."""
    services = _services()

    def handle(event: Event, context: Any) -> dict[str, Any]:
        for record in event["Records"]:
            try:
                _relay(services(), record["dynamodb"].get("NewImage"))
            except DomainError:
                # The stream is in order: from this record on, everything comes again.
                failed = {"itemIdentifier": record["dynamodb"]["SequenceNumber"]}
                return {"batchItemFailures": [failed]}
        return {"batchItemFailures": []}

    return handle


def sweep_handler() -> Handler:
    """Settles what is due; how much there was is its answer."""
    services = _services()

    def handle(event: Event, context: Any) -> dict[str, Any]:
        offered = services()
        return {"settled": sweep.run(Sweep(offered.store, offered.now(), offered.new_id))}

    return handle


def _services() -> Callable[[], Services]:
    """Opened on the first event, not at import, and kept."""
    return cache(lambda: open_backend().services)


def _relay(services: Services, image: Attributes | None) -> None:
    if image is not None and "outbox_due" in image and SORT in image:
        outbox.relay(services.store, LogItem.from_attributes(image))
