"""Runs that nothing is heard of, as the sweep finds them."""

import pytest

from forge.store.store import Store
from forge.testing.faults import Fault, FaultAt, ProcessDied
from forge.testing.instruments import watched
from forge.work.issues.runs.runs import RunStatus
from forge.work.record.log.kinds import EventKind
from forge.work.record.log.rows import Wake
from tests.unit.work.background.watchdogs.offices import given, later, set_up, sweep_through
from tests.unit.work.messages import waiting_messages
from tests.workshop.interference import COMMIT, once_before, only
from tests.workshop.issues import (
    an_issue,
    assign,
    delete,
    events,
    has_no_live_run,
    head,
    held,
    live_run,
    move,
    queue,
    run,
)
from tests.workshop.office import Office


def test_a_run_that_is_silent_for_half_an_hour_stalls_once(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    issue_id, begun = given(office, agent_id)
    before = head(office, issue_id)
    later(office, minutes=29)
    assert run(office, begun.id).status is RunStatus.ACTIVE

    for _ in range(3):
        later(office, minutes=1)

    stalled, after = run(office, begun.id), head(office, issue_id)
    (event,) = events(office, EventKind.AGENT_RUN_STALLED)
    assert (stalled.status, stalled.last_event_at) == (RunStatus.STALLED, begun.last_event_at)
    assert event.payload == {
        "runId": begun.id,
        "issueId": issue_id,
        "agentId": agent_id,
        "finalStatus": "STALLED",
        "summary": stalled.summary,
    }
    assert (event.issue_id, event.wakes) == (issue_id, [Wake(agent_id=agent_id, run_id=begun.id)])
    assert has_no_live_run(office, issue_id, agent_id)
    assert (after.assigned_agent_id, after.updated_at) == (agent_id, before.updated_at)
    shown = office.call("issues.get", {"id": issue_id, "include": {"currentRun": True}})["currentRun"]
    assert (shown["id"], shown["status"]) == (begun.id, "STALLED")


def test_its_agent_is_told_through_the_queue(office: Office, store: Store) -> None:
    agent_id = office.an_agent()["id"]
    _, begun = given(office, agent_id)
    later(office, minutes=30)
    waiting_messages(store)

    later(office, minutes=3)

    (kick,) = [one for one in waiting_messages(store) if one["kind"] == "AGENT_RUN_STALLED"]
    assert kick["wakes"] == [{"agentId": agent_id, "runId": begun.id}]


def test_each_sign_of_work_gives_it_its_whole_time_again(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    issue_id, begun = given(office, agent_id)
    key = office.an_agents_key(agent_id)
    for tool, more in (
        ("comments.upsertStatus", {"issueId": issue_id, "body": "Reading"}),
        ("comments.create", {"issueId": issue_id, "body": "A question"}),
        ("runs.recordUsage", {"runId": begun.id, "tokensIn": 1}),
        ("runs.setWaiting", {"runId": begun.id}),
        ("runs.resumeWork", {"runId": begun.id}),
    ):
        later(office, minutes=29)
        office.call(tool, more, key=key)
    later(office, minutes=29)
    assert run(office, begun.id).status is RunStatus.ACTIVE

    later(office, minutes=1)

    assert run(office, begun.id).status is RunStatus.STALLED


def test_a_waiting_run_that_is_given_out_anew_has_its_time_from_then_on(office: Office) -> None:
    agent_id, issue_id = office.an_agent()["id"], an_issue(office)
    office.call("comments.create", {"issueId": issue_id, "body": "@worker look"})
    begun = live_run(office, issue_id, agent_id)
    office.call("runs.setWaiting", {"runId": begun.id}, key=office.an_agents_key(agent_id))
    later(office, hours=3)
    assign(office, issue_id, agent_id)
    later(office, minutes=29)
    assert live_run(office, issue_id, agent_id).status is RunStatus.ACTIVE

    later(office, minutes=1)

    assert run(office, begun.id).status is RunStatus.STALLED


def test_whoever_comes_back_begins_another_run_and_keeps_the_claim(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    key = office.an_agents_key(agent_id)
    issue_id, begun = given(office, agent_id)
    office.call("issues.claim", {"issueId": issue_id, "claimTtlMinutes": 1440}, key=key)
    later(office, minutes=30)

    office.call("comments.create", {"issueId": issue_id, "body": "Back again."}, key=key)
    again = live_run(office, issue_id, agent_id)
    office.call("runs.setWaiting", {"runId": again.id}, key=key)
    later(office, hours=24)

    assert run(office, begun.id).status is RunStatus.ABANDONED
    after = head(office, issue_id)
    assert (after.current_run_id, after.claimed_by_agent_id) == (again.id, agent_id)
    assert live_run(office, issue_id, agent_id).status is RunStatus.WAITING


def test_a_run_that_stays_stalled_for_a_day_is_given_up_and_its_claim_is_free(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    issue_id, begun = given(office, agent_id)
    office.call("issues.queue", {"id": issue_id})
    claim = {"issueId": issue_id, "claimTtlMinutes": 1440}
    office.call("issues.claim", claim, key=office.an_agents_key(agent_id))
    later(office, minutes=30)
    stalled = run(office, begun.id)
    assert held(office) == [issue_id]
    later(office, hours=23)
    assert run(office, begun.id) == stalled

    later(office, hours=1)
    later(office, minutes=1)

    over, after = run(office, begun.id), head(office, issue_id)
    (event,) = events(office, EventKind.AGENT_RUN_COMPLETED)
    assert (over.status, over.finished_at) == (RunStatus.ABANDONED, stalled.finished_at)
    assert (event.payload["runId"], event.payload["finalStatus"]) == (begun.id, "ABANDONED")
    assert (after.claimed_by_agent_id, after.current_run_id, after.assigned_agent_id) == (
        None,
        None,
        agent_id,
    )
    assert (queue(office), held(office)) == ([issue_id], [])


def test_one_of_a_closed_issue_is_given_up_as_well(office: Office) -> None:
    issue_id, begun = given(office, office.an_agent()["id"])
    later(office, minutes=30)
    move(office, issue_id, "DONE")

    later(office, hours=24)

    assert run(office, begun.id).status is RunStatus.ABANDONED
    assert head(office, issue_id).current_run_id is None


def test_nobody_waits_for_a_run_of_an_issue_that_is_gone(office: Office) -> None:
    issue_id, begun = given(office, office.an_agent()["id"])
    delete(office, issue_id)

    later(office, minutes=30)

    assert (run(office, begun.id).watch_at, run(office, begun.id).status) == (None, RunStatus.ACTIVE)


def test_what_is_switched_off_is_found_again_once_it_is_switched_on(office: Office) -> None:
    set_up(office, agentRunStaleMinutes=0, abandonStalledAfterHours=0)
    _, begun = given(office, office.an_agent()["id"])
    later(office, days=3)
    assert run(office, begun.id).status is RunStatus.ACTIVE

    set_up(office, agentRunStaleMinutes=5)
    stalled = run(office, begun.id)
    later(office, days=3)
    assert (stalled.status, run(office, begun.id)) == (RunStatus.STALLED, stalled)

    set_up(office, abandonStalledAfterHours=1)

    assert run(office, begun.id).status is RunStatus.ABANDONED


def test_a_setting_that_was_raised_meanwhile_is_the_one_that_counts(office: Office) -> None:
    _, begun = given(office, office.an_agent()["id"])
    office.call("workspaces.update", {"agentRunStaleMinutes": 120})
    later(office, minutes=119)
    assert run(office, begun.id).status is RunStatus.ACTIVE

    later(office, minutes=1)

    assert run(office, begun.id).status is RunStatus.STALLED


def test_an_agent_that_was_archived_meanwhile_is_not_woken(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    _, begun = given(office, agent_id)
    office.world.clock.advance(minutes=31)
    office.call("agents.archive", {"id": agent_id})

    office.sweep()

    (event,) = events(office, EventKind.AGENT_RUN_STALLED)
    assert (event.subject_id, event.wakes) == (begun.id, [])


def test_an_agent_that_is_heard_of_just_before_goes_on(office: Office, store: Store) -> None:
    agent_id = office.an_agent()["id"]
    issue_id, begun = given(office, agent_id)
    key = office.an_agents_key(agent_id)
    office.world.clock.advance(minutes=30)
    comment = {"issueId": issue_id, "body": "Still here."}
    spoken = once_before(COMMIT, lambda: office.call("comments.create", comment, key=key))

    sweep_through(office, watched(store, spoken))
    office.sweep()

    assert live_run(office, issue_id, agent_id).id == begun.id
    assert events(office, EventKind.AGENT_RUN_STALLED) == []


def test_two_sweeps_at_once_stall_it_once(office: Office, store: Store) -> None:
    _, begun = given(office, office.an_agent()["id"])
    office.world.clock.advance(minutes=30)

    sweep_through(office, watched(store, once_before(COMMIT, office.sweep)))

    assert run(office, begun.id).status is RunStatus.STALLED
    assert len(events(office, EventKind.AGENT_RUN_STALLED)) == 1


@pytest.mark.parametrize("fault", [Fault.CRASHED, Fault.CRASHED_AFTER])
def test_a_sweep_that_dies_while_it_stalls_a_run_is_made_good_by_the_next(
    office: Office, store: Store, fault: Fault
) -> None:
    _, begun = given(office, office.an_agent()["id"])
    later(office, minutes=25)
    office.world.clock.advance(minutes=5)
    with pytest.raises(ProcessDied):
        sweep_through(office, watched(store, only(COMMIT, FaultAt(fault, position=0))))

    office.sweep()

    assert run(office, begun.id).status is RunStatus.STALLED
    assert len(events(office, EventKind.AGENT_RUN_STALLED)) == 1
