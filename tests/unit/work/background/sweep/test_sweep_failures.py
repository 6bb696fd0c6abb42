"""Things that are due and can't be settled: they hide nothing, are tried ever later, and given up."""

from datetime import timedelta
from typing import Any

import pytest

from forge.store import keys
from forge.store.keys import Key, SharedKey
from forge.store.store import Store
from forge.testing.world import World
from forge.work.background.sweep import sweep, timers
from forge.work.background.sweep.sweep import Sweep, by_turns
from forge.work.background.sweep.timers import Due, TimerItem, TimerState
from forge.work.record.log.events import UNSENT_AFTER
from forge.work.record.log.rows import LogItem
from forge.work.workspace.workers import Worker
from tests.unit.store.things import begin
from tests.unit.wire.answers import body_of
from tests.unit.work.messages import waiting_messages
from tests.unit.work.working_agents import a_working_agent


def a_sweep(store: Store, world: World, **more: Any) -> Sweep:
    """One that waits as long as it may, so that tests know when."""
    return Sweep(Worker(store, world.clock, world.ids, chance=lambda: 1.0, **more), lambda *failure: None)


def unreadable_rows(store: Store, world: World, number: int, *, workspace_id: str = "") -> list[Key]:
    """Log rows that were due long ago and lack what every row has."""
    workspace_id = workspace_id or world.workspace.id
    long_ago = world.clock() - timedelta(days=1)
    rows = [LogItem.at(workspace_id, "", long_ago, f"evt_bad_{place:04}") for place in range(number)]
    for start in range(0, number, 50):
        tx = begin(store)
        for key in rows[start : start + 50]:
            due = keys.due(key, long_ago)
            tx.merge(SharedKey(*key), assign={"duePk": due.partition, "dueSk": due.sort})
        store.commit(tx)
    return rows


def known_of(store: Store, world: World, row: Key) -> TimerItem | None:
    return timers.find(store.table, world.workspace.id, row)


def test_many_rows_that_can_not_be_settled_hide_nothing_behind_them(
    store: Store, stored_world: World
) -> None:
    unreadable_rows(store, stored_world, 2100)
    a_working_agent(stored_world)
    stored_world.clock.advance(seconds=UNSENT_AFTER.total_seconds())
    task = a_sweep(store, stored_world)

    sweep.run(task)

    assert len(waiting_messages(store)) == task.counts["swept"] == 2
    assert (task.counts["due"], task.counts["failed"]) == (2102, 2100)


def test_what_failed_is_left_alone_for_longer_each_time(store: Store, stored_world: World) -> None:
    (row,) = unreadable_rows(store, stored_world, 1)
    waits = []

    for _ in range(8):
        now = stored_world.clock()
        sweep.run(a_sweep(store, stored_world))
        known = known_of(store, stored_world, row)
        assert known is not None
        assert known.next_try_at is not None
        waits.append((known.next_try_at - now).total_seconds() / 60)
        assert sweep.run(a_sweep(store, stored_world)) == a_sweep(store, stored_world).counts["due"] == 0
        stored_world.clock.advance(seconds=(known.next_try_at - now).total_seconds() + 1)

    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]


def test_what_fails_too_often_is_given_up_and_an_operator_sees_it(store: Store, stored_world: World) -> None:
    (row,) = unreadable_rows(store, stored_world, 1)
    since = stored_world.clock()
    dead = 0

    for _ in range(timers.MOST_TRIES + 2):
        task = a_sweep(store, stored_world)
        sweep.run(task)
        dead += task.counts["dead"]
        stored_world.clock.advance(hours=2)

    assert dead == 1
    listed = stored_world.admin("timers.list", {"state": "DEAD"}, key=stored_world.owner_key())
    (shown,) = body_of(listed)["data"]
    assert shown["subject"] == f"LOG {row.sort}"
    assert (shown["tries"], shown["state"], shown["nextTryAt"]) == (timers.MOST_TRIES, "DEAD", None)
    assert shown["lastError"].startswith("ValidationError")
    assert shown["failingSince"].startswith(since.strftime("%Y-%m-%dT%H:%M"))


