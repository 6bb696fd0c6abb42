"""Runs for steps are judged by the reviewer of the step, and their issue stays as it is."""

from tests.unit.office import Office
from tests.unit.plans.loops import a_loop, a_step


def test_a_run_for_a_step_ends_without_what_the_issue_asks_of_its_own_runs(office: Office) -> None:
    loop = a_loop(office, with_issue=True)
    asked = {"artifactRequired": True, "verificationChecklist": [{"label": "Tests pass"}]}
    office.call("issues.update", {"id": loop.issue_id, **asked})
    plan_id, _ = loop.running(a_step())
    (run,) = office.rows("runs.list", {"issueId": loop.issue_id})
    key = office.an_agents_key(loop.worker)

    office.call("runs.complete", {"runId": run["id"], "summary": "Designed."}, key=key)

    assert loop.steps(plan_id) == ["REVIEW"]
    office.call("issues.assign", {"issueId": loop.issue_id, "agentId": loop.worker})
    own = next(
        one for one in office.rows("runs.list", {"issueId": loop.issue_id}) if one["status"] == "ACTIVE"
    )
    refused = office.refused("runs.complete", {"runId": own["id"], "summary": "Done."}, key=key)
    assert refused[2] == {"producedArtifactIds", "verificationResult"}
