"""The outbox: rows are handed to the queue at least once, and say what happened to what."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest

from forge.errors import ErrorCode, Unavailable
from forge.store.physical import INDEX_BY_NAME
from forge.store.store import Store
from forge.testing.faults import Fault, FaultAt, ProcessDied
from forge.testing.instruments import Counter, Parameters, Send, watched
from forge.testing.world import World
from forge.work.background.sweep import outbox
from forge.work.issues.announcements import ISSUE_EDITED, ISSUE_MOVED, IssueEdited, StatusChanged
from forge.work.record import texts
from forge.work.record.log.events import EventKind, LogItem, Wake
from tests.unit.store.things import WORKSPACE, begin
from tests.unit.work.indexed_issues import (
    Change,
    add_issue,
    assert_settled,
    body_of,
    describe,
    found,
    head_of,
    retitle,
)
from tests.unit.work.messages import waiting_messages
from tests.unit.work.working_agents import a_working_agent, log_rows
from tests.workshop.interference import COMMIT, Handle, once_before


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
        "issueId": None,
        "payload": {"profileKey": "planner", "name": "Planner"},
        "wakes": [],
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
    store.table.client.ask("DeleteItem", {"TableName": store.table.name, "Key": place})

    outbox.relay(store, row)

    assert stored(store, row) is None


def test_a_message_says_which_agents_to_wake_and_for_which_run(store: Store) -> None:
    row = add_issue(store, "Fix login").changed(wakes=[Wake(agent_id="agt_1", run_id="run_1")])

    outbox.relay(store, row)

    (message,) = waiting_messages(store)
    assert message["wakes"] == [{"agentId": "agt_1", "runId": "run_1"}]


def test_a_new_issue_is_found_by_its_description_when_somebody_hears_of_it(store: Store) -> None:
    outbox.relay(store, add_issue(store, "Fix login", "It has a timeout"))

    assert len(waiting_messages(store)) == 1
    assert_settled(store, "Fix login", "It has a timeout")


def test_a_changed_title_is_found_and_the_old_one_is_not(store: Store) -> None:
    outbox.relay(store, add_issue(store, "Fix login"))

    outbox.relay(store, retitle(store, "Fix logout"))

    assert_settled(store, "Fix logout")


def test_a_changed_description_is_found_and_the_old_one_is_not(store: Store) -> None:
    outbox.relay(store, add_issue(store, "Fix login", "timeout"))

    outbox.relay(store, describe(store, "crash"))

    assert_settled(store, "Fix login", "crash")


def test_a_description_that_is_kept_elsewhere_is_found_too(store: Store) -> None:
    add_issue(store, "Fix login")
    long_text = "timeout " + "-" * texts.MAX_INLINE
    change = Change(store, WORKSPACE)
    change.tx.replace(body_of(store).changed(description=texts.keep(store.blobs, long_text, name="one")))
    row = change.commit(ISSUE_EDITED, IssueEdited(description="timeout …"), head_of(store))

    outbox.relay(store, row)

    assert_settled(store, "Fix login", long_text)


@pytest.mark.parametrize("first", [0, 1, 2])
def test_rows_that_come_in_another_order_or_twice_leave_the_last_text(store: Store, first: int) -> None:
    rows = [add_issue(store, "alpha"), retitle(store, "beta", issue_id="iss_1"), retitle(store, "gamma")]

    for row in [rows[first], *rows, *reversed(rows)]:
        outbox.relay(store, row)

    assert_settled(store, "gamma")


def test_an_event_that_changes_no_text_costs_no_look_at_the_index(store: Store) -> None:
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
    counter = Counter()

    for row in (*others, of_something_else):
        assert outbox.relay(watched(store, counter), row)

    assert (counter.reads, counter.writes) == (0, 4)


def test_a_title_that_changed_with_another_event_is_found(store: Store) -> None:
    outbox.relay(store, add_issue(store, "Fix login"))
    row = retitle(store, "Fix logout").changed(kind=EventKind.ISSUE_STATUS_CHANGED, payload={})

    outbox.relay(store, row)

    assert_settled(store, "Fix logout")


def test_an_issue_that_is_not_there_is_announced_all_the_same(store: Store) -> None:
    row = add_issue(store, "Fix login").changed(issue_id="iss_2", subject_id="iss_2")

    assert outbox.relay(store, row)
    assert len(waiting_messages(store)) == 1


def test_a_row_is_not_sent_while_its_issue_cannot_be_indexed(store: Store) -> None:
    row = add_issue(store, "Fix login", "timeout")

    with pytest.raises(Unavailable) as failed:
        outbox.relay(watched(store, before_every_commit(lambda: restless(store))), row)

    assert failed.value.code is ErrorCode.UNAVAILABLE
    assert waiting_messages(store) == []
    assert stored(store, row) == row


def before_every_commit(act: Callable[[], object]) -> Handle:
    def handle(operation: str, parameters: Parameters, send: Send) -> dict[str, object]:
        if operation == COMMIT:
            act()
        return send(**parameters)

    return handle


def restless(store: Store) -> None:
    """Somebody changes the issue, which has nothing to do with its texts."""
    tx = begin(store)
    tx.replace(head_of(store).changed(estimate=1.0))
    store.commit(tx)


def test_an_issue_that_changes_while_it_is_indexed_is_read_again(store: Store) -> None:
    outbox.relay(store, add_issue(store, "Fix login", "timeout"))
    row = describe(store, "crash")
    overtaken = watched(store, once_before(COMMIT, lambda: retitle(store, "Fix logout")))

    assert outbox.relay(overtaken, row)

    assert found(store, "logout crash") == ["iss_1"]
    assert found(store, "timeout") == []


@pytest.mark.parametrize("fault", [Fault.CRASHED, Fault.CRASHED_AFTER])
def test_a_relay_that_dies_is_completed_by_the_next_one(store: Store, fault: Fault) -> None:
    for position in range(100):
        issue_id = f"iss_{position}"
        add_issue(store, "Fix login", "timeout", issue_id=issue_id)
        row = retitle(store, "Fix logout", issue_id=issue_id)
        failing = FaultAt(fault, position)
        with suppress(ProcessDied):
            outbox.relay(watched(store, failing), row)

        outbox.relay(store, row)

        assert row.id in {message["id"] for message in waiting_messages(store)}
        assert_settled(store, "Fix logout", "timeout", issue_id=issue_id)
        if not failing.was_hit:
            break
    # The issue, its words, their transaction, and the mark.
    assert position == 4
