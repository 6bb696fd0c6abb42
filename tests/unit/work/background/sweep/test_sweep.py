"""The minute sweep: repeatable, harmless twice at once, and as cheap as there is little to do."""

import pytest

from forge.store import keys
from forge.store.store import Store
from forge.testing.faults import Fault, FaultAt, ProcessDied
from forge.testing.instruments import Counter, watched
from forge.testing.world import World
from forge.work.record.log.events import UNSENT_AFTER
from forge.work.record.log.rows import OutboxItem
from forge.work.workspace.people.agents import AgentStatus
from tests.unit.wire.answers import body_of
from tests.unit.work.messages import waiting_messages
from tests.unit.work.working_agents import a_working_agent, departures, log_rows, pulse_of, sweep_now
from tests.workshop.interference import COMMIT, once_before, only


def settle_outbox(store: Store, world: World) -> None:
    """Send what is unsent, so that only the agent is left to look at."""
    world.clock.advance(seconds=UNSENT_AFTER.total_seconds())
    sweep_now(store, world)
    waiting_messages(store)


def test_nothing_due_costs_one_read_of_each_partition(store: Store, stored_world: World) -> None:
    counter = Counter()

    assert sweep_now(watched(store, counter), stored_world) == 0
    assert (counter.reads, counter.writes) == (len(keys.DUE_PARTITIONS), 0)


def test_what_is_due_later_costs_nothing_now(store: Store, stored_world: World) -> None:
    for number in range(5):
        a_working_agent(stored_world, f"worker-{number}")
    counter = Counter()

    assert sweep_now(watched(store, counter), stored_world) == 0
    assert (counter.reads, counter.writes) == (4, 0)


def test_an_agent_that_was_heard_of_again_stays(store: Store, stored_world: World) -> None:
    agent = a_working_agent(stored_world)
    stored_world.clock.advance(minutes=14)
    agent.beat(stored_world)
    stored_world.clock.advance(minutes=14)

    sweep_now(store, stored_world)

    assert pulse_of(store, stored_world, agent).status is AgentStatus.ONLINE


def test_an_agent_that_is_heard_of_just_before_it_is_looked_at_stays(
    store: Store, stored_world: World
) -> None:
    agent = a_working_agent(stored_world)
    settle_outbox(store, stored_world)
    stored_world.clock.advance(minutes=20)
    beat = once_before("GetItem", lambda: agent.beat(stored_world))

    assert sweep_now(watched(store, beat), stored_world) == 0
    assert pulse_of(store, stored_world, agent).status is AgentStatus.ONLINE


def test_an_agent_goes_offline_once_and_is_not_looked_at_again(store: Store, stored_world: World) -> None:
    a_working_agent(stored_world)
    settle_outbox(store, stored_world)
    stored_world.clock.advance(minutes=20)

    first = sweep_now(store, stored_world)
    second = sweep_now(store, stored_world)

    assert (first, second) == (1, 0)
    assert len(departures(store, stored_world)) == 1


def test_an_agent_goes_offline_once_although_two_sweeps_run_at_once(
    store: Store, stored_world: World
) -> None:
    a_working_agent(stored_world)
    settle_outbox(store, stored_world)
    stored_world.clock.advance(minutes=20)
    other = once_before(COMMIT, lambda: sweep_now(store, stored_world))

    assert sweep_now(watched(store, other), stored_world) == 0

    assert len(departures(store, stored_world)) == 1


def test_an_agent_that_says_goodbye_is_not_looked_at(store: Store, stored_world: World) -> None:
    agent = a_working_agent(stored_world)
    agent.beat(stored_world, "OFFLINE")
    settle_outbox(store, stored_world)
    stored_world.clock.advance(minutes=20)
    assert sweep_now(store, stored_world) == 0
    counter = Counter()

    assert sweep_now(watched(store, counter), stored_world) == 0
    assert counter.reads == 4


def test_an_archived_agent_is_not_looked_at(store: Store, stored_world: World) -> None:
    agent = a_working_agent(stored_world)
    stored_world.admin("agents.archive", {"id": agent.id}, key=stored_world.owner_key())
    stored_world.clock.advance(minutes=20)

    sweep_now(store, stored_world)

    assert departures(store, stored_world) == []


def test_a_workspace_without_idle_time_out_never_sends_agents_away(store: Store, stored_world: World) -> None:
    owner = stored_world.owner_key()
    stored_world.admin("workspaces.update", {"agentIdleTimeoutMinutes": 0}, key=owner)
    agent = a_working_agent(stored_world)
    stored_world.clock.advance(days=30)

    sweep_now(store, stored_world)

    assert pulse_of(store, stored_world, agent).status is AgentStatus.ONLINE


