"""An agent ends its run with a report, once."""

from forge.work.issues.runs.runs import CONTRACT_VERSION, NO_PLACE, TOLD_OF_SUMMARY, LiveRunItem
from forge.work.record import texts
from forge.work.record.log.kinds import EventKind
from tests.workshop.office import Office
from tests.workshop.runs import an_artifact, engaged, events_about

DONE = {"summary": "Fixed the timeout."}
COMPLETED = EventKind.AGENT_RUN_COMPLETED


def test_the_run_and_its_texts_are_stored(office: Office) -> None:
    worker = engaged(office)
    office.world.clock.advance(minutes=3)
    artifact_id = an_artifact(office)

    answer = worker.call(
        "runs.complete",
        {
            **DONE,
            "producedArtifactIds": [artifact_id],
            "verificationResult": [{"label": "Tests pass", "done": True}],
            "followUps": [{"title": "Tell support"}],
            "confidence": "LOW",
        },
    )

    run, text, now = worker.run, worker.text, office.world.clock()
    assert (run.status, run.finished_at, run.completed_at, run.last_event_at) == ("COMPLETED", now, now, now)
    assert answer["producedArtifactIds"] == run.produced_artifact_ids == [artifact_id]
    assert answer["verificationResult"][0]["label"] == "Tests pass"
    assert answer["followUps"] == [{"title": "Tell support", "body": None, "kind": None}]
    assert (
        answer["completionMeta"]
        == run.completion_meta
        == {
            "contractVersion": CONTRACT_VERSION,
            "mode": "EXECUTE",
            "confidence": "LOW",
        }
    )
    assert text is not None
    assert text.summary.text == "Fixed the timeout."
    assert [result["label"] for result in text.verification_result] == ["Tests pass"]
    assert [one.title for one in text.follow_ups] == ["Tell support"]


def test_a_run_that_waits_can_be_completed(office: Office) -> None:
    worker = engaged(office)
    worker.call("runs.setWaiting")

    worker.call("runs.complete", DONE)

    assert worker.run.status == "COMPLETED"


def test_the_end_is_announced_once(office: Office) -> None:
    worker = engaged(office)

    worker.call("runs.complete", DONE)

    (row,) = events_about(office, worker.run_id, COMPLETED)
    assert row.payload == {
        "runId": worker.run_id,
        "issueId": worker.issue_id,
        "agentId": worker.agent_id,
        "finalStatus": "COMPLETED",
        "summary": "Fixed the timeout.",
    }
    assert (row.issue_id, row.actor_agent_id, row.wakes) == (worker.issue_id, worker.agent_id, [])


def test_a_completed_run_is_no_longer_live_anywhere(office: Office) -> None:
    worker = engaged(office)

    worker.call("runs.complete", DONE)

    guard = LiveRunItem.at(office.workspace.id, worker.agent_id, worker.issue_id, NO_PLACE)
    assert office.world.services.store.table.find(LiveRunItem, guard) is None
    assert (worker.head.live_runs, worker.head.current_run_id) == ([], None)


def test_a_long_summary_of_wide_characters_is_kept_apart_and_told_in_part(office: Office) -> None:
    worker = engaged(office)
    summary = "🚀" * 50_000

    told = worker.call("runs.complete", {"summary": summary}, idempotency_key="once")

    assert told["summary"] == summary
    text = worker.text
    assert text is not None
    assert text.summary.blob is not None
    assert texts.read(office.world.services.store.blobs, text.summary) == summary
    (row,) = events_about(office, worker.run_id, COMPLETED)
    assert row.payload["summary"] == "🚀" * TOLD_OF_SUMMARY
    assert worker.call("runs.complete", {"summary": summary}, idempotency_key="once") == told


def test_the_longest_report_in_plain_letters_can_be_stored(office: Office) -> None:
    worker = engaged(office)
    report = {
        "summary": "s" * 50_000,
        "verificationResult": [
            {"id": "i" * 40, "label": "l" * 500, "kind": "k" * 40, "value": "v" * 2000, "done": True}
        ]
        * 50,
        "followUps": [{"title": "t" * 300, "body": "b" * 5000, "kind": "k" * 40}] * 20,
    }

    told = worker.call("runs.complete", report)

    assert told["followUps"] == report["followUps"]
    assert worker.run.status == "COMPLETED"


def test_a_run_is_completed_once(office: Office) -> None:
    worker = engaged(office)
    worker.call("runs.complete", DONE)
    logged, run = office.log(), worker.run

    assert worker.refused("runs.complete", {"summary": "Again."}) == (409, "conflict", set())
    assert (office.log(), worker.run) == (logged, run)


def test_a_run_that_was_abandoned_is_over(office: Office) -> None:
    worker = engaged(office)
    office.call("issues.assign", {"issueId": worker.issue_id, "agentId": None})

    assert worker.refused("runs.complete", DONE) == (409, "conflict", set())
    assert (worker.run.status, worker.text) == ("ABANDONED", None)


def test_that_a_run_is_over_is_said_before_what_it_lacks(office: Office) -> None:
    worker = engaged(office)
    worker.call("runs.complete", DONE)

    assert worker.refused("runs.complete") == (409, "conflict", set())
