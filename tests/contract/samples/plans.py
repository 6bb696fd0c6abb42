"""Calls of the tools of goals, plans and execution plans."""

from typing import Any

from tests.contract.samples.issues import an_issue
from tests.contract.stage import Arguments, Stage, sample

_ROLES = ("PLANNER", "WORKER", "REVIEWER")
_MANY = 10


def a_goal(stage: Stage, *roles: str) -> tuple[str, dict[str, Any]]:
    """For an issue, with a crew that does as much at once as it likes."""
    crew = stage.a_crew(*(roles or _ROLES))
    stage.call("agentCrews.update", {"id": crew["id"], "maxParallel": 0})
    goal = {"title": "Ship the importer", "crewId": crew["id"], "issueId": an_issue(stage)}
    return str(stage.call("goals.create", {**goal, "description": "From CSV."})["id"]), crew


def a_draft(stage: Stage, *steps: Arguments, goal_id: str | None = None) -> tuple[str, list[str]]:
    goal = goal_id or a_goal(stage)[0]
    plan_id = str(stage.call("plans.decompose", {"goalId": goal})["planId"])
    added = stage.call("plans.addSteps", {"planId": plan_id, "steps": [*steps] or _fan()})
    return plan_id, added["stepIds"]


def _fan() -> list[Arguments]:
    """One step that all others wait for."""
    first: Arguments = {"title": "Design", "body": "Look.", "expectedOutput": "A page."}
    return [first, *({"title": f"Part {one}", "dependsOnStepIndexes": [0]} for one in range(_MANY))]


def running(stage: Stage, *, goal_id: str | None = None) -> tuple[str, list[str]]:
    plan_id, step_ids = a_draft(stage, goal_id=goal_id)
    stage.call("plans.activate", {"planId": plan_id})
    return plan_id, step_ids


def _stopped(stage: Stage) -> str:
    """A plan that ran, and whose other steps wait for it to go on."""
    plan_id, (first, *_rest) = running(stage)
    stage.call("executionPlans.transition", {"id": plan_id, "status": "BLOCKED"})
    stage.call("executionPlans.transitionStep", {"stepId": first, "status": "DONE"})
    return plan_id


def in_review(stage: Stage, *roles: str) -> str:
    _, (first, *_rest) = running(stage, goal_id=a_goal(stage, *roles)[0])
    stage.call("executionPlans.transitionStep", {"stepId": first, "status": "REVIEW"})
    return first


def _one_step(stage: Stage) -> Arguments:
    plan_id, (first, *_rest) = running(stage)
    return {"id": plan_id, "stepId": first, "textOffset": 1}


def _unjudged(stage: Stage) -> Arguments:
    """A step that was done in a run, of a crew without a reviewer."""
    goal_id, crew = a_goal(stage, "WORKER")
    _, (first, *_rest) = running(stage, goal_id=goal_id)
    (run, *_others) = stage.call("runs.list", {"agentId": crew["members"][0]["agentId"]})["data"]
    return {"stepId": first, "status": "REVIEW", "sourceRunId": run["id"]}


def _only_step(stage: Stage) -> str:
    """Of a plan that runs."""
    plan_id, (step_id,) = a_draft(stage, {"title": "Do it"})
    stage.call("plans.activate", {"planId": plan_id})
    return step_id


def _nothing_left(stage: Stage) -> Arguments:
    plan_id, (step_id,) = a_draft(stage, {"title": "Do it"})
    stage.call("plans.activate", {"planId": plan_id})
    stage.call("executionPlans.transition", {"id": plan_id, "status": "BLOCKED"})
    stage.call("executionPlans.transitionStep", {"stepId": step_id, "status": "DONE"})
    return {"id": plan_id, "status": "RUNNING"}


def _last_verdict(stage: Stage) -> Arguments:
    step_id = _only_step(stage)
    stage.call("executionPlans.transitionStep", {"stepId": step_id, "status": "RUNNING"})
    return {"stepId": step_id, "verdict": "PASS", "feedback": "It is."}


def _third_failure(stage: Stage) -> Arguments:
    failed = {"stepId": _only_step(stage), "verdict": "FAIL", "feedback": "It is not."}
    for _ in range(2):
        stage.call("executionPlans.transitionStep", {"stepId": failed["stepId"], "status": "RUNNING"})
        stage.call("plans.recordVerdict", failed)
    stage.call("executionPlans.transitionStep", {"stepId": failed["stepId"], "status": "RUNNING"})
    return failed


def _begun_unjudged(stage: Stage) -> str:
    """A step that somebody works on, of a crew without a reviewer."""
    _, (first, *_rest) = running(stage, goal_id=a_goal(stage, "WORKER")[0])
    stage.call("executionPlans.transitionStep", {"stepId": first, "status": "RUNNING"})
    return first


def _approval(stage: Stage) -> str:
    asked = stage.call("plans.requestApproval", {"planId": a_draft(stage)[0]})
    return str(asked["actionRequestId"])


def _step_run(stage: Stage, *others: str) -> Arguments:
    """The end of a run of the acting agent, which works for a crew."""
    goal_id, crew = a_goal(stage, *(others or ("PLANNER",)))
    member = {"crewId": crew["id"], "agentId": stage.acting_agent, "role": "WORKER"}
    stage.call("agentCrews.addMember", member)
    running(stage, goal_id=goal_id)
    (run, *_others) = stage.call("runs.list", {"agentId": stage.acting_agent})["data"]
    return {"runId": run["id"], "summary": "Done."}


