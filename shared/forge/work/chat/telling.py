"""What dispatching means for a message in a thread: from the first try on, its agent sees it."""

from collections.abc import Mapping
from typing import Any

from forge.errors import Unavailable
from forge.store.transactions import Transaction, VersionMoved
from forge.work.chat import messages
from forge.work.deliveries.dispatching import Dispatch
from forge.work.log.events import EventKind

_MOST_COMMITS = 5


def note(
    tx: Transaction, dispatch: Dispatch, kind: str, payload: Mapping[str, Any], *, delivery_id: str | None
) -> None:
    """Put into a transaction that the agent was told of the message, or needed not be."""
    if kind != EventKind.CHAT_MESSAGE_POSTED:
        return
    workspace_id = tx.origin.caller.workspace_id
    found = messages.find(dispatch.store.table, workspace_id, str(payload.get("messageId")))
    if found is not None and (delivery_id or found[1].dispatched_at is None):
        messages.mark_dispatched(tx, *found, delivery_id=delivery_id)


def settle(dispatch: Dispatch, workspace_id: str, kind: str, payload: Mapping[str, Any]) -> None:
    """The agent has no URL any more, so nobody will try: it looks for itself, and has to see the message."""
    if kind != EventKind.CHAT_MESSAGE_POSTED:
        return
    for _ in range(_MOST_COMMITS):
        tx = dispatch.begin(workspace_id)
        note(tx, dispatch, kind, payload, delivery_id=None)
        try:
            dispatch.store.commit(tx)
        except VersionMoved:
            continue
        return
    raise Unavailable("The thread changes too fast to be written to.")
