"""Webhooks: URLs outside that hear of a workspace's events."""

from datetime import datetime
from hashlib import sha256

from forge.errors import Conflict, NotFound
from forge.store.items import Item
from forge.store.keys import At, Partition
from forge.store.table import Table
from forge.store.transactions import Transaction
from forge.work.record.log.kinds import EventKind
from forge.work.workspace import guards
from forge.work.workspace.signing import NextSecret

MAX_WEBHOOKS = 50
_SOME_MORE = 10
"""Two who add the last one at once both succeed."""

WEBHOOKS = Partition("WS#{workspace_id}#WEBHOOKS")


class WebhookItem(Item):
    stored = At(WEBHOOKS, "{id}")

    workspace_id: str
    id: str
    url: str
    called: str
    """The URL as it is asked, by which two spellings of one are the same."""
    secret: str
    next_secret: NextSecret | None = None
    events: list[EventKind] = []
    """The kinds that it hears of; none means all."""
    active: bool = True
    created_at: datetime

    def hears_of(self, kind: str) -> bool:
        return self.active and (not self.events or kind in self.events)


def add(tx: Transaction, webhook: WebhookItem) -> None:
    tx.create(webhook)
    taken = Conflict(
        "There is a webhook with this URL already.",
        hint="webhooks.list shows it; delete it to change its events, webhooks.rotateSecret for its secret.",
        issues={"url": "Already taken."},
    )
    guards.take(tx, _owner(webhook), _guarded(webhook), refusal=taken)


def remove(tx: Transaction, webhook: WebhookItem) -> None:
    tx.delete(webhook)
    guards.free(tx, _owner(webhook), _guarded(webhook))


def get(table: Table, workspace_id: str, webhook_id: str) -> WebhookItem:
    missing = NotFound(f"There is no webhook {webhook_id[:60]!r}.", hint="webhooks.list shows them.")
    return table.get(WebhookItem, WebhookItem.at(workspace_id, webhook_id), missing=missing)


def list_all(table: Table, workspace_id: str) -> list[WebhookItem]:
    """The oldest first; one request."""
    rows = table.query_all(WEBHOOKS(workspace_id), most=MAX_WEBHOOKS + _SOME_MORE)
    return rows.of(WebhookItem)


def _owner(webhook: WebhookItem) -> guards.Owner:
    return guards.Owner(webhook.workspace_id, "WEBHOOK", webhook.id, field="url")


def _guarded(webhook: WebhookItem) -> str:
    """Guards take no notice of upper and lower case, and paths do."""
    return sha256(webhook.called.encode()).hexdigest()
