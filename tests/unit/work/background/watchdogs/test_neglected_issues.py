"""Issues that nobody sees to, as the sweep finds them."""

import pytest

from forge.store.store import Store
from forge.testing.faults import Fault, FaultAt, ProcessDied
from forge.testing.instruments import Counter, watched
from forge.work.record.log.kinds import EventKind
from forge.work.record.log.rows import Wake
from tests.unit.work.background.watchdogs.offices import (
    an_online_agent,
    breaches,
    given,
    later,
    set_up,
    sweep_through,
)
from tests.workshop.interference import COMMIT, once_before, only
from tests.workshop.issues import an_agents_key, an_issue, delete, events, head, live_run, load, move
from tests.workshop.office import Office

QUIET = {"agentRunStaleMinutes": 0}


def test_assigned_work_that_nobody_begins_is_told_and_counted_once_an_hour(office: Office) -> None:
    set_up(office, assignmentSlaMinutes=30, **QUIET)
    agent_id = office.an_agent()["id"]
    issue_id, begun = given(office, agent_id)
    before = head(office, issue_id)

    for minutes in (30, 1, 58, 1, 1):
        later(office, minutes=minutes)

    first, second = events(office, EventKind.ISSUE_STALLED)
    assert (first.subject_id, first.wakes) == (issue_id, [Wake(agent_id=agent_id, run_id=begun.id)])
    assert {**first.payload, "lastUpdate": None} == {
        "assignedAgentId": agent_id,
        "agentProfileKey": "worker",
        "slaMinutes": 30,
        "lastUpdate": None,
    }
    assert (second.created_at - first.created_at).total_seconds() == 3600
    assert head(office, issue_id).updated_at == before.updated_at
    assert breaches(office) == {"sla": 0, "stalled": 2, "noack": 0}


def test_an_agent_that_is_not_at_work_on_it_gets_a_run_for_it(office: Office) -> None:
    set_up(office, assignmentSlaMinutes=30, moveOnComplete=False)
    agent_id = office.an_agent()["id"]
    issue_id, begun = given(office, agent_id)
    done = {"runId": begun.id, "summary": "Later."}
    office.call("runs.complete", done, key=an_agents_key(office, agent_id))

    later(office, minutes=30)

    (event,), again = events(office, EventKind.ISSUE_STALLED), live_run(office, issue_id, agent_id)
    assert (again.trigger_event_id, again.engagement_mode) == (event.id, "EXECUTE")


def test_a_run_that_stalled_is_called_again_and_no_other_begins(office: Office) -> None:
    set_up(office, assignmentSlaMinutes=60)
    agent_id = office.an_agent()["id"]
    issue_id, begun = given(office, agent_id)

    for _ in range(5):
        later(office, hours=1)

    stalled = events(office, EventKind.ISSUE_STALLED)
    assert len(stalled) == 5
    assert [row.wakes for row in stalled] == [[Wake(agent_id=agent_id, run_id=begun.id)]] * 5
    assert [row["id"] for row in office.rows("runs.list", {"issueId": issue_id})] == [begun.id]


def test_whoever_sees_to_it_gives_it_its_whole_time_again(office: Office) -> None:
    set_up(office, assignmentSlaMinutes=30, **QUIET)
    issue_id, _ = given(office, office.an_agent()["id"])
    later(office, minutes=29)
    office.call("comments.create", {"issueId": issue_id, "body": "Soon."})
    later(office, minutes=29)
    assert events(office, EventKind.ISSUE_STALLED) == []

    later(office, minutes=1)

    assert len(events(office, EventKind.ISSUE_STALLED)) == 1


def test_an_issue_that_takes_longer_than_promised_is_told_and_counted_once_a_day(office: Office) -> None:
    set_up(office, slaEnforcementEnabled=True)
    issue_id = an_issue(office, slaMinutes=60, priority="HIGH")
    in_time = an_issue(office, slaMinutes=60)
    office.call("issues.update", {"id": in_time, "slaMinutes": 5_000})
    later(office, minutes=59)
    assert events(office, EventKind.ISSUE_SLA_BREACH) == []

    for minutes in (62, 1, 24 * 60 - 2, 1, 1):
        later(office, minutes=minutes)

    first, second = events(office, EventKind.ISSUE_SLA_BREACH)
    assert (first.subject_id, second.subject_id) == (issue_id, issue_id)
    assert first.payload == {"slaMinutes": 60, "breachedByMinutes": 61, "priority": "HIGH"}
    assert second.payload["breachedByMinutes"] == 61 + 24 * 60
    assert breaches(office) == {"sla": 2, "stalled": 0, "noack": 0}


