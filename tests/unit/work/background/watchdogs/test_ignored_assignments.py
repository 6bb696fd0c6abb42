"""Assignments that an agent was told of and did not answer, as the sweep finds them."""

import pytest

from forge.store.store import Store
from forge.testing.faults import Fault, FaultAt, ProcessDied
from forge.testing.instruments import watched
from forge.work.issues.auto_dispatch.lines import MOST_GIVEN_OUT
from forge.work.issues.runs import waking
from forge.work.issues.runs.runs import RunItem, RunStatus
from forge.work.record.log.kinds import EventKind
from forge.work.workspace import workspaces
from tests.unit.work.background.watchdogs.offices import (
    an_online_agent,
    breaches,
    given,
    later,
    set_up,
    sweep_through,
)
from tests.workshop.interference import COMMIT, once_before, only
from tests.workshop.issues import an_issue, assign, events, head, live_run, load, move, run, run_events, table
from tests.workshop.office import Office

REDISPATCHING = {
    "requiredAckSeconds": 60,
    "autoRedispatchOnNoack": True,
    "autoDispatch": True,
    "autoDispatchMode": "ROUND_ROBIN",
}


def deliver(office: Office, run_id: str) -> RunItem:
    """What the worker does once the agent's address took the message: its time to answer begins."""
    told = run(office, run_id)
    workspace = workspaces.get(table(office), office.workspace.id)
    tx = office.begin()
    wake = waking.WakeTry("dlv_1", str(told.assignment_event_id), EventKind.AGENT_ASSIGNED)
    waking.tried(tx, told, wake, is_delivered=True, workspace=workspace)
    office.commit(tx)
    return told


def test_an_assignment_that_is_not_answered_in_time_is_told_and_counted_once(office: Office) -> None:
    set_up(office, requiredAckSeconds=60)
    agent_id = office.an_agent()["id"]
    issue_id, begun = given(office, agent_id)
    deliver(office, begun.id)
    later(office, seconds=59)
    assert events(office, EventKind.AGENT_NOACK) == []

    for _ in range(3):
        later(office, minutes=1)

    (event,) = events(office, EventKind.AGENT_NOACK)
    assert (event.subject_type, event.subject_id, event.issue_id) == ("issue", issue_id, issue_id)
    assert event.payload == {
        "agentId": agent_id,
        "agentProfileKey": "worker",
        "requiredAckSeconds": 60,
        "originalAssignedEventId": begun.assignment_event_id,
    }
    assert breaches(office) == {"sla": 0, "stalled": 0, "noack": 1}
    assert live_run(office, issue_id, agent_id).status is RunStatus.ACTIVE
    assert [kind for kind, _ in run_events(office, begun.id)] == ["WAKE_DELIVERED"]
    later(office, minutes=30)
    assert run(office, begun.id).status is RunStatus.STALLED


def test_a_delivery_that_is_repeated_does_not_tell_it_again_but_another_assignment_does(
    office: Office,
) -> None:
    set_up(office, requiredAckSeconds=60)
    agent_id = office.an_agent()["id"]
    issue_id, begun = given(office, agent_id)
    for _ in range(2):
        deliver(office, begun.id)
        later(office, minutes=2)
    assert len(events(office, EventKind.AGENT_NOACK)) == 1

    assign(office, issue_id, None)
    assign(office, issue_id, agent_id)
    again = live_run(office, issue_id, agent_id)
    deliver(office, again.id)
    later(office, minutes=2)

    first, second = events(office, EventKind.AGENT_NOACK)
    assert second.payload["originalAssignedEventId"] == again.assignment_event_id
    assert first.payload["originalAssignedEventId"] != again.assignment_event_id


def test_a_word_of_the_agent_answers(office: Office) -> None:
    set_up(office, requiredAckSeconds=60)
    agent_id = office.an_agent()["id"]
    issue_id, begun = given(office, agent_id)
    office.call("comments.create", {"issueId": issue_id, "body": "A person speaks first."})
    deliver(office, begun.id)
    office.world.clock.advance(seconds=30)
    office.call(
        "comments.create", {"issueId": issue_id, "body": "On it."}, key=office.an_agents_key(agent_id)
    )

    later(office, minutes=2)

    assert events(office, EventKind.AGENT_NOACK) == []
    assert run(office, begun.id).ack_due_at is None


def test_whoever_moves_the_issue_answers_for_the_agent(office: Office) -> None:
    set_up(office, requiredAckSeconds=60)
    issue_id, begun = given(office, office.an_agent()["id"])
    deliver(office, begun.id)
    office.world.clock.advance(seconds=30)
    move(office, issue_id, "IN_PROGRESS")

    later(office, minutes=2)

    assert events(office, EventKind.AGENT_NOACK) == []


def test_nobody_has_to_answer_once_it_is_switched_off(office: Office) -> None:
    set_up(office, requiredAckSeconds=60)
    _, begun = given(office, office.an_agent()["id"])
    deliver(office, begun.id)
    office.call("workspaces.update", {"requiredAckSeconds": 0})

    later(office, minutes=2)

    assert (events(office, EventKind.AGENT_NOACK), run(office, begun.id).ack_due_at) == ([], None)