def test_what_was_given_up_is_settled_after_an_operator_asks_for_it(
    store: Store, stored_world: World
) -> None:
    a_working_agent(stored_world)
    stored_world.clock.advance(seconds=UNSENT_AFTER.total_seconds())
    due = sweep.look(a_sweep(store, stored_world)).due[0]
    given_up = timers.failed(None, due, LookupError(), now=stored_world.clock(), chance=1).changed(
        state=TimerState.DEAD, next_try_at=None
    )
    tx = begin(store)
    timers.put_off(tx, None, given_up, due)
    store.commit(tx)
    assert sweep.run(a_sweep(store, stored_world)) == 1

    answer = stored_world.admin("timers.retry", {"id": given_up.id}, key=stored_world.owner_key())

    assert body_of(answer)["isDue"] is True
    stored_world.clock.advance(seconds=1)
    assert sweep.run(a_sweep(store, stored_world)) == 1
    assert known_of(store, stored_world, due.key) is None


def test_retrying_what_is_gone_only_ends_its_timer(store: Store, stored_world: World) -> None:
    gone = Due(LogItem.at(stored_world.workspace.id, "", stored_world.clock(), "evt_gone"), "")
    tx = begin(store)
    tx.create(timers.failed(None, gone, LookupError(), now=stored_world.clock(), chance=1))
    store.commit(tx)

    call = {"id": timers.timer_id(gone.key)}
    answer = stored_world.admin("timers.retry", call, key=stored_world.owner_key())

    assert body_of(answer)["isDue"] is False
    assert known_of(store, stored_world, gone.key) is None
    assert stored_world.admin("timers.retry", call, key=stored_world.owner_key()).status == 404


def test_what_succeeds_in_the_end_leaves_nothing_behind(store: Store, stored_world: World) -> None:
    a_working_agent(stored_world)
    stored_world.clock.advance(seconds=UNSENT_AFTER.total_seconds())
    due = sweep.look(a_sweep(store, stored_world)).due[0]
    tx = begin(store)
    failed = timers.failed(None, due, LookupError(), now=stored_world.clock(), chance=1)
    timers.put_off(tx, None, failed, due)
    store.commit(tx)
    stored_world.clock.advance(minutes=2)

    assert sweep.run(a_sweep(store, stored_world)) == 2

    assert known_of(store, stored_world, due.key) is None


def test_a_sweep_without_time_leaves_the_rest_to_the_next(store: Store, stored_world: World) -> None:
    for number in range(4):
        a_working_agent(stored_world, f"worker-{number}")
    stored_world.clock.advance(seconds=UNSENT_AFTER.total_seconds())
    asked: list[int] = []

    def has_time() -> bool:
        asked.append(1)
        return len(asked) <= 3

    first = sweep.run(a_sweep(store, stored_world, has_time=has_time))
    second = sweep.run(a_sweep(store, stored_world))

    assert (first, second) == (3, 5)


def test_one_workspace_with_much_to_do_keeps_no_other_waiting(store: Store, stored_world: World) -> None:
    other = stored_world.add_workspace("other")
    unreadable_rows(store, stored_world, 30)
    (last,) = unreadable_rows(store, stored_world, 1, workspace_id=other.id)

    order = [one.key for one in sweep.look(a_sweep(store, stored_world)).due]

    assert last in order[:2]


def test_workspaces_take_turns() -> None:
    mine = [Due(Key("WS#a#LOG", str(number)), "") for number in range(3)]
    yours = [Due(Key("WS#b#LOG", "0"), "")]

    assert by_turns([mine, yours]) == [mine[0], yours[0], mine[1], mine[2]]


@pytest.mark.parametrize(("tries", "minutes"), [(1, 0.5), (2, 1), (6, 16), (7, 30), (50, 30)])
def test_the_wait_is_a_part_of_a_time_that_doubles_to_a_limit(tries: int, minutes: float) -> None:
    assert timers.wait_before(tries, chance=0.5) == timedelta(minutes=minutes)
