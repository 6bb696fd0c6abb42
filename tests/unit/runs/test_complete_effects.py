"""A completed run leaves the issue where it is, unless done work goes to review."""

import pytest

from forge.work.record.log.kinds import EventKind
from forge.work.record.log.rows import LogItem
from tests.workshop.issues import an_agents_key
from tests.workshop.office import Office
from tests.workshop.runs import engaged

ENOUGH = {"summary": "Done.", "confidence": "HIGH", "verdict": "APPROVE"}
MOVED = EventKind.ISSUE_STATUS_CHANGED


def status_id(office: Office, category: str) -> str:
    (found,) = [row["id"] for row in office.rows("statuses.list") if row["category"] == category]
    return str(found)


def sends_to_review(office: Office) -> str:
    """Work that is done goes to review here; the status of that."""
    review = status_id(office, "IN_REVIEW")
    office.call("workspaces.update", {"reviewStatusId": review})
    return review


def moves(office: Office, issue_id: str) -> list[LogItem]:
    return [row for row in office.log() if row.kind is MOVED and row.subject_id == issue_id]


def test_the_issue_keeps_its_status_where_the_workspace_wants_that(office: Office) -> None:
    office.call("workspaces.update", {"moveOnComplete": False})
    worker = engaged(office)
    before = worker.head

    worker.call("runs.complete", ENOUGH)

    assert worker.head == before.changed(
        live_runs=[], current_run_id=None, updated_at=office.world.clock(), version=before.version + 1
    )
    assert moves(office, worker.issue_id) == []


def test_done_work_is_not_given_to_the_next_who_asks_for_work(office: Office) -> None:
    worker = engaged(office)
    office.call("issues.queue", {"id": worker.issue_id})
    office.call("issues.claim", {"issueId": worker.issue_id}, key=worker.key)

    worker.call("runs.complete", ENOUGH)

    assert (worker.head.queued, worker.head.claimant_id) == (False, None)
    office.world.clock.advance(minutes=61)
    other = an_agents_key(office, office.an_agent("other")["id"])
    assert office.call("issues.claim", {}, key=other) == {"claimed": None, "reason": "nothing-queued"}
    assert office.rows("issues.assigned", {"fields": ["claimed"]}, key=worker.key)[0]["claimed"] is False


def test_a_run_that_only_looks_leaves_queue_and_claim_alone(office: Office) -> None:
    worker = engaged(office, mode="RESEARCH")
    office.call("issues.queue", {"id": worker.issue_id})
    before = worker.head

    worker.call("runs.complete", ENOUGH)

    assert (
        (worker.head.queued, worker.head.claimant_id) == (before.queued, before.claimant_id) == (True, None)
    )


def test_report_evidence_cost_and_end_are_one_call(office: Office) -> None:
    worker = engaged(office)
    office.call("issues.update", {"id": worker.issue_id, "artifactRequired": True})
    evidence = {"title": "What I did", "body": "# Fixed", "artifactType": "REPORT"}
    usage = {"tokensIn": 1200, "tokensOut": 300, "costUsd": 0.02}

    done = status_id(office, "DONE")
    ended = worker.call(
        "runs.complete", {"summary": "Done.", "artifact": evidence, "usage": usage, "transitionTo": done}
    )

    (artifact_id,) = ended["producedArtifactIds"]
    made = office.call("artifacts.get", {"id": artifact_id})
    assert (made["body"], made["type"], made["issueId"]) == ("# Fixed", "REPORT", worker.issue_id)
    assert (worker.run.tokens_in, worker.run.tokens_out, worker.run.cost_usd) == (1200, 300, 0.02)
    assert (worker.head.category, worker.head.live_runs) == ("DONE", [])
    assert len(moves(office, worker.issue_id)) == 1


def test_what_is_not_accepted_at_the_end_changes_nothing(office: Office) -> None:
    researcher, worker = engaged(office, "RESEARCH"), engaged(office)
    moved = {**ENOUGH, "runId": researcher.run_id, "transitionTo": status_id(office, "DONE")}
    unknown = {
        **ENOUGH,
        "runId": worker.run_id,
        "transitionTo": "Nowhere",
        "artifact": {"title": "T", "body": "B"},
    }

    assert office.refused("runs.complete", moved, key=researcher.key)[:2] == (403, "mode_forbidden")
    refused = office.refused("runs.complete", unknown, key=worker.key)

    assert refused == (400, "invalid_input", {"transitionTo"})
    assert (researcher.run.status, worker.run.status) == ("ACTIVE", "ACTIVE")
    assert office.rows("artifacts.list") == []


@pytest.mark.parametrize("is_named", [True, False])
def test_done_work_goes_to_review(office: Office, is_named: bool) -> None:
    review = sends_to_review(office) if is_named else status_id(office, "IN_REVIEW")
    worker = engaged(office)
    before = worker.head
    office.world.clock.advance(minutes=1)

    worker.call("runs.complete", ENOUGH)

    head = worker.head
    assert (head.status_id, head.category, head.updated_at) == (review, "IN_REVIEW", office.world.clock())
    (row,) = moves(office, worker.issue_id)
    assert row.payload == {
        "statusId": review,
        "statusName": "In Review",
        "from": before.status_id,
        "fromName": "Backlog",
        "via": "run-complete",
        "runId": worker.run_id,
        "auto": True,
    }
    assert (row.tool, row.actor_agent_id, row.issue_id) == (
        "runs.complete",
        worker.agent_id,
        worker.issue_id,
    )


def test_the_end_of_a_mode_frees_the_agent_from_its_limits(office: Office) -> None:
    worker = engaged(office, "DISCUSS")
    move = {"id": worker.issue_id, "statusId": status_id(office, "TODO")}
    assert office.refused("issues.transition", move, key=worker.key)[:2] == (403, "mode_forbidden")

    worker.call("runs.complete", ENOUGH)

    assert office.call("issues.transition", move, key=worker.key)["statusId"] == move["statusId"]
