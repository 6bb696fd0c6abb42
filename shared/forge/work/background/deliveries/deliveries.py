"""A delivery: one event for one receiver. The row is the truth; messages only say when to look at it."""

from base64 import b32encode
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from forge.errors import NotFound
from forge.store.items import Item
from forge.store.keys import At, Key, Partition
from forge.store.pages import AskedPage, Found, read_page
from forge.store.places import DueAt, In, KeptFor
from forge.store.store import Store
from forge.store.table import Table
from forge.store.walks import one_partition
from forge.work.record.log.events import UNSENT_AFTER
from forge.work.workspace.workers import Worker

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


class DeliveryItem(Item):
    stored = At(DELIVERIES, "{id}")
    indexed = (
        # What went well is the most, and is found well enough among all.
        In("subject", DELIVERIES_OF_STATUS, "{id}", when="has_not_succeeded"),
        DueAt("look_at"),
    )
    kept = KeptFor(KEPT, since="created_at")

    workspace_id: str
    id: str
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
    leased_until: datetime | None = None
    """While somebody tries: until when nobody else does."""
    look_at: datetime | None = None
    """When the sweep sends a message for it, in case that there is none."""
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


def send(store: Store, delivery: DeliveryItem, *, delay_seconds: int = 0) -> None:
    """Have somebody look at it. A message too many does no harm, and the sweep makes up for one too few."""
    message = {"deliveryId": delivery.id, "workspaceId": delivery.workspace_id}
    store.queues.send(QUEUE, message, delay_seconds=delay_seconds)


def resend(worker: Worker, key: Key) -> bool:
    """For the sweep: the message was lost, or the wait is longer than a message's.

    A message first, and another look later: so a crash in between sends one too many.
    """
    found = worker.store.table.find(DeliveryItem, key)
    if found is None or found.look_at is None or found.status not in OPEN or found.look_at > worker.now:
        return False
    send(worker.store, found)
    tx = worker.begin(found.workspace_id)
    tx.replace(found.changed(look_at=worker.now + UNSENT_AFTER))
    worker.store.commit(tx)
    return True


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
