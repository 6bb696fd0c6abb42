"""Events, who is told of them, and keys that see only some of them."""

from forge.clock import system_now
from forge.store.store import Store
from forge.testing.builders import an_issue
from forge.work.background import word_index
from forge.work.background.sweep import outbox
from forge.work.record.log.kinds import EventKind
from forge.work.record.log.rows import LogItem, OutboxItem
from forge.work.workspace.workers import Worker
from tests.workshop.office import Body, Office, ids_in


def relay(store: Store, workspace_id: str) -> None:
    """What follows the table's stream: whoever has to be told is, and issues are found by what they say."""
    outbox.relay(store, unsent(store, workspace_id))
    settle_words(store)


def unsent(store: Store, workspace_id: str) -> list[OutboxItem]:
    partition = OutboxItem.stored.partition(workspace_id, "")
    return store.table.query_all(partition, most=1_000, because="a test relays all").of(OutboxItem)


def is_to_be_told(store: Store, row: LogItem) -> bool:
    """Whether nobody has sent it yet."""
    marks = store.table.query_all(OutboxItem.stored.partition(row.workspace_id, ""), most=500).of(OutboxItem)
    return any(row.id in mark.rows for mark in marks)


def settle_words(store: Store) -> None:
    """What the worker of the index does with what waits for it."""
    worker = Worker(store, system_now)
    while waiting := store.queues.receive(word_index.QUEUE, most=10):
        for message in waiting:
            word_index.consume(worker, message.body)
            store.queues.delete(word_index.QUEUE, message)


def a_stored_issue(office: Office, issue_id: str, **fields: object) -> str:
    office.put(an_issue(**office.here_and_now, id=issue_id, **fields))
    return issue_id


def a_row(
    office: Office,
    issue_id: str | None,
    *,
    subject: tuple[str, str] | None = None,
    actor_user_id: str | None = None,
    kind: EventKind | None = EventKind.ISSUE_UPDATED,
) -> LogItem:
    """A row that is about an issue, or none; its subject is the issue, unless another is given."""
    subject_type, subject_id = subject or ("issue", issue_id or "iss_none")
    return LogItem(
        workspace_id=office.workspace.id,
        id=office.world.ids("evt"),
        kind=kind,
        subject_type=subject_type,
        subject_id=subject_id,
        action="update",
        tool="issues.update",
        actor_user_id=actor_user_id,
        key_id="key_1",
        request_id="req_1",
        issue_id=issue_id,
        created_at=office.world.clock(),
    )


def happened(office: Office, *issue_ids: str | None) -> list[str]:
    """One event about each, oldest first."""
    rows = [a_row(office, issue_id) for issue_id in issue_ids]
    office.put(*rows)
    return [row.id for row in rows]


def told(office: Office, key: str, **arguments: object) -> list[str]:
    return ids_in(office.call("events.recent", arguments, key=key))


def pages(office: Office, key: str, **arguments: object) -> list[Body]:
    return office.pages("events.recent", arguments, key=key)
