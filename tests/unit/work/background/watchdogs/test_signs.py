"""Signs of an agent, which the sweep does not take for silence."""

import pytest

from forge.work.issues.runs.runs import RunStatus
from forge.work.record.log.kinds import EventKind
from tests.unit.work.background.watchdogs.offices import given, later
from tests.workshop.issues import an_issue, events, head, run
from tests.workshop.office import Body, Office
from tests.workshop.plans import a_loop, a_step


@pytest.mark.parametrize(
    ("tool", "names", "more"),
    [
        ("issues.update", "id", {"priority": "LOW"}),
        ("issues.claim", "issueId", {}),
        ("issues.setQueued", "id", {"queued": True}),
        ("artifacts.create", "issueId", {"title": "Findings", "body": "It was the cache."}),
    ],
)
def test_whatever_its_agent_does_to_the_issue_is_a_sign(
    office: Office, tool: str, names: str, more: Body
) -> None:
    agent_id = office.an_agent()["id"]
    issue_id, begun = given(office, agent_id)
    later(office, minutes=20)

    office.call(tool, {names: issue_id, **more}, key=office.an_agents_key(agent_id))
    later(office, minutes=20)

    assert run(office, begun.id).status is RunStatus.ACTIVE
    later(office, minutes=10)
    assert run(office, begun.id).status is RunStatus.STALLED


def test_an_agent_that_waits_goes_on_waiting_while_it_edits(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    issue_id, begun = given(office, agent_id)
    key = office.an_agents_key(agent_id)
    office.call("runs.setWaiting", {"runId": begun.id, "reason": "Which cache?"}, key=key)

    office.call("issues.update", {"id": issue_id, "priority": "LOW"}, key=key)
    later(office, minutes=90)

    assert run(office, begun.id).status is RunStatus.WAITING


def test_who_is_heard_of_in_one_step_is_silent_in_none(office: Office) -> None:
    loop = a_loop(office, with_issue=True, max_parallel=2)
    loop.running(a_step("One"), a_step("Two"))
    later(office, minutes=20)
    said = {"issueId": loop.issue_id, "body": "Both go well."}

    office.call("comments.upsertStatus", said, key=office.an_agents_key(loop.worker))
    later(office, minutes=20)

    assert events(office, EventKind.AGENT_RUN_STALLED) == []
    later(office, minutes=11)
    assert len(events(office, EventKind.AGENT_RUN_STALLED)) == 2


def test_what_an_agent_does_all_the_time_is_written_down_every_other_minute(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    key = office.an_agents_key(agent_id)
    issue_id, begun = given(office, agent_id)
    later(office, seconds=20)
    office.call("comments.upsertStatus", {"issueId": issue_id, "body": "Reading."}, key=key)
    first = run(office, begun.id)

    later(office, seconds=20)
    office.call("comments.upsertStatus", {"issueId": issue_id, "body": "Still reading."}, key=key)
    second = run(office, begun.id)
    later(office, seconds=100)
    office.call("comments.upsertStatus", {"issueId": issue_id, "body": "Writing."}, key=key)
    third = run(office, begun.id)

    assert first.last_event_at > begun.last_event_at, "the first sign ends what called it"
    assert second == first
    assert (third.last_event_at, third.watch_at) == (office.world.clock(), first.watch_at)


def test_a_sign_that_only_the_log_has_counts_when_the_silence_is_measured(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    key = office.an_agents_key(agent_id)
    issue_id, begun = given(office, agent_id)
    for body in ("Reading.", "Still reading."):
        later(office, seconds=50)
        office.call("comments.upsertStatus", {"issueId": issue_id, "body": body}, key=key)
    written, heard = run(office, begun.id).last_event_at, office.world.clock()

    later(office, minutes=29, seconds=30)
    shortly_before = run(office, begun.id)
    later(office, seconds=30)

    assert (written < heard, shortly_before.status) == (True, RunStatus.ACTIVE)
    assert run(office, begun.id).status is RunStatus.STALLED


def test_a_conversation_moves_its_issue_every_other_minute(office: Office) -> None:
    issue_id = an_issue(office)
    begun = head(office, issue_id).updated_at
    moved = []
    for seconds in (70, 60):
        later(office, seconds=seconds)
        office.call("comments.create", {"issueId": issue_id, "body": "Me too."})
        moved.append(head(office, issue_id).updated_at)

    assert moved == [begun, office.world.clock()]
