"""Calls of the tools of goals, plans and execution plans."""

from typing import Any

from tests.contract.samples.issues import an_issue
from tests.contract.stage import Arguments, Stage, sample

_ROLES = ("PLANNER", "WORKER", "REVIEWER")
_MANY = 10


def _a_goal(stage: Stage, *roles: str) -> tuple[str, dict[str, Any]]:
    """For an issue, with a crew that does as much at once as it likes."""
    crew = stage.a_crew(*(roles or _ROLES))
    stage.call("agentCrews.update", {"id": crew["id"], "maxParallel": 0})
    goal = {"title": "Ship the importer", "crewId": crew["id"], "issueId": an_issue(stage)}
    return str(stage.call("goals.create", {**goal, "description": "From CSV."})["id"]), crew


def _a_draft(stage: Stage, *steps: Arguments, goal_id: str | None = None) -> tuple[str, list[str]]:
    goal = goal_id or _a_goal(stage)[0]
    plan_id = str(stage.call("plans.decompose", {"goalId": goal})["planId"])
    added = stage.call("plans.addSteps", {"planId": plan_id, "steps": [*steps] or _fan()})
    return plan_id, added["stepIds"]


def _fan() -> list[Arguments]:
    """One step that all others wait for."""
    first: Arguments = {"title": "Design", "body": "Look.", "expectedOutput": "A page."}
    return [first, *({"title": f"Part {one}", "dependsOnStepIndexes": [0]} for one in range(_MANY))]


def _running(stage: Stage, *, goal_id: str | None = None) -> tuple[str, list[str]]:
    plan_id, step_ids = _a_draft(stage, goal_id=goal_id)
    stage.call("plans.activate", {"planId": plan_id})
    return plan_id, step_ids


def _in_review(stage: Stage) -> str:
    _, (first, *_rest) = _running(stage)
    stage.call("executionPlans.transitionStep", {"stepId": first, "status": "REVIEW"})
    return first


def _replaced(stage: Stage) -> Arguments:
    goal_id, crew = _a_goal(stage)
    _running(stage, goal_id=goal_id)
    return {"goalId": goal_id, "plannerAgentId": crew["members"][0]["agentId"]}


def _attached(stage: Stage) -> Arguments:
    goal_id, _ = _a_goal(stage)
    _running(stage, goal_id=goal_id)
    made = stage.call("executionPlans.create", {"title": "Another way", "issueId": an_issue(stage)})
    return {"goalId": goal_id, "planId": made["id"], "makeActive": True}


def _abandoned(stage: Stage) -> Arguments:
    goal_id, _ = _a_goal(stage)
    _a_draft(stage, goal_id=goal_id)
    _running(stage, goal_id=goal_id)
    return {"id": goal_id, "reason": "Bought a tool instead."}


def _many_steps(stage: Stage) -> Arguments:
    plan_id = stage.call("plans.decompose", {"goalId": _a_goal(stage)[0]})["planId"]
    agent_id = stage.an_agent()
    step = {
        "title": "Do it",
        "body": "x",
        "expectedOutput": "y",
        "assignedAgentId": agent_id,
        "verification": [{"label": "It works", "kind": "manual"}],
    }
    return {"planId": plan_id, "steps": [{**step, "dependsOnStepIndexes": [0]} for _ in range(100)]}


def _whole_plan(stage: Stage) -> Arguments:
    steps = [{"title": "Do it", "body": "x", "assignedUserId": stage.a_member()} for _ in range(49)]
    return {
        "title": "Move to the new API",
        "description": "All of it.",
        "issueId": an_issue(stage),
        "projectId": stage.a_project(),
        "goalId": _a_goal(stage)[0],
        "status": "APPROVED",
        "steps": [
            *steps,
            {"title": "Check", "assignedAgentId": stage.an_agent(), "assignedRole": "REVIEWER"},
        ],
    }


def _of_two(stage: Stage, arguments: Arguments) -> Arguments:
    for _ in range(2):
        _a_goal(stage)
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
    sample("plans.activate", lambda stage: {"planId": _a_draft(stage)[0]}),
    sample("plans.addSteps", _many_steps),
    sample("plans.decompose", _replaced),
    sample("plans.judge", lambda stage: {"stepId": _in_review(stage), "judgeAgentId": stage.an_agent()}),
    sample(
        "plans.recordVerdict",
        lambda stage: {"stepId": _in_review(stage), "verdict": "PASS", "feedback": "It is.", "score": 0.95},
    ),
    sample(
        "plans.requestApproval",
        lambda stage: {"planId": _a_draft(stage)[0], "assignedUserId": stage.a_member()},
    ),
    sample(
        "executionPlans.create",
        _whole_plan,
    ),
    sample("executionPlans.get", lambda stage: {"id": _running(stage)[0], "offset": 1}),
    sample("executionPlans.list", _plans_listed),
    sample("executionPlans.transition", lambda stage: {"id": _running(stage)[0], "status": "CANCELED"}),
    sample(
        "executionPlans.transitionStep", lambda stage: {"stepId": _running(stage)[1][0], "status": "DONE"}
    ),
)


def _with_plan(stage: Stage) -> str:
    goal_id, _ = _a_goal(stage)
    _running(stage, goal_id=goal_id)
    return goal_id


PHRASES = {
    "goals.abandon": ("abandon a goal", "we give up on this goal", "drop the goal and cancel its plans"),
    "goals.attachPlan": (
        "attach a plan to a goal",
        "link this plan with the goal",
        "this plan serves a goal",
    ),
    "goals.create": ("create a goal", "set a new goal", "a goal for the crew"),
    "goals.get": ("show a goal with its plans", "how far is this goal", "progress of the goal"),
    "goals.list": ("list all goals", "which goals do we have", "goals that are still open"),
    "plans.activate": ("activate a plan", "let the plan run", "start executing a plan"),
    "plans.addSteps": ("add steps to a plan", "write steps into the draft plan", "append steps to my plan"),
    "plans.decompose": ("decompose a goal into a plan", "break the goal down into steps", "plan a goal"),
    "plans.judge": ("dispatch a judge for a step", "let a reviewer judge the step", "call a judge"),
    "plans.recordVerdict": ("record a verdict on a step", "the step passes", "fail a step with feedback"),
    "plans.requestApproval": (
        "request approval of a plan",
        "ask for approval of my plan",
        "somebody has to approve the plan",
    ),
    "executionPlans.create": ("create an execution plan", "make a plan with steps", "new plan for an issue"),
    "executionPlans.get": ("show a plan with its steps", "read the steps of a plan", "get an execution plan"),
    "executionPlans.list": ("list execution plans", "which plans are running", "all plans of an issue"),
    "executionPlans.transition": ("set the status of a plan", "block a plan", "cancel an execution plan"),
    "executionPlans.transitionStep": (
        "set the status of a step",
        "move a step to review",
        "mark a step as running",
    ),
}
