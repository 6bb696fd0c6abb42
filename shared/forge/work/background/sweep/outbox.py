"""The outbox: what was logged and has to be told, handed to the dispatch queue at least once."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

from forge.errors import Unavailable
from forge.store.keys import Key
from forge.store.physical import INDEX_BY_NAME, PARTITION
from forge.store.places import out_of
from forge.store.readings import Attributes, key_of
from forge.store.store import Store
from forge.store.transactions import VersionMoved
from forge.work.background import word_index
from forge.work.background.sweep.timers import Due
from forge.work.backlog.trackers.errands import ErrandItem
from forge.work.content.destinations.messages import FreedMessage
from forge.work.plans.waits.waits import WaitItem
from forge.work.record.log.rows import LogItem, OutboxItem
from forge.work.workspace import jobs

TOGETHER = 25
"""Marks; a transaction has one, and seldom more than four rows."""


def relay(store: Store, marks: Sequence[OutboxItem]) -> None:
    """Send what they tell of, then take them away.

    If we die in between, it is sent again: consumers tell repetitions by the event's id.
    """
    _tell(store, marks)
    store.table.restate(gone=marks)


def relay_unless_sent(store: Store, keys: Sequence[Key]) -> int:
    """The same for marks that somebody else may have taken away meanwhile; how many are left."""
    marks = _still_there(store, keys)
    relay(store, marks)
    return len(marks)


def relay_together(
    store: Store, marks: Sequence[OutboxItem], *, now: datetime, may_be_sent: bool = False
) -> set[Key]:
    """The same for many marks, some at once; which were sent. The first failure ends it.

    What is left has to be tried one by one: whatever can't be sent must keep nothing else waiting. The sweep
    may have sent those that are as old as it looks for.
    """
    sent: set[Key] = set()
    for first in range(0, len(marks), TOGETHER):
        together = marks[first : first + TOGETHER]
        left: Sequence[OutboxItem] = together
        try:
            if may_be_sent or any(mark.outbox_due <= now for mark in together):
                left = _still_there(store, [mark.key for mark in together])
            _tell(store, left)
        except Exception:  # noqa: BLE001 - each is tried by itself, and then told
            break
        # A table that has too much to do must not get more of it by each retry: what stays there although
        # it was sent is the sweep's, which sends it once more.
        with suppress(Unavailable):
            store.table.restate(gone=left)
        sent.update(mark.key for mark in together)
    return sent


def relay_row(store: Store, key: Key) -> bool:
    """A row that a build without marks wrote, unless it was sent meanwhile."""
    row = store.table.find(LogItem, key)
    if row is None or row.outbox_due is None:
        return False
    _send(store, [row])
    try:
        store.table.assign(row.key, {"outbox_due": None, **out_of("due")}, only_if={"id": row.id})
    except VersionMoved:
        # It has been purged meanwhile; there is nothing left to mark.
        return False
    return True


def mark_in(image: Attributes) -> OutboxItem | None:
    """The mark that the stream shows, if nobody has tried to send it yet.

    One that was put off or given up is the sweep's, which wrote it just now.
    """
    is_mark = PARTITION in image and Due(key_of(image), "").kind == "OUTBOX"
    is_fresh = is_mark and image.get(INDEX_BY_NAME["due"].sort) == image.get("outbox_due")
    return OutboxItem.from_attributes(image) if is_fresh else None


def _still_there(store: Store, keys: Sequence[Key]) -> list[OutboxItem]:
    known = store.table.read(keys)
    return [mark for key in keys if (mark := known.find(OutboxItem, key)) is not None]


def _rows_of(store: Store, marks: Sequence[OutboxItem]) -> list[LogItem]:
    """A row that was purged meanwhile tells nobody anything."""
    keys = [key for mark in marks for key in mark.row_keys]
    known = store.table.read(keys)
    return [row for key in keys if (row := known.find(LogItem, key)) is not None]


def _tell(store: Store, marks: Sequence[OutboxItem]) -> None:
    _send(store, _rows_of(store, marks))
    freed = [FreedMessage(workspace_id=mark.workspace_id, freed=mark.freed) for mark in marks if mark.freed]
    store.queues.send_all("dispatch", [one.model_dump(by_alias=True) for one in freed])


def _send(store: Store, rows: list[LogItem]) -> None:
    store.queues.send_all(word_index.QUEUE, word_index.messages_about(rows), grouped_by="issueId")
    store.queues.send_all("dispatch", [message_of(row) for row in rows if row.kind is not None])
    for row in rows:
        for wait_id in row.waits:
            jobs.send_about(store, WaitItem, row.workspace_id, wait_id)
        if row.errand is not None:
            jobs.send_about(store, ErrandItem, row.workspace_id, row.errand)


def message_of(row: LogItem) -> dict[str, object]:
    return {
        "id": row.id,
        "workspaceId": row.workspace_id,
        "kind": row.kind,
        "subjectType": row.subject_type,
        "subjectId": row.subject_id,
        "issueId": row.about_issue,
        "payload": row.payload,
        "wakes": [{"agentId": wake.agent_id, "runId": wake.run_id} for wake in row.wakes],
        "createdAt": row.created_at.isoformat(),
    }
