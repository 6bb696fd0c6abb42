"""The outbox: log rows that somebody has to be told about, handed to the dispatch queue at least once."""

from forge.store.physical import INDEX_BY_NAME
from forge.store.store import Store
from forge.store.transactions import VersionMoved
from forge.work.events import LogItem


def relay(store: Store, row: LogItem) -> bool:
    """Send a row that is still due, then mark it as sent; whether it was.

    If we die in between, it is sent again: consumers tell repetitions by the event's id.
    """
    if row.outbox_due is None:
        return False
    store.queues.send("dispatch", message_of(row))
    _mark_sent(store, row)
    return True


def message_of(row: LogItem) -> dict[str, object]:
    return {
        "id": row.id,
        "workspaceId": row.workspace_id,
        "kind": row.kind,
        "subjectType": row.subject_type,
        "subjectId": row.subject_id,
        "payload": row.payload,
        "wakes": [{"agentId": wake.agent_id, "runId": wake.run_id} for wake in row.wakes],
        "createdAt": row.created_at.isoformat(),
    }


def _mark_sent(store: Store, row: LogItem) -> None:
    due = INDEX_BY_NAME["due"]
    try:
        store.table.assign(
            row.key, {"outbox_due": None, due.partition: None, due.sort: None}, only_if={"id": row.id}
        )
    except VersionMoved:
        # The row has been purged meanwhile; there is nothing left to mark.
        return
