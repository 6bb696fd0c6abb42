"""A person is erased from a workspace: what they kept for themselves goes, and nothing tells who they were.

Their id stays wherever it is written, and names nobody. What they wrote for others is the workspace's.
"""

import re
from collections.abc import Iterable
from functools import partial

from forge.store import erasing
from forge.store.codec import decode_value
from forge.store.idempotency import IdempotencyItem
from forge.store.keys import Key
from forge.store.physical import EXPORTS
from forge.store.ranges import SortRange
from forge.store.readings import Attributes, Rows
from forge.store.transactions import VersionMoved, decided_again
from forge.work.background.erasures import users
from forge.work.content.chat.announcements import THREAD
from forge.work.content.chat.drafts import STREAM
from forge.work.content.chat.messages import MessageItem, MessagePlaceItem
from forge.work.content.chat.threads import OF_THREAD, THREADS_OF, ThreadItem
from forge.work.overviews.exports import orders
from forge.work.overviews.exports.orders import ExportItem
from forge.work.record.log.rows import LogItem, log_of
from forge.work.workspace.erasures import ErasureItem
from forge.work.workspace.people.api_keys import API_KEYS, ApiKeyItem
from forge.work.workspace.people.members import BELONGINGS, FormerMemberItem
from forge.work.workspace.workers import Worker

ERASED = "erased"
"""What their keys are called from then on."""
_NAMING = frozenset({"email", "name", "handle", "timezone", "title"})
"""What the log says of members, keys and threads that tells who somebody is, or what they talked about."""
_KEPT = frozenset({FormerMemberItem.stored.sort, "TIMER"})
"""That they were here, and that a timer of theirs runs: by their id alone."""
_ANSWERS_ABOUT_PEOPLE = "members."
_MOST = 100
_MOST_TRIES = 5


def erase_belongings(worker: Worker, order: ErasureItem) -> ErasureItem:
    """Notes, journals, pins, preferences, and whatever else is only theirs."""
    partition = BELONGINGS(order.workspace_id, order.id)
    rows = worker.store.table.query(partition, limit=_MOST, after=order.position)
    after = users.position(rows.next_position)
    theirs = [row for row, key in zip(rows, rows.keys, strict=True) if key.sort not in _KEPT]
    objects = _erase(worker, order, theirs)
    return order.further(after, rows=len(theirs), objects=objects)


def erase_threads(worker: Worker, order: ErasureItem) -> ErasureItem:
    """What they and agents told each other: a part of a thread, its head last."""
    table, workspace_id = worker.store.table, order.workspace_id
    heads = table.query(THREADS_OF(workspace_id, order.id), limit=1, index="updated").first_ones()
    # What the index shows may be gone or changed.
    head = table.find(ThreadItem, heads.keys[0]) if heads.rows else None
    if head is None:
        return order if heads.rows else order.further(None)
    messages = SortRange(MessageItem.stored.prefix())
    said = table.query(OF_THREAD(workspace_id, head.id), limit=_MOST, sort=messages).first_ones()
    drafted = table.query(STREAM(workspace_id, head.id), limit=_MOST).first_ones()
    places = [MessagePlaceItem.at(workspace_id, one.id) for one in said.of(MessageItem)]
    objects = _erase(worker, order, [*said, *drafted], also=places)
    if not said.rows and not drafted.rows:
        try:
            _end(worker, order, head)
        except VersionMoved:
            # An agent has said something meanwhile: there is more to erase.
            return order
    return order.again(rows=len(said) + len(drafted), objects=objects)


def erase_from_keys(worker: Worker, order: ErasureItem) -> ErasureItem:
    """Their keys are called nothing any more, and no repeated call is answered with what told of them."""
    found = worker.store.table.query(API_KEYS(order.workspace_id), limit=_MOST, after=order.position)
    after, objects = users.position(found.next_position), 0
    for key in found.of(ApiKeyItem):
        is_theirs = key.user_id == order.id
        objects += _erase_answers(worker, order, key.id, prefix="" if is_theirs else _ANSWERS_ABOUT_PEOPLE)
        if is_theirs:
            decided_again(partial(_rename, worker, key.key), tries=_MOST_TRIES)
            _redact_log(worker, order, "key", key.id)
    return order.further(after, objects=objects)


