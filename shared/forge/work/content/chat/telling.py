"""What dispatching means for a message in a thread: from the first try on, its agent sees it."""

from collections.abc import Callable, Mapping
from typing import Any

from forge.errors import Unavailable
from forge.store.store import Store
from forge.store.table import Table
from forge.store.transactions import Transaction, VersionMoved
from forge.work.content.chat import messages
from forge.work.record.log.kinds import EventKind

_MOST_COMMITS = 5


def note(
    tx: Transaction, table: Table, kind: str, payload: Mapping[str, Any], *, delivery_id: str | None
) -> None:
    """Put into a transaction that the agent was told of the message, or needed not be."""
    if kind != EventKind.CHAT_MESSAGE_POSTED:
        return
    found = messages.find(table, tx.origin.caller.workspace_id, str(payload.get("messageId")))
    if found is not None and (delivery_id or found[1].dispatched_at is None):
        messages.mark_dispatched(tx, *found, delivery_id=delivery_id)


def settle(store: Store, begin: Callable[[], Transaction], kind: str, payload: Mapping[str, Any]) -> None:
    """The agent has no URL any more, so nobody will try: it looks for itself, and has to see the message."""
    if kind != EventKind.CHAT_MESSAGE_POSTED:
        return
    for _ in range(_MOST_COMMITS):
        tx = begin()
        note(tx, store.table, kind, payload, delivery_id=None)
        try:
            store.commit(tx)
        except VersionMoved:
            continue
        return
    raise Unavailable("The thread changes too fast to be written to.")
