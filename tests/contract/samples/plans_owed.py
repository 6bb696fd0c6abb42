"""Calls by which a plan is wanted no more that its planner still owes."""

from tests.contract.samples.issues import an_issue
from tests.contract.samples.plans import a_draft, a_goal
from tests.contract.stage import Arguments, Stage, sample


def _draft(stage: Stage) -> tuple[str, str]:
    """A goal, and the plan that is being made for it."""
    goal_id = a_goal(stage)[0]
    return goal_id, a_draft(stage, goal_id=goal_id)[0]


def _instead(stage: Stage) -> Arguments:
    made = stage.call("executionPlans.create", {"title": "Another way", "issueId": an_issue(stage)})
    return {"goalId": _draft(stage)[0], "planId": made["id"], "makeActive": True}


SAMPLES = (
    sample("plans.decompose", lambda stage: {"goalId": _draft(stage)[0]}, variant="instead of a draft"),
    sample("goals.abandon", lambda stage: {"id": _draft(stage)[0]}, variant="with a draft"),
    sample("goals.attachPlan", _instead, variant="instead of a draft"),
    sample(
        "executionPlans.transition",
        lambda stage: {"id": _draft(stage)[1], "status": "CANCELED"},
        variant="a draft to CANCELED",
    ),
)