@pytest.mark.parametrize("fault", [Fault.CRASHED, Fault.CRASHED_AFTER])
def test_a_sweep_that_dies_at_its_commit_is_made_good_by_the_next(
    store: Store, stored_world: World, fault: Fault
) -> None:
    agent = a_working_agent(stored_world)
    settle_outbox(store, stored_world)
    stored_world.clock.advance(minutes=20)
    with pytest.raises(ProcessDied):
        sweep_now(watched(store, only(COMMIT, FaultAt(fault, position=0))), stored_world)

    sweep_now(store, stored_world)

    assert pulse_of(store, stored_world, agent).status is AgentStatus.OFFLINE
    assert len(departures(store, stored_world)) == 1


def test_one_sweep_serves_every_workspace(store: Store, stored_world: World) -> None:
    other = stored_world.add_workspace("other")
    a_working_agent(stored_world)
    order = {"profileKey": "reviewer", "name": "Reviewer"}
    stored_world.admin("agents.create", order, key=stored_world.owner_key(other))
    stored_world.clock.advance(minutes=20)

    sweep_now(store, stored_world)

    workspaces = {message["workspaceId"] for message in waiting_messages(store)}
    assert workspaces == {stored_world.workspace.id, other.id}
    assert len(departures(store, stored_world)) == 1


def test_rows_that_nobody_sent_are_sent(store: Store, stored_world: World) -> None:
    agent = a_working_agent(stored_world)
    stored_world.clock.advance(seconds=UNSENT_AFTER.total_seconds())

    assert sweep_now(store, stored_world) == 2

    messages = waiting_messages(store)
    assert sorted(message["kind"] for message in messages) == ["AGENT_CREATED", "AGENT_STATUS_CHANGED"]
    assert {message["subjectId"] for message in messages} == {agent.id}


def test_rows_are_left_to_the_relay_at_first(store: Store, stored_world: World) -> None:
    a_working_agent(stored_world)
    stored_world.clock.advance(seconds=UNSENT_AFTER.total_seconds() - 1)

    assert sweep_now(store, stored_world) == 0
    assert waiting_messages(store) == []


def test_what_is_audited_only_is_sent_to_nobody(store: Store, stored_world: World) -> None:
    body_of(stored_world.rest("labels.create", {"name": "bug"}, key=stored_world.owner_key()))
    stored_world.clock.advance(hours=1)

    assert sweep_now(store, stored_world) == 0
    assert waiting_messages(store) == []


def test_a_row_is_sent_once_when_nothing_goes_wrong(store: Store, stored_world: World) -> None:
    a_working_agent(stored_world)
    stored_world.clock.advance(minutes=3)
    sweep_now(store, stored_world)

    assert sweep_now(store, stored_world) == 0
    assert len(waiting_messages(store)) == 2


@pytest.mark.parametrize("fault", [Fault.CRASHED, Fault.CRASHED_AFTER])
def test_a_sweep_that_dies_between_sending_and_marking_loses_no_message(
    store: Store, stored_world: World, fault: Fault
) -> None:
    a_working_agent(stored_world)
    stored_world.clock.advance(minutes=3)
    with pytest.raises(ProcessDied):
        sweep_now(watched(store, only("BatchWriteItem", FaultAt(fault, position=0))), stored_world)
    (sent_before,) = waiting_messages(store)

    sweep_now(store, stored_world)

    sent_after = [message["id"] for message in waiting_messages(store)]
    is_sent_again = fault is Fault.CRASHED
    assert (sent_before["id"] in sent_after) == is_sent_again
    events = {row.id for row in log_rows(store, stored_world) if row.kind is not None}
    assert {sent_before["id"], *sent_after} == events


def test_a_mark_that_is_gone_by_the_time_it_is_looked_at_is_no_trouble(
    store: Store, stored_world: World
) -> None:
    a_working_agent(stored_world)
    stored_world.clock.advance(minutes=3)
    partition = OutboxItem.stored.partition(stored_world.workspace.id, "")
    marks = store.table.query_all(partition, most=100).of(OutboxItem)
    purge = once_before("BatchGetItem", lambda: store.table.restate(gone=marks))

    assert sweep_now(watched(store, purge), stored_world) == 0
    assert waiting_messages(store) == []
