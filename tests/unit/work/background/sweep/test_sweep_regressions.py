"""What once went wrong in the sweep, and must not again."""

import pytest

from forge.store import keys
from forge.store.keys import SharedKey
from forge.store.queues import Queues
from forge.store.store import Store
from forge.testing.instruments import watched
from forge.testing.world import World
from forge.work.workspace.people.agents import AgentStatus
from forge.work.workspace.people.authentication import AUTHENTICATION
from tests.unit.store.things import begin
from tests.unit.work.working_agents import a_working_agent, departures, log_rows, pulse_of, sweep_now
from tests.workshop.interference import COMMIT, once_before


def test_an_agent_heard_of_in_the_last_moment_is_not_sent_away(store: Store, stored_world: World) -> None:
    agent = a_working_agent(stored_world)
    stored_world.clock.advance(minutes=16)
    beat = once_before(COMMIT, lambda: agent.beat(stored_world))

    sweep_now(watched(store, beat), stored_world)

    assert pulse_of(store, stored_world, agent).status is AgentStatus.ONLINE


@pytest.mark.parametrize("minutes", [60, 0])
def test_a_longer_idle_time_counts_for_agents_that_were_heard_of_before(
    store: Store, stored_world: World, minutes: int
) -> None:
    agent = a_working_agent(stored_world)
    stored_world.admin(
        "workspaces.update", {"agentIdleTimeoutMinutes": minutes}, key=stored_world.owner_key()
    )
    stored_world.clock.advance(minutes=16)

    sweep_now(store, stored_world)

    assert pulse_of(store, stored_world, agent).status is AgentStatus.ONLINE


def test_a_queue_that_refuses_does_not_keep_the_sweep_from_the_rest(
    store: Store, stored_world: World
) -> None:
    a_working_agent(stored_world)
    stored_world.clock.advance(minutes=16)
    urls = {"dispatch": store.queues.urls["dispatch"] + "-gone"}
    without_queue = Store(store.table, store.blobs, Queues(urls, lambda: store.queues.client))

    sweep_now(without_queue, stored_world)

    assert len(departures(store, stored_world)) == 1


def test_a_row_of_a_newer_build_does_not_keep_the_sweep_from_the_rest(
    store: Store, stored_world: World
) -> None:
    a_working_agent(stored_world)
    row = next(row for row in log_rows(store, stored_world) if row.kind is not None)
    store.table.assign(row.key, {"kind": "INVENTED_LATER"}, only_if={"kind": row.kind})
    stored_world.clock.advance(minutes=16)

    sweep_now(store, stored_world)


def test_something_due_outside_every_workspace_does_not_stop_the_sweep(
    store: Store, stored_world: World
) -> None:
    key = AUTHENTICATION("0123")
    due = keys.due(key, stored_world.clock())
    tx = begin(store)
    tx.merge(SharedKey(*key), assign={"duePk": due.partition, "dueSk": due.sort})
    store.commit(tx)

    assert sweep_now(store, stored_world) == 0
