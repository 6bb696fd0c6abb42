"""The loops of one machine: what fails is told and counted, and keeps nothing else from being done."""

import json

import pytest

from forge.cli.loops import LONGEST_PAUSE, Loops, pause_after
from forge.store.connections import Connections
from forge.store.queues import Queues
from forge.store.store import Store
from forge.testing.instruments import watched
from forge.testing.world import World
from forge.work.background.deliveries.deliveries import DeliveryStatus
from forge.work.record.log.rows import OutboxItem
from tests.unit.outbound.sites import running_site
from tests.unit.work.background.deliveries.mailrooms import HOOK, TAKEN, Mailroom
from tests.unit.work.messages import waiting_messages
from tests.unit.work.working_agents import a_working_agent
from tests.workshop.interference import COMMIT, once_before
from tests.workshop.office import Office


def test_a_row_that_can_not_be_read_is_told_and_stops_nothing_behind_it(
    connections: Connections, store: Store
) -> None:
    world, told = World(store=store), list[str]()
    loops = Loops(store, connections, world.clock, told.append)
    loops.relay_now()
    a_working_agent(world)
    partition = OutboxItem.stored.partition(world.workspace.id, "")
    broken = store.table.query_all(partition, most=10).of(OutboxItem)[0]
    changed = broken.attributes() | {"sk": {"S": "0"}, "created_at": {"S": "no time"}}
    store.table.client.ask("PutItem", {"TableName": store.table.name, "Item": changed})
    a_working_agent(world, "reviewer")

    loops.relay_now()

    assert len(waiting_messages(store)) == 4
    (line,) = map(json.loads, told)
    assert (line["level"], line["service"], line["failures"]) == ("ERROR", "relay", 1)
    assert "ValidationError" in line["exception"]
    assert loops.failures == {"relay": 1}


def test_a_change_that_can_not_be_told_keeps_none_of_its_neighbours_waiting(
    connections: Connections, store: Store
) -> None:
    world, told = World(store=store), list[str]()
    loops = Loops(store, connections, world.clock, told.append)
    loops.relay_now()
    a_working_agent(world)
    a_working_agent(world, "reviewer")
    partition = OutboxItem.stored.partition(world.workspace.id, "")
    mark = store.table.query_all(partition, most=10).of(OutboxItem)[1]
    store.table.assign(mark.row_keys[0], {"tool": None}, only_if={"id": mark.id})

    loops.relay_now()

    assert mark.id not in {message["id"] for message in waiting_messages(store)}
    assert [left.id for left in store.table.query_all(partition, most=10).of(OutboxItem)] == [mark.id]
    (line,) = map(json.loads, told)
    assert mark.id in line["row"]


def test_what_can_not_be_told_when_it_catches_up_has_failed_at_the_time_of_its_clock(
    connections: Connections, store: Store
) -> None:
    world = World(store=store)
    a_working_agent(world)
    no_queues = Queues({}, lambda: store.queues.client)
    broken = Store(store.table, store.blobs, no_queues, store.executions, store.secrets)

    Loops(broken, connections, world.clock, list[str]().append).relay_now()

    failed = Office(world).rows("timers.list")
    now = world.clock().isoformat().replace("+00:00", "Z")
    assert failed
    assert {(row["failingSince"], row["lastFailedAt"]) for row in failed} == {(now, now)}


def test_a_row_that_somebody_else_was_quicker_with_is_no_failure(
    connections: Connections, store: Store
) -> None:
    world, told = World(store=store), list[str]()
    office = Office(world)
    office.call("agents.heartbeat", key=office.an_agents_key())
    world.clock.advance(hours=1)
    overtaken = watched(
        store, once_before(COMMIT, lambda: Loops(store, connections, world.clock).sweep_now())
    )
    loops = Loops(overtaken, connections, world.clock, told.append)

    loops.sweep_now()

    assert told == []
    assert loops.failures == {}


@pytest.mark.parametrize(("failures", "seconds"), [(0, 0), (1, 1), (3, 4), (50, LONGEST_PAUSE / 2)])
def test_a_loop_that_fails_pauses_longer_each_time(failures: int, seconds: float) -> None:
    assert pause_after(failures, chance=0.5) == seconds


def test_a_message_that_nobody_can_read_is_told_and_stops_nothing_behind_it(
    connections: Connections, store: Store
) -> None:
    mailroom, told = Mailroom(store), list[str]()
    loops = Loops(store, connections, mailroom.office.world.clock, told.append)
    with running_site() as site:
        site.pages[HOOK] = TAKEN
        mailroom.a_webhook(site, events=["ISSUE_CREATED"])
        mailroom.forget()
        store.queues.send("dispatch", {"not": "a message"})
        mailroom.office.call("issues.create", {"title": "Fix login timeout"})
        mailroom.relay()

        loops.dispatch_now()

    assert [row.status for row in mailroom.rows()] == [DeliveryStatus.SUCCESS]
    (line,) = map(json.loads, told)
    assert (line["level"], line["service"]) == ("ERROR", "dispatch")
    assert "Unreadable" in line["exception"]