def test_a_promise_that_is_taken_back_or_kept_is_not_broken(office: Office) -> None:
    set_up(office, slaEnforcementEnabled=True)
    taken_back, kept, deleted = (an_issue(office, slaMinutes=60) for _ in range(3))
    office.call("issues.update", {"id": taken_back, "clear": ["slaMinutes"]})
    move(office, kept, "DONE")
    delete(office, deleted)

    later(office, hours=2)

    assert events(office, EventKind.ISSUE_SLA_BREACH) == []
    assert {head(office, one).watch_at for one in (taken_back, kept)} == {None}


def test_stalled_work_is_given_to_whoever_has_room(office: Office) -> None:
    set_up(
        office,
        assignmentSlaMinutes=30,
        autoRedispatchOnStall=True,
        autoDispatch=True,
        autoDispatchMode="ROUND_ROBIN",
        **QUIET,
    )
    agent_id, other_id = an_online_agent(office), an_online_agent(office, "other")
    issue_id, _ = given(office, agent_id)
    office.call("issues.queue", {"id": issue_id})

    later(office, minutes=30)

    assert head(office, issue_id).assigned_agent_id == other_id
    assert (load(office, agent_id), load(office, other_id)) == (0, 1)
    (stalled,) = events(office, EventKind.ISSUE_STALLED)
    assert (stalled.payload["assignedAgentId"], stalled.wakes) == (agent_id, [])
    live_run(office, issue_id, other_id)


def test_issues_from_before_it_was_switched_on_are_found(office: Office) -> None:
    agent_id = office.an_agent(maxConcurrent=0)["id"]
    stalled = {given(office, agent_id)[0] for _ in range(25)}
    promised = an_issue(office, slaMinutes=60)
    later(office, hours=2)

    set_up(office, assignmentSlaMinutes=30, slaEnforcementEnabled=True)
    office.sweep()

    assert {row.subject_id for row in events(office, EventKind.ISSUE_STALLED)} == stalled
    assert [row.subject_id for row in events(office, EventKind.ISSUE_SLA_BREACH)] == [promised]


def test_what_is_switched_off_again_costs_nothing_after_one_look(office: Office, store: Store) -> None:
    set_up(office, assignmentSlaMinutes=30, **QUIET)
    given(office, office.an_agent()["id"])
    set_up(office, assignmentSlaMinutes=0)
    later(office, hours=1)
    counter = Counter()
    # Figures of days are counted each half hour at the least.
    later(office, days=1)

    sweep_through(office, watched(store, counter))

    assert (counter.reads, counter.writes) == (4, 0)
    assert events(office, EventKind.ISSUE_STALLED) == []


def test_two_sweeps_at_once_tell_it_once(office: Office, store: Store) -> None:
    set_up(office, assignmentSlaMinutes=30, **QUIET)
    given(office, office.an_agent()["id"])
    office.world.clock.advance(minutes=30)

    sweep_through(office, watched(store, once_before(COMMIT, office.sweep)))

    assert len(events(office, EventKind.ISSUE_STALLED)) == breaches(office)["stalled"] == 1


@pytest.mark.parametrize("fault", [Fault.CRASHED, Fault.CRASHED_AFTER])
def test_a_sweep_that_dies_while_it_tells_is_made_good_by_the_next(
    office: Office, store: Store, fault: Fault
) -> None:
    set_up(office, slaEnforcementEnabled=True)
    an_issue(office, slaMinutes=60)
    later(office, minutes=59)
    office.world.clock.advance(minutes=1)
    with pytest.raises(ProcessDied):
        sweep_through(office, watched(store, only(COMMIT, FaultAt(fault, position=0))))

    office.sweep()

    assert len(events(office, EventKind.ISSUE_SLA_BREACH)) == breaches(office)["sla"] == 1
