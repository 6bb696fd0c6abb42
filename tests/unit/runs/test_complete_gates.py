"""What a run must show depends on its mode, and all that is missing is said at once."""

import json

from tests.workshop.office import Office
from tests.workshop.runs import Engagement, an_artifact, engaged, with_checklist

DONE = {"summary": "Fixed the timeout."}


def lacks(worker: Engagement, **report: object) -> set[str]:
    """The fields for which the run was not completed; nothing may have changed."""
    run, head, logged = worker.run, worker.head, worker.office.log()
    status, code, fields = worker.refused("runs.complete", report)
    assert (status, code) == (400, "invalid_input")
    assert (worker.run, worker.head, worker.text, worker.office.log()) == (run, head, None, logged)
    return fields


def test_artifacts_must_exist(office: Office, other_office: Office) -> None:
    worker, foreign = engaged(office), an_artifact(other_office)

    for unknown in ("art_none", foreign):
        assert lacks(worker, **DONE, producedArtifactIds=[unknown]) == {"producedArtifactIds"}


def test_an_artifact_that_the_agent_made_for_the_issue_is_enough(office: Office) -> None:
    worker = engaged(office)
    office.call("issues.update", {"id": worker.issue_id, "artifactRequired": True})
    document = {"title": "What was done", "body": "Everything.", "issueId": worker.issue_id}
    made = office.call("artifacts.create", document, key=worker.key)

    told = worker.call("runs.complete", {**DONE, "producedArtifactIds": [made["id"]]})

    assert told["producedArtifactIds"] == [made["id"]]


def test_an_artifact_without_a_word_is_no_evidence(office: Office) -> None:
    worker = engaged(office)
    office.call("issues.update", {"id": worker.issue_id, "artifactRequired": True})

    assert lacks(worker, **DONE, artifact={"title": "Proof", "body": " \n"}) == {"artifact.body"}
    made = office.refused("artifacts.create", {"title": "Proof", "body": " "}, key=worker.key)
    assert made == (400, "invalid_input", {"body"})


def test_everything_that_work_lacks_is_said_together_with_what_it_needs(office: Office) -> None:
    worker = engaged(office)
    office.call("issues.update", {"id": worker.issue_id, "artifactRequired": True})
    with_checklist(office, worker.issue_id, {"label": "Tests pass"})

    answer = office.send("runs.complete", {"runId": worker.run_id}, key=worker.key)

    error = json.loads(answer.body)
    assert answer.status == 400
    assert set(error["issues"]) == {"summary", "producedArtifactIds", "verificationResult"}
    assert "EXECUTE" in error["hint"]