def erase_from_log(worker: Worker, order: ErasureItem) -> ErasureItem:
    """What was written when they came, were changed and left."""
    _redact_log(worker, order, "membership", order.id)
    return order.further(None)


def erase_exports(worker: Worker, order: ErasureItem) -> ErasureItem | None:
    """What was exported so far names them; what is being exported may, and is waited for."""
    table, workspace_id = worker.store.table, order.workspace_id
    latest = orders.find_latest(table, workspace_id)
    under_way = orders.find(table, workspace_id, latest.export_id) if latest else None
    if under_way and not under_way.is_over:
        return None
    beginning = f"{EXPORTS}{workspace_id}/"
    names = worker.store.blobs.list_names(beginning)
    for name in names:
        worker.store.blobs.delete(name)
    # Of one in parts, each has a name beneath its own.
    export_ids = {re.split(r"[/.]", name.removeprefix(beginning))[0] for name in names}
    erasing.erase(table, (ExportItem.at(workspace_id, one) for one in export_ids))
    return order.again(objects=len(names)) if names else order.further(None)


STEPS = (
    erase_belongings,
    erase_threads,
    erase_from_keys,
    erase_from_log,
    erase_exports,
    users.look_elsewhere,
    users.forget,
)


def _erase(
    worker: Worker, order: ErasureItem, rows: Iterable[Attributes], *, also: Iterable[Key] = ()
) -> int:
    """Rows with the texts that they refer to, which go first; how many of those there were."""
    found = Rows([*rows])
    names = [name for row in found for name in _objects_of(row, order.workspace_id)]
    for name in names:
        worker.store.blobs.delete(name)
    erasing.erase(worker.store.table, [*also, *found.keys])
    return len(names)


def _objects_of(row: Attributes, workspace_id: str) -> list[str]:
    """Of its own workspace: what an item names is not trusted to lead there."""
    values = [decode_value(one) for one in row.values()]
    named = [one.get("blob") if isinstance(one, dict) else one for one in values]
    own = (f"texts/{workspace_id}/", f"idempotency/WS#{workspace_id}#")
    return [one for one in named if isinstance(one, str) and one.startswith(own)]


def _end(worker: Worker, order: ErasureItem, head: ThreadItem) -> None:
    """As it was read; VersionMoved where it goes on."""
    _redact_log(worker, order, THREAD, head.id)
    tx = worker.begin(order.workspace_id)
    for row in head.awaited:
        tx.forget(row)
    tx.delete(head)
    worker.store.commit(tx)


def _erase_answers(worker: Worker, order: ErasureItem, key_id: str, *, prefix: str) -> int:
    partition = IdempotencyItem.stored.partition(order.workspace_id, key_id)
    objects = 0
    while True:
        found = worker.store.table.query(partition, limit=_MOST, sort=SortRange(prefix))
        is_last = found.next_position is None
        objects += _erase(worker, order, found)
        if is_last:
            return objects


def _rename(worker: Worker, place: Key) -> None:
    found = worker.store.table.find(ApiKeyItem, place)
    if found is not None and found.name != ERASED:
        tx = worker.begin(found.workspace_id)
        tx.replace(found.changed(name=ERASED))
        worker.store.commit(tx)


def _redact_log(worker: Worker, order: ErasureItem, subject_type: str, subject_id: str) -> None:
    """What the rows about something say of a person by name; that it happened stays."""
    partition, index = log_of(order.workspace_id, subject_type, subject_id)
    after = None
    while True:
        rows = worker.store.table.query(partition, limit=_MOST, index=index, after=after)
        after = rows.next_position
        for key in rows.keys:
            decided_again(partial(_redact, worker, key), tries=_MOST_TRIES)
        if after is None:
            return


def _redact(worker: Worker, place: Key) -> None:
    row = worker.store.table.find(LogItem, place)
    if row is None:
        return
    digests = {"before": row.before, "after": row.after}
    redacted = {name: _without_names(digest) for name, digest in digests.items()}
    if redacted != digests:
        tx = worker.begin(row.workspace_id)
        tx.adjust(row.key, assign=redacted)
        worker.store.commit(tx)


def _without_names(digest: dict[str, object] | None) -> dict[str, object] | None:
    if digest is None:
        return None
    return {name: value for name, value in digest.items() if name not in _NAMING} or None
