"""Webhooks: URLs outside that hear of a workspace's events."""

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256

from forge.errors import Conflict, NotFound
from forge.store.items import Item
from forge.store.keys import At, Partition
from forge.store.table import Table
from forge.store.transactions import Transaction
from forge.work.record.log.kinds import EventKind
from forge.work.workspace import taken_names
from forge.work.workspace.signing import NextSecret
from forge.work.workspace.workspaces import WorkspaceItem

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


def add(
    tx: Transaction, webhook: WebhookItem, workspace: WorkspaceItem, others: Sequence[WebhookItem]
) -> None:
    """From now on, whoever changes something knows by the workspace that it is heard of."""
    tx.create(webhook)
    _hear(tx, workspace, [*others, webhook])
    taken = Conflict(
        "There is a webhook with this URL already.",
        hint="webhooks.list shows it; delete it to change its events, webhooks.rotateSecret for its secret.",
        issues={"url": "Already taken."},
    )
    taken_names.take(tx, _owner(webhook), _guarded(webhook), refusal=taken)


def remove(
    tx: Transaction, webhook: WebhookItem, workspace: WorkspaceItem, others: Sequence[WebhookItem]
) -> None:
    tx.delete(webhook)
    _hear(tx, workspace, others)
    taken_names.free(tx, _owner(webhook), _guarded(webhook))


def get(table: Table, workspace_id: str, webhook_id: str) -> WebhookItem:
    return table.get(WebhookItem, WebhookItem.at(workspace_id, webhook_id), missing=_missing(webhook_id))


def chosen(among: Sequence[WebhookItem], webhook_id: str) -> WebhookItem:
    found = next((one for one in among if one.id == webhook_id), None)
    if found is None:
        raise _missing(webhook_id)
    return found


def list_all(table: Table, workspace_id: str) -> list[WebhookItem]:
    """The oldest first; one request."""
    rows = table.query_all(WEBHOOKS(workspace_id), most=MAX_WEBHOOKS + _SOME_MORE)
    return rows.of(WebhookItem)


def heard_by(hearing: Sequence[WebhookItem]) -> list[EventKind] | None:
    """Pure. The kinds that any of them hears of; None for all."""
    if any(not one.events for one in hearing):
        return None
    return sorted({kind for one in hearing for kind in one.events})


def _hear(tx: Transaction, workspace: WorkspaceItem, hearing: Sequence[WebhookItem]) -> None:
    """The workspace must have been read before them: so none that is added meanwhile goes unheard."""
    heard = heard_by(hearing)
    if heard == workspace.heard:
        tx.check(workspace)
    else:
        tx.replace(workspace.changed(heard=heard))


def _missing(webhook_id: str) -> NotFound:
    return NotFound(f"There is no webhook {webhook_id[:60]!r}.", hint="webhooks.list shows them.")


def _owner(webhook: WebhookItem) -> taken_names.Owner:
    return taken_names.Owner(webhook.workspace_id, "WEBHOOK", webhook.id, field="url")


def _guarded(webhook: WebhookItem) -> str:
    """Guards take no notice of upper and lower case, and paths do."""
    return sha256(webhook.called.encode()).hexdigest()
