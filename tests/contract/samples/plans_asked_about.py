"""Calls about a plan that people are asked to let run, and verdicts of agents on their own work."""

from tests.contract.samples.issues import an_issue
from tests.contract.samples.plans import a_draft, a_goal, running
from tests.contract.stage import Arguments, Stage, sample

_ASKED = "where people are asked about the plan"


def _asked(stage: Stage) -> dict[str, str]:
    goal_id, _ = a_goal(stage)
    plan_id, _ = a_draft(stage, goal_id=goal_id)
    stage.call("plans.requestApproval", {"planId": plan_id})
    return {"goalId": goal_id, "planId": plan_id}


def _attached_instead(stage: Stage) -> Arguments:
    made = stage.call("executionPlans.create", {"title": "Another way", "issueId": an_issue(stage)})
    return {"goalId": _asked(stage)["goalId"], "planId": made["id"], "makeActive": True}


def _own_verdict(stage: Stage) -> Arguments:
    """Of the acting agent, in a crew whose only reviewer it is itself."""
    goal_id, crew = a_goal(stage, "PLANNER")
    for role in ("WORKER", "REVIEWER"):
        member = {"crewId": crew["id"], "agentId": stage.acting_agent, "role": role}
        stage.call("agentCrews.addMember", member)
    _, (first, *_rest) = running(stage, goal_id=goal_id)
    stage.call("executionPlans.transitionStep", {"stepId": first, "status": "REVIEW"})
    return {"stepId": first, "verdict": "PASS", "feedback": "It is."}


SAMPLES = (
    sample("plans.activate", lambda stage: {"planId": _asked(stage)["planId"]}, variant=_ASKED),
    sample("plans.decompose", lambda stage: {"goalId": _asked(stage)["goalId"]}, variant=_ASKED),
    sample(
        "plans.requestApproval",
        lambda stage: {"planId": _asked(stage)["planId"], "assignedUserId": stage.a_member()},
        variant=_ASKED,
    ),
    sample("goals.abandon", lambda stage: {"id": _asked(stage)["goalId"]}, variant=_ASKED),
    sample("goals.attachPlan", _attached_instead, variant=_ASKED),
    sample(
        "executionPlans.transition",
        lambda stage: {"id": _asked(stage)["planId"], "status": "CANCELED"},
        variant=_ASKED,
    ),
    sample("plans.recordVerdict", _own_verdict, variant="on one's own work", as_agent=True),
)
