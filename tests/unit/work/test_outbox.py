"""The outbox: rows are handed to the queue at least once, and say what happened to what."""

from forge.store.physical import INDEX_BY_NAME
from forge.store.store import Store
from forge.testing.world import World
from forge.work import outbox
from forge.work.events import LogItem
from tests.unit.work.messages import waiting_messages
from tests.unit.work.working_agents import a_working_agent, log_rows


def an_unsent_row(store: Store, world: World) -> LogItem:
    a_working_agent(world)
    return next(row for row in log_rows(store, world) if row.outbox_due is not None)


def stored(store: Store, row: LogItem) -> LogItem | None:
    return store.table.find(LogItem, row.key)


def test_a_row_becomes_a_message_that_tells_what_happened(store: Store, stored_world: World) -> None:
    row = an_unsent_row(store, stored_world)

    assert outbox.relay(store, row)

    (message,) = waiting_messages(store)
    assert message == {
        "id": row.id,
        "workspaceId": stored_world.workspace.id,
        "kind": "AGENT_CREATED",
        "subjectType": "agent",
        "subjectId": row.subject_id,
        "payload": {"profileKey": "planner", "name": "Planner"},
        "createdAt": row.created_at.isoformat(),
    }


def test_a_row_that_was_sent_is_not_due_any_more(store: Store, stored_world: World) -> None:
    row = an_unsent_row(store, stored_world)

    outbox.relay(store, row)

    (sent,) = store.table.find_rows([row.key]).values()
    due = INDEX_BY_NAME["due"]
    assert not {"outbox_due", due.partition, due.sort} & sent.keys()


def test_marking_a_row_leaves_everything_else_of_it(store: Store, stored_world: World) -> None:
    row = an_unsent_row(store, stored_world)

    outbox.relay(store, row)

    assert stored(store, row) == row.changed(outbox_due=None)


def test_a_row_that_was_sent_before_is_not_sent_again(store: Store, stored_world: World) -> None:
    row = an_unsent_row(store, stored_world)
    outbox.relay(store, row)
    waiting_messages(store)
    sent = stored(store, row)
    assert sent is not None

    assert not outbox.relay(store, sent)
    assert waiting_messages(store) == []


def test_two_who_relay_the_same_row_send_the_same_message(store: Store, stored_world: World) -> None:
    row = an_unsent_row(store, stored_world)

    for _ in range(2):
        assert outbox.relay(store, row)

    first, second = waiting_messages(store)
    assert first == second


def test_marking_a_row_that_was_purged_does_not_bring_it_back(store: Store, stored_world: World) -> None:
    row = an_unsent_row(store, stored_world)
    place = {"pk": {"S": row.key.partition}, "sk": {"S": row.key.sort}}
    store.table.client.delete_item(TableName=store.table.name, Key=place)

    outbox.relay(store, row)

    assert stored(store, row) is None
