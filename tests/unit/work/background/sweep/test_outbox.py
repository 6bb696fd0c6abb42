"""The outbox: rows are handed to the queue at least once, and say what happened to what."""

import json
from contextlib import suppress
from dataclasses import replace

import pytest

from forge.clock import system_now
from forge.store.store import Store
from forge.testing.faults import Fault, FaultAt, ProcessDied
from forge.testing.instruments import Counter, watched
from forge.testing.world import World
from forge.work.background import word_index
from forge.work.background.sweep import outbox
from forge.work.issues.announcements import ISSUE_EDITED, ISSUE_MOVED, IssueEdited, StatusChanged
from forge.work.record import texts
from forge.work.record.log.events import UNSENT_AFTER, record
from forge.work.record.log.kinds import EventKind
from forge.work.record.log.rows import LogItem, OutboxItem, Wake
from forge.work.workspace.jobs import Unreadable
from forge.work.workspace.workers import Worker
from tests.unit.store.things import WORKSPACE, begin
from tests.unit.work.indexed_issues import (
    Change,
    add_issue,
    assert_settled,
    body_of,
    describe,
    head_of,
    retitle,
)
from tests.unit.work.messages import waiting_messages
from tests.unit.work.working_agents import a_working_agent
from tests.workshop.events import settle_words


def marks(store: Store, workspace_id: str = WORKSPACE) -> list[OutboxItem]:
    """What somebody has to be told of, oldest first."""
    return store.table.query_all(OutboxItem.stored.partition(workspace_id, ""), most=100).of(OutboxItem)


def relay(store: Store, workspace_id: str = WORKSPACE) -> None:
    """Whatever is to be told, and whatever words are to be found."""
    outbox.relay(store, marks(store, workspace_id))
    settle_words(store)


def an_announced_row(store: Store, world: World) -> LogItem:
    """The only one that somebody has to be told of."""
    a_working_agent(world)
    mark, *others = marks(store, world.workspace.id)
    store.table.restate(gone=others)
    row = store.table.find(LogItem, mark.row_keys[0])
    assert row is not None
    return row


def test_a_row_becomes_a_message_that_tells_what_happened(store: Store, stored_world: World) -> None:
    row = an_announced_row(store, stored_world)

    relay(store, stored_world.workspace.id)

    (message,) = waiting_messages(store)
    assert message == {
        "id": row.id,
        "workspaceId": stored_world.workspace.id,
        "kind": "AGENT_CREATED",
        "subjectType": "agent",
        "subjectId": row.subject_id,
        "issueId": None,
        "payload": {"profileKey": "planner", "name": "Planner"},
        "wakes": [],
        "createdAt": row.created_at.isoformat(),
    }


def test_a_row_is_stored_without_what_says_nothing(store: Store) -> None:
    row = add_issue(store, "Fix login")

    (held,) = store.table.find_rows([row.key]).values()

    assert not {"wakes", "waits", "outbox_due", "before", "version", "issue_id"} & held.keys()
    assert store.table.find(LogItem, row.key) == row
    assert row.issue_id == "iss_1"


def test_what_was_sent_has_no_mark_any_more_and_its_row_is_as_it_was(
    store: Store, stored_world: World
) -> None:
    row = an_announced_row(store, stored_world)

    relay(store, stored_world.workspace.id)

    assert marks(store, stored_world.workspace.id) == []
    assert store.table.find(LogItem, row.key) == row


def test_a_transaction_has_one_mark_for_all_that_it_logs(store: Store) -> None:
    tx = begin(store)
    rows = [
        record(tx, ISSUE_EDITED, IssueEdited(estimate=number), subject_id="iss_1", action="edit")
        for number in (1, 2, 3)
    ]
    store.commit(tx)

    (mark,) = marks(store)
    assert mark.row_keys == [row.key for row in rows]
    relay(store)
    assert [message["id"] for message in waiting_messages(store)] == [row.id for row in rows]


def test_many_are_sent_with_few_requests(store: Store) -> None:
    for number in range(1, 31):
        add_issue(store, "Fix login", issue_id=f"iss_{number}")
    counter = Counter()

    outbox.relay(watched(store, counter), marks(store))

    assert (counter.reads, counter.writes) == (1, 2)
    assert len(waiting_messages(store)) == 30
    assert marks(store) == []


def test_two_who_relay_the_same_send_the_same_message(store: Store, stored_world: World) -> None:
    an_announced_row(store, stored_world)
    found = marks(store, stored_world.workspace.id)

    for _ in range(2):
        outbox.relay(store, found)

    first, second = waiting_messages(store)
    assert first == second


def test_what_somebody_else_has_sent_meanwhile_is_not_sent_again(store: Store, stored_world: World) -> None:
    an_announced_row(store, stored_world)
    keys = [mark.key for mark in marks(store, stored_world.workspace.id)]

    assert outbox.relay_unless_sent(store, keys) == 1
    assert outbox.relay_unless_sent(store, keys) == 0

    assert len(waiting_messages(store)) == 1


def test_a_row_that_was_purged_tells_nobody_anything(store: Store, stored_world: World) -> None:
    row = an_announced_row(store, stored_world)
    place = {"pk": {"S": row.key.partition}, "sk": {"S": row.key.sort}}
    store.table.client.ask("DeleteItem", {"TableName": store.table.name, "Key": place})

    relay(store, stored_world.workspace.id)

    assert waiting_messages(store) == []
    assert marks(store, stored_world.workspace.id) == []


