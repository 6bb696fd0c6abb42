"""Calls that make a plan pass its budget."""

from tests.contract.samples.issues import an_issue
from tests.contract.stage import Stage, sample


def _for_a_step(stage: Stage) -> str:
    """A run of the agent that acts, for a step of a plan with a small budget."""
    crew, issue_id = stage.a_crew("WORKER", "REVIEWER"), an_issue(stage)
    goal = {"title": "Ship", "issueId": issue_id, "crewId": crew["id"], "maxTotalCostUsd": 0.1}
    goal_id = stage.call("goals.create", goal)["id"]
    plan_id = stage.call("plans.decompose", {"goalId": goal_id})["planId"]
    step = {"title": "Design", "assignedAgentId": stage.acting_agent}
    stage.call("plans.addSteps", {"planId": plan_id, "steps": [step]})
    stage.call("plans.activate", {"planId": plan_id})
    (run,) = stage.call("runs.list", {"issueId": issue_id})["data"]
    return str(run["id"])


SAMPLES = (
    sample(
        "runs.recordUsage",
        lambda stage: {"runId": _for_a_step(stage), "costUsd": 0.2714},
        variant="beyond a budget",
    ),
    sample(
        "runs.complete",
        lambda stage: {"runId": _for_a_step(stage), "summary": "Done.", "usage": {"costUsd": 0.2714}},
        variant="beyond a budget",
    ),
)
