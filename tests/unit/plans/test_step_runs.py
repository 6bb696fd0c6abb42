"""Runs for steps: judged by the reviewer of the step, and what their agents say and hear belongs to them."""

from tests.workshop.office import Office
from tests.workshop.plans import a_loop, a_step


def test_a_run_for_a_step_ends_without_what_the_issue_asks_of_its_own_runs(office: Office) -> None:
    loop = a_loop(office, with_issue=True)
    asked = {"artifactRequired": True, "verificationChecklist": [{"label": "Tests pass"}]}
    office.call("issues.update", {"id": loop.issue_id, **asked})
    plan_id, _ = loop.running(a_step())
    (run,) = loop.runs()
    key = office.an_agents_key(loop.worker)

    office.call("runs.complete", {"runId": run["id"], "summary": "Designed."}, key=key)

    assert loop.steps(plan_id) == ["REVIEW"]
    office.call("issues.assign", {"issueId": loop.issue_id, "agentId": loop.worker})
    own = next(one for one in loop.runs() if one["status"] == "ACTIVE")
    refused = office.refused("runs.complete", {"runId": own["id"], "summary": "Done."}, key=key)
    assert refused[2] == {"producedArtifactIds", "verificationResult"}


def test_a_status_during_a_step_is_of_its_run_and_a_mention_begins_no_other(office: Office) -> None:
    loop = a_loop(office, with_issue=True)
    loop.running(a_step())
    (run,) = loop.runs()
    said = {"issueId": loop.issue_id, "body": "Half of it is there."}

    status = office.call("comments.upsertStatus", said, key=office.an_agents_key(loop.worker))
    office.call("comments.create", {"issueId": loop.issue_id, "body": "@worker how far are you?"})

    assert status["runId"] == run["id"]
    (only,) = loop.runs()
    assert (only["id"], only["engagementMode"]) == (run["id"], "EXECUTE")


def test_an_agent_that_let_its_step_stall_goes_on_with_the_step(office: Office) -> None:
    loop = a_loop(office, with_issue=True)
    plan_id, _ = loop.running(a_step())
    key = office.an_agents_key(loop.worker)
    office.world.clock.advance(minutes=31)
    office.sweep()
    (stalled,) = loop.runs()

    said = {"issueId": loop.issue_id, "body": "I am back."}
    run_id = office.call("comments.upsertStatus", said, key=key)["runId"]
    office.call("runs.complete", {"runId": run_id, "summary": "Designed."}, key=key)

    assert (stalled["status"], run_id == stalled["id"]) == ("STALLED", False)
    assert loop.steps(plan_id) == ["REVIEW"]