def _replaced(stage: Stage) -> Arguments:
    goal_id, crew = a_goal(stage)
    running(stage, goal_id=goal_id)
    return {"goalId": goal_id, "plannerAgentId": crew["members"][0]["agentId"]}


def _attached(stage: Stage) -> Arguments:
    goal_id, _ = a_goal(stage)
    running(stage, goal_id=goal_id)
    made = stage.call("executionPlans.create", {"title": "Another way", "issueId": an_issue(stage)})
    return {"goalId": goal_id, "planId": made["id"], "makeActive": True}


def _abandoned(stage: Stage) -> Arguments:
    goal_id, _ = a_goal(stage)
    a_draft(stage, goal_id=goal_id)
    running(stage, goal_id=goal_id)
    return {"id": goal_id, "reason": "Bought a tool instead."}


def _many_steps(stage: Stage) -> Arguments:
    plan_id = stage.call("plans.decompose", {"goalId": a_goal(stage)[0]})["planId"]
    agent_id = stage.an_agent()
    step = {
        "title": "Do it",
        "body": "x",
        "expectedOutput": "y",
        "assignedAgentId": agent_id,
        "verification": [{"label": "It works", "kind": "manual"}],
    }
    return {"planId": plan_id, "steps": [step, *({**step, "dependsOnStepIndexes": [0]} for _ in range(99))]}


def _whole_plan(stage: Stage) -> Arguments:
    steps = [{"title": "Do it", "body": "x", "assignedUserId": stage.a_member()} for _ in range(49)]
    return {
        "title": "Move to the new API",
        "description": "All of it.",
        "issueId": an_issue(stage),
        "projectId": stage.a_project(),
        "goalId": a_goal(stage)[0],
        "status": "APPROVED",
        "steps": [
            *steps,
            {"title": "Check", "assignedAgentId": stage.an_agent(), "assignedRole": "REVIEWER"},
        ],
    }


def _of_two(stage: Stage, arguments: Arguments) -> Arguments:
    for _ in range(2):
        a_goal(stage)
    return arguments


def _plans_listed(stage: Stage) -> Arguments:
    project_id, issue_id = stage.a_project(), an_issue(stage)
    for _ in range(2):
        stage.call("executionPlans.create", {"title": "P", "issueId": issue_id, "projectId": project_id})
    return {
        "status": "DRAFT",
        "issueId": issue_id,
        "projectId": project_id,
        "limit": 1,
        "includeArchived": True,
    }


SAMPLES = (
    sample("actionRequests.accept", lambda stage: {"id": _approval(stage)}, variant="of a plan"),
    sample("runs.complete", lambda stage: _step_run(stage, "REVIEWER"), variant="of a step"),
    sample("runs.complete", _step_run, variant="of a step that people judge"),
    sample("plans.judge", lambda stage: {"stepId": _begun_unjudged(stage)}, variant="by people"),
    sample("plans.recordVerdict", _last_verdict, variant="the last one"),
    sample("plans.recordVerdict", _third_failure, variant="the third failure"),
    sample(
        "executionPlans.transition",
        lambda stage: {"id": _stopped(stage), "status": "RUNNING"},
        variant="to RUNNING",
    ),
    sample("executionPlans.transition", _nothing_left, variant="to RUNNING, with nothing left to do"),
    sample("executionPlans.get", _one_step, variant="one step"),
    sample("executionPlans.transitionStep", _unjudged, variant="to be judged by people"),
    sample(
        "executionPlans.transitionStep",
        lambda stage: {"stepId": _only_step(stage), "status": "DONE"},
        variant="the last one",
    ),
    sample("goals.abandon", _abandoned),
    sample("goals.attachPlan", _attached),
    sample(
        "goals.create",
        lambda stage: {
            "title": "Ship the importer",
            "description": "From CSV.",
            "issueId": an_issue(stage),
            "initiativeId": stage.an_initiative(),
            "crewId": stage.a_crew(*_ROLES)["id"],
            "maxTotalCostUsd": 5,
            "maxWallTimeMinutes": 60,
        },
    ),
    sample("goals.get", lambda stage: {"id": _with_plan(stage)}),
    sample(
        "goals.list", lambda stage: _of_two(stage, {"status": "OPEN", "limit": 1, "includeArchived": True})
    ),
    sample("plans.activate", lambda stage: {"planId": a_draft(stage)[0]}),
    sample("plans.addSteps", _many_steps),
    sample("plans.decompose", _replaced),
    sample("plans.judge", lambda stage: {"stepId": in_review(stage), "judgeAgentId": stage.an_agent()}),
    sample(
        "plans.recordVerdict",
        lambda stage: {"stepId": in_review(stage), "verdict": "PASS", "feedback": "It is.", "score": 0.95},
    ),
    sample(
        "plans.requestApproval",
        lambda stage: {"planId": a_draft(stage)[0], "assignedUserId": stage.a_member()},
    ),
    sample(
        "executionPlans.create",
        _whole_plan,
    ),
    sample("executionPlans.get", lambda stage: {"id": running(stage)[0], "offset": 1}),
    sample("executionPlans.list", _plans_listed),
    sample("executionPlans.transition", lambda stage: {"id": running(stage)[0], "status": "CANCELED"}),
    sample("executionPlans.transitionStep", lambda stage: {"stepId": running(stage)[1][0], "status": "DONE"}),
)


def _with_plan(stage: Stage) -> str:
    goal_id, _ = a_goal(stage)
    running(stage, goal_id=goal_id)
    return goal_id
