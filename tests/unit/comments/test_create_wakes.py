"""A mentioned agent is woken with a run of its own, and so is the agent that has the issue."""

from forge.work.issues.issues import MAX_LIVE_RUNS
from forge.work.record.log.kinds import EventKind
from forge.work.record.log.rows import Wake
from tests.integration.races.crowds import at_once
from tests.workshop.comments import a_comment, comment_events, stored, watching
from tests.workshop.issues import an_issue, events, live_run
from tests.workshop.office import Office


def wakes(office: Office) -> list[Wake]:
    """Whom the last comment wakes."""
    return comment_events(office)[-1].wakes


def assign(office: Office, issue_id: str, agent_id: str, mode: str = "EXECUTE") -> None:
    office.call("issues.assign", {"issueId": issue_id, "agentId": agent_id, "mode": mode})


def test_a_mentioned_agent_is_woken_with_one_run(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent("worker")

    a_comment(office, issue_id, "@worker, what do you think?")

    run = live_run(office, issue_id, agent["id"])
    (comment,), (started,) = comment_events(office), events(office, EventKind.AGENT_RUN_STARTED)
    assert comment.wakes == [Wake(agent_id=agent["id"], run_id=run.id)]
    assert started.payload == {
        "runId": run.id,
        "issueId": issue_id,
        "agentId": agent["id"],
        "assignmentEventId": None,
    }
    assert (run.trigger_event_id, run.trigger_kind) == (comment.id, "COMMENT_CREATED")
    assert (run.status, run.output_started_at) == ("ACTIVE", None)


def test_a_live_run_is_touched_and_not_doubled(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent("worker")
    a_comment(office, issue_id, "@worker, look.")
    run = live_run(office, issue_id, agent["id"])
    office.world.clock.advance(minutes=1)

    a_comment(office, issue_id, "@worker, look again.")

    touched = live_run(office, issue_id, agent["id"])
    assert touched.id == run.id
    assert touched.trigger_event_id == comment_events(office)[-1].id
    assert touched.last_event_at == run.last_event_at
    assert wakes(office) == [Wake(agent_id=agent["id"], run_id=run.id)]
    assert len(events(office, EventKind.AGENT_RUN_STARTED)) == 1


def test_mentions_at_once_share_one_run(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent("worker")

    at_once(4, lambda place: a_comment(office, issue_id, f"@worker, number {place}"))

    run = live_run(office, issue_id, agent["id"])
    woken = [wake.run_id for event in comment_events(office) for wake in event.wakes]
    assert woken == [run.id] * 4
    assert len(stored(office, issue_id)) == 4
    assert watching(office, agent["id"]) == [issue_id]


def test_a_mention_beyond_the_most_runs_is_posted_and_told_without_a_run(office: Office) -> None:
    issue_id = an_issue(office)
    for number in range(MAX_LIVE_RUNS + 1):
        office.an_agent(f"agent{number}")
    a_comment(office, issue_id, " ".join(f"@agent{number}" for number in range(MAX_LIVE_RUNS)))

    posted = office.call("comments.create", {"issueId": issue_id, "body": f"@agent{MAX_LIVE_RUNS}"})

    (_, late) = comment_events(office)
    assert [wake.run_id for wake in late.wakes] == [None]
    assert (posted["run"], f"agent{MAX_LIVE_RUNS}" in posted["note"]) == (None, True)
    assert len(stored(office, issue_id)) == 2


def test_a_ninth_agent_comments_without_a_run(office: Office) -> None:
    issue_id, late = an_issue(office), office.an_agent("late")
    for number in range(MAX_LIVE_RUNS):
        office.an_agent(f"agent{number}")
    a_comment(office, issue_id, " ".join(f"@agent{number}" for number in range(MAX_LIVE_RUNS)))

    posted = office.call(
        "comments.create", {"issueId": issue_id, "body": "Me too."}, key=office.an_agents_key(late["id"])
    )

    assert posted["run"] is None
    assert "late" in posted["note"]


def test_an_agents_comment_tells_the_run_that_it_began(office: Office) -> None:
    issue_id, agent = an_issue(office), office.an_agent("worker")
    key = office.an_agents_key(agent["id"])

    posted = [office.call("comments.create", {"issueId": issue_id, "body": "On it."}, key=key) for _ in "ab"]

    run = live_run(office, issue_id, agent["id"])
    assert [one["run"] for one in posted] == [{"id": run.id, "engagementMode": run.engagement_mode}] * 2
    assert "note" not in posted[0]
