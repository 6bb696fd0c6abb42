"""Calls of the review gates' tools, and of those that close a gate."""

from tests.contract.samples.gateway import analysed
from tests.contract.samples.issues import an_issue
from tests.contract.samples.plans import in_review, running
from tests.contract.stage import Arguments, Stage, sample


def _a_gate(stage: Stage) -> str:
    """At which a step waits that many others wait for."""
    asked = {"targetType": "execution-step", "targetId": in_review(stage), "prompt": "Is it as it should be?"}
    return str(stage.call("reviewGates.open", asked)["id"])


def _opened(stage: Stage) -> Arguments:
    return {
        "targetType": "execution-step",
        "targetId": in_review(stage),
        "prompt": "Is it as it should be?",
        "requiredRole": "REVIEWER",
        "crewId": stage.a_crew("REVIEWER")["id"],
    }


def _of_two(stage: Stage) -> Arguments:
    for _ in range(2):
        _a_gate(stage)
    return {"status": "PENDING", "targetType": "execution-step", "limit": 1}


def _rejected(stage: Stage) -> Arguments:
    return {"id": _a_gate(stage), "decision": "REJECTED"}


def _stopped(stage: Stage) -> Arguments:
    """A step that is BLOCKED, and somebody lets go on."""
    _, (step_id, *_others) = running(stage)
    stage.call("executionPlans.transitionStep", {"stepId": step_id, "status": "BLOCKED"})
    asked = {"targetType": "execution-step", "targetId": step_id, "prompt": "Once more?"}
    return {"id": stage.call("reviewGates.open", asked)["id"], "decision": "APPROVED"}


def _waiting_plan(stage: Stage) -> tuple[str, str]:
    """A goal, and the plan for it that waits at a gate."""
    goal_id = str(stage.call("goals.create", {"title": "Ship", "issueId": an_issue(stage)})["id"])
    plan_id, _ = running(stage, goal_id=goal_id)
    stage.call("executionPlans.transition", {"id": plan_id, "status": "BLOCKED"})
    asked = {"targetType": "execution-plan", "targetId": plan_id, "prompt": "Go on?"}
    stage.call("reviewGates.open", asked)
    return goal_id, plan_id


def _attached(stage: Stage) -> Arguments:
    made = stage.call("executionPlans.create", {"title": "Another way", "issueId": an_issue(stage)})
    return {"goalId": _waiting_plan(stage)[0], "planId": made["id"], "makeActive": True}


def _run_decided(stage: Stage) -> Arguments:
    """A run of the gateway, which a person lets go on."""
    analysed(stage, planned=True)
    (gate,) = stage.call("reviewGates.list", {"targetType": "gateway-run"})["data"]
    return {"id": gate["id"], "decision": "APPROVED"}


SAMPLES = (
    sample("reviewGates.list", _of_two),
    sample("reviewGates.list", lambda stage: {"id": _a_gate(stage)}, variant="of one"),
    sample("reviewGates.open", _opened),
    sample(
        "reviewGates.resolve",
        lambda stage: {"id": _a_gate(stage), "decision": "APPROVED", "resolution": "It is."},
    ),
    sample("reviewGates.resolve", _rejected, variant="rejected"),
    sample("reviewGates.resolve", _stopped, variant="of a step that is BLOCKED"),
    sample(
        "executionPlans.transition",
        lambda stage: {"id": _waiting_plan(stage)[1], "status": "CANCELED"},
        variant="of one that waits at a gate",
    ),
    sample("goals.abandon", lambda stage: {"id": _waiting_plan(stage)[0]}, variant="waiting at a gate"),
    sample("goals.attachPlan", _attached, variant="in place of one that waits at a gate"),
    sample("reviewGates.resolve", _run_decided, variant="of a run of the gateway"),
    sample(
        "plans.decompose",
        lambda stage: {"goalId": _waiting_plan(stage)[0]},
        variant="in place of a plan that waits at a gate",
    ),
)
