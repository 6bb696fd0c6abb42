"""The relay of one machine: what was written but not told, when a process died, is told after the restart."""

from itertools import count
from typing import Any

from forge.cli.loops import Loops
from forge.store.connections import Connections
from forge.store.store import Store
from forge.testing.world import World
from forge.work.record.log.rows import OutboxItem
from tests.unit.work.messages import waiting_messages
from tests.unit.work.working_agents import a_working_agent


def told(store: Store) -> list[Any]:
    return sorted(message["id"] for message in waiting_messages(store))


def unsent(store: Store, world: World) -> list[str]:
    rows = store.table.query_all(OutboxItem.stored.partition(world.workspace.id, ""), most=100)
    return sorted(row for mark in rows.of(OutboxItem) for row in mark.rows)


def test_what_nobody_was_told_of_before_the_start_is_told_once(
    connections: Connections, store: Store, stored_world: World
) -> None:
    a_working_agent(stored_world)
    expected = unsent(store, stored_world)

    loops = Loops(store, connections, stored_world.clock)
    loops.relay_now()
    loops.relay_now()

    assert expected
    assert told(store) == expected
    assert unsent(store, stored_world) == []


def test_what_is_in_the_stream_as_well_is_told_once(
    connections: Connections, store: Store, stored_world: World
) -> None:
    loops = Loops(store, connections, stored_world.clock)
    a_working_agent(stored_world)
    expected = unsent(store, stored_world)

    loops.relay_now()
    loops.relay_now()

    assert told(store) == expected


def test_after_the_aws_began_again_the_relay_looks_for_what_the_old_stream_held(
    connections: Connections, store: Store, stored_world: World
) -> None:
    starts = count(1)
    loops = Loops(store, connections, stored_world.clock, starts=lambda: next(starts))
    loops.relay_now()
    a_working_agent(stored_world)
    expected = unsent(store, stored_world)
    # As if its stream had been lost with it.
    list(loops._follower.new_images())

    loops.relay_now()

    assert told(store) == expected