def test_what_is_ignored_is_given_to_another_agent_that_has_room(office: Office) -> None:
    set_up(office, **REDISPATCHING)
    agent_id, other_id = an_online_agent(office), an_online_agent(office, "other")
    issue_id, begun = given(office, agent_id)
    office.call("issues.queue", {"id": issue_id})
    deliver(office, begun.id)

    later(office, minutes=2)

    assert run(office, begun.id).status is RunStatus.ABANDONED
    after, again = head(office, issue_id), live_run(office, issue_id, other_id)
    assert (after.assigned_agent_id, after.dispatch_reason and after.dispatch_reason.reason) == (
        other_id,
        "round-robin",
    )
    taken_back, dispatched = events(office, EventKind.AGENT_ASSIGNED)[-2:]
    assert (taken_back.payload["agentId"], dispatched.payload["agentId"]) == (None, other_id)
    assert again.assignment_event_id == dispatched.id
    assert [wake.agent_id for wake in dispatched.wakes] == [other_id]
    assert (load(office, agent_id), load(office, other_id)) == (0, 1)


def test_where_only_the_same_agent_has_room_it_is_told_once_more(office: Office) -> None:
    set_up(office, **REDISPATCHING)
    agent_id = an_online_agent(office)
    issue_id, begun = given(office, agent_id)
    office.call("issues.queue", {"id": issue_id})
    deliver(office, begun.id)

    later(office, minutes=2)

    again, dispatched = live_run(office, issue_id, agent_id), events(office, EventKind.AGENT_ASSIGNED)[-1]
    assert (again.id, again.assignment_event_id) == (begun.id, dispatched.id)
    assert (dispatched.payload["auto"], dispatched.payload["previousAgentId"]) == (True, agent_id)
    assert load(office, agent_id) == 1
    deliver(office, again.id)
    later(office, minutes=2)
    assert len(events(office, EventKind.AGENT_NOACK)) == 2


def test_what_everybody_ignores_waits_for_people_in_the_end(office: Office) -> None:
    set_up(office, **REDISPATCHING)
    agents = [an_online_agent(office), an_online_agent(office, "other")]
    issue_id = an_issue(office, queue=True)

    for _ in range(MOST_GIVEN_OUT + 2):
        for live in head(office, issue_id).live_runs:
            deliver(office, live.run_id)
        later(office, minutes=2)

    after = head(office, issue_id)
    assert (after.assigned_agent_id, after.queued, after.live_runs) == (None, True, [])
    assert len(events(office, EventKind.AGENT_NOACK)) == MOST_GIVEN_OUT + 1
    assert [load(office, agent_id) for agent_id in agents] == [0, 0]
    office.call("issues.queue", {"id": issue_id})
    assert (head(office, issue_id).assigned_agent_id in agents, head(office, issue_id).times_ignored) == (
        True,
        0,
    )


def test_two_sweeps_at_once_give_it_out_once_more_and_not_twice(office: Office, store: Store) -> None:
    set_up(office, **REDISPATCHING)
    agent_id = an_online_agent(office)
    issue_id = an_issue(office, queue=True)
    for _ in range(2):
        deliver(office, live_run(office, issue_id, agent_id).id)
        office.world.clock.advance(minutes=2)

        sweep_through(office, watched(store, once_before(COMMIT, office.sweep)))

    assert len(events(office, EventKind.AGENT_NOACK)) == breaches(office)["noack"] == 2
    assert load(office, agent_id) == 1


def test_what_is_ignored_and_not_queued_is_nobodys(office: Office) -> None:
    set_up(office, **REDISPATCHING)
    agent_id = an_online_agent(office)
    an_online_agent(office, "other")
    issue_id, begun = given(office, agent_id)
    deliver(office, begun.id)

    later(office, minutes=2)

    assert head(office, issue_id).assigned_agent_id is None
    assert (run(office, begun.id).status, load(office, agent_id)) == (RunStatus.ABANDONED, 0)


@pytest.mark.parametrize("fault", [Fault.CRASHED, Fault.CRASHED_AFTER])
def test_a_sweep_that_dies_while_it_gives_an_issue_away_does_it_once(
    office: Office, store: Store, fault: Fault
) -> None:
    set_up(office, **REDISPATCHING)
    agent_id, other_id = an_online_agent(office), an_online_agent(office, "other")
    issue_id, begun = given(office, agent_id)
    office.call("issues.queue", {"id": issue_id})
    deliver(office, begun.id)
    office.world.clock.advance(seconds=61)
    with pytest.raises(ProcessDied):
        sweep_through(office, watched(store, only(COMMIT, FaultAt(fault, position=0))))

    office.sweep()

    assert head(office, issue_id).assigned_agent_id == other_id
    assert (load(office, agent_id), load(office, other_id)) == (0, 1)
    assert len(events(office, EventKind.AGENT_NOACK)) == breaches(office)["noack"] == 1