def test_a_row_of_a_build_without_marks_is_sent_once_by_the_sweep(store: Store) -> None:
    row = add_issue(store, "Fix login")
    store.table.restate(gone=marks(store))
    due = row.created_at + UNSENT_AFTER
    store.table.assign(row.key, {"id": row.id, "outbox_due": due}, only_if={"kind": row.kind})

    assert outbox.relay_row(store, row.key)
    assert not outbox.relay_row(store, row.key)

    assert [message["id"] for message in waiting_messages(store)] == [row.id]


def test_a_message_says_which_agents_to_wake_and_for_which_run(store: Store) -> None:
    row = add_issue(store, "Fix login").changed(wakes=[Wake(agent_id="agt_1", run_id="run_1")])

    message = outbox.message_of(row)

    assert message["wakes"] == [{"agentId": "agt_1", "runId": "run_1"}]


def test_a_new_issue_is_found_by_its_description_when_somebody_hears_of_it(store: Store) -> None:
    add_issue(store, "Fix login", "It has a timeout")
    relay(store)

    assert len(waiting_messages(store)) == 1
    assert_settled(store, "Fix login", "It has a timeout")


def test_a_changed_title_is_found_and_the_old_one_is_not(store: Store) -> None:
    add_issue(store, "Fix login")
    relay(store)

    retitle(store, "Fix logout")
    relay(store)

    assert_settled(store, "Fix logout")


def test_a_changed_description_is_found_and_the_old_one_is_not(store: Store) -> None:
    add_issue(store, "Fix login", "timeout")
    relay(store)

    describe(store, "crash")
    relay(store)

    assert_settled(store, "Fix login", "crash")


def test_a_description_that_is_kept_elsewhere_is_found_too(store: Store) -> None:
    add_issue(store, "Fix login")
    long_text = "timeout " + "-" * texts.MAX_INLINE
    change = Change(store, WORKSPACE)
    change.tx.replace(body_of(store).changed(description=texts.keep(store.blobs, long_text, name="one")))
    change.commit(ISSUE_EDITED, IssueEdited(description="timeout …"), head_of(store))

    relay(store)

    assert_settled(store, "Fix login", long_text)


@pytest.mark.parametrize("first", [0, 1, 2])
def test_marks_that_come_in_another_order_or_twice_leave_the_last_text(store: Store, first: int) -> None:
    add_issue(store, "alpha")
    retitle(store, "beta")
    retitle(store, "gamma")
    found = marks(store)

    for mark in [found[first], *found, *reversed(found)]:
        outbox.relay(store, [mark])
        settle_words(store)

    assert_settled(store, "gamma")


def test_an_event_that_changes_no_text_has_no_words_settled(store: Store) -> None:
    add_issue(store, "Fix login")
    others = [
        Change(store, WORKSPACE).commit(emission, told, head_of(store))
        for emission, told in (
            (ISSUE_EDITED, IssueEdited(estimate=3)),
            (ISSUE_MOVED, StatusChanged(from_="a", from_name="A", status_id="b", status_name="B")),
            (replace(ISSUE_EDITED, kind=EventKind.COMMENT_CREATED), IssueEdited(title="Fix login")),
        )
    ]
    of_something_else = others[0].changed(subject_type="action-request", payload={"title": "Choose"})

    assert word_index.messages_about([*others, of_something_else]) == []


def test_a_title_that_changed_with_another_event_is_found(store: Store) -> None:
    row = add_issue(store, "Fix login")
    moved = row.changed(kind=EventKind.ISSUE_STATUS_CHANGED, payload={}, after={"title": "Fix login"})

    assert [one["titles"] for one in word_index.messages_about([moved])] == [["Fix login"]]


def test_several_changes_of_an_issue_are_one_message_with_all_its_titles(store: Store) -> None:
    rows = [add_issue(store, "alpha"), retitle(store, "beta"), retitle(store, "gamma")]

    (message,) = word_index.messages_about(rows)

    assert message == {"workspaceId": WORKSPACE, "issueId": "iss_1", "titles": ["alpha", "beta", "gamma"]}


def test_an_issue_that_is_not_there_has_no_words(store: Store) -> None:
    worker = Worker(store, system_now)

    assert not word_index.consume(worker, json.dumps({"workspaceId": WORKSPACE, "issueId": "iss_2"}))
    with pytest.raises(Unreadable):
        word_index.consume(worker, '{"issueId": 1}')


@pytest.mark.parametrize("fault", [Fault.CRASHED, Fault.CRASHED_AFTER])
def test_a_relay_that_dies_is_completed_by_the_next_one(store: Store, fault: Fault) -> None:
    for position in range(100):
        row = add_issue(store, "Fix login", "timeout", issue_id=f"iss_{position}")
        failing = FaultAt(fault, position)
        with suppress(ProcessDied):
            outbox.relay(watched(store, failing), marks(store))

        relay(store)

        if failing.was_hit and fault is Fault.CRASHED:
            assert row.id in {message["id"] for message in waiting_messages(store)}
        assert marks(store) == []
        if not failing.was_hit:
            break
    # The rows, and the marks.
    assert position == 2
