"""A delivery: one event for one receiver. The row is the truth; messages only say when to look at it."""

from base64 import b32encode
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from forge.errors import NotFound
from forge.store.keys import At, Partition
from forge.store.pages import AskedPage, Found, read_page
from forge.store.places import In, KeptFor
from forge.store.table import Table
from forge.store.walks import one_partition
from forge.work.workspace.jobs import LeasedJob

QUEUE = "dispatch"
KEPT = timedelta(days=30)
LONGEST_DELAY = 900
"""Seconds that a message can wait in SQS; for whatever waits longer, the sweep sends one."""

_MARK = 10


class DeliveryStatus(StrEnum):
    PENDING = "PENDING"
    SUCCESS = "SUCCESS"
    FAILED = "FAILED"
    DEAD_LETTER = "DEAD_LETTER"


OPEN = frozenset({DeliveryStatus.PENDING, DeliveryStatus.FAILED})


class ReceiverType(StrEnum):
    AGENT = "AGENT"
    WEBHOOK = "WEBHOOK"


class Receiver(NamedTuple):
    type: ReceiverType
    id: str
    run_id: str | None = None
    """Of an agent: the run that waits for it."""


DELIVERIES = Partition("WS#{workspace_id}#DELIVERIES")
DELIVERIES_OF_STATUS = Partition("WS#{workspace_id}#DELIVERIES#{status}")


class DeliveryItem(LeasedJob):
    stored = At(DELIVERIES, "{id}")
    indexed = (
        # What went well is the most, and is found well enough among all.
        In("subject", DELIVERIES_OF_STATUS, "{id}", when="has_not_succeeded"),
        *LeasedJob.indexed,
    )
    kept = KeptFor(KEPT, since="created_at")
    queue, named, lease = QUEUE, "deliveryId", timedelta(seconds=30)

    event_id: str
    event_kind: str
    target_type: ReceiverType
    target_id: str
    run_id: str | None = None
    body: str
    """What is sent, made once, so that each try sends and signs the same bytes."""
    status: DeliveryStatus = DeliveryStatus.PENDING
    attempt: int = 0
    response_status: int | None = None
    response_body: str | None = None
    created_at: datetime
    scheduled_at: datetime
    """When the next try is due; of one that is over, when the last one was."""
    delivered_at: datetime | None = None

    @property
    def has_not_succeeded(self) -> bool:
        return self.status is not DeliveryStatus.SUCCESS

    @property
    def target(self) -> Receiver:
        return Receiver(self.target_type, self.target_id, self.run_id)


def delivery_id(event_id: str, target: Receiver) -> str:
    """The same for the same event and receiver, and by the time of the event."""
    digest = sha256(f"{event_id}|{target.type}|{target.id}".encode()).digest()
    return f"whd_{event_id.partition('_')[2]}{b32encode(digest).decode()[:_MARK]}"


def get(table: Table, workspace_id: str, given: str) -> DeliveryItem:
    missing = NotFound(f"There is no delivery {given[:60]!r}.", hint="webhookDeliveries.list shows them.")
    return table.get(DeliveryItem, DeliveryItem.at(workspace_id, given), missing=missing)


def list_page(
    table: Table, workspace_id: str, status: DeliveryStatus | None, asked: AskedPage
) -> Found[DeliveryItem]:
    """Those of the newest events first."""
    partition, index = DELIVERIES(workspace_id), None
    if status not in (None, DeliveryStatus.SUCCESS):
        partition, index = DELIVERIES_OF_STATUS(workspace_id, status), "subject"
    return read_page(
        table,
        DeliveryItem,
        one_partition(partition, index, is_descending=True),
        asked,
        # An index may show a row where it was a moment ago.
        accepts=(lambda delivery: delivery.status is status) if status else None,
    )
