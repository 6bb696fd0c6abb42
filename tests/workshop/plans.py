"""A goal with a crew, and plans for it, made with the product's own tools."""

from typing import NamedTuple

from tests.workshop.office import Body, Office


class Loop(NamedTuple):
    """A crew with a planner, a worker and a reviewer, and a goal that it is to achieve."""

    office: Office
    crew_id: str
    goal_id: str
    planner: str
    worker: str
    reviewer: str
    issue_id: str | None

    def plan(self, *steps: Body) -> tuple[str, list[str]]:
        """A draft with these steps."""
        plan_id = self.office.call("plans.decompose", {"goalId": self.goal_id})["planId"]
        added = self.office.call("plans.addSteps", {"planId": plan_id, "steps": [*steps]})
        return plan_id, added["stepIds"]

    def running(self, *steps: Body) -> tuple[str, list[str]]:
        plan_id, step_ids = self.plan(*steps)
        self.office.call("plans.activate", {"planId": plan_id})
        return plan_id, step_ids

    def steps(self, plan_id: str) -> list[str]:
        return [one["status"] for one in self.office.call("executionPlans.get", {"id": plan_id})["steps"]]

    def move(self, step_id: str, status: str) -> None:
        self.office.call("executionPlans.transitionStep", {"stepId": step_id, "status": status})

    def judge(self, step_id: str, verdict: str = "PASS", **how: str) -> Body:
        said = {"stepId": step_id, "verdict": verdict, "feedback": "I looked at it."}
        return self.office.call("plans.recordVerdict", said, **how)

    def runs(self, **filters: str) -> list[Body]:
        """Those on the issue, the newest first, but not the planner's."""
        found = self.office.rows("runs.list", {"issueId": self.issue_id, **filters})
        return [one for one in found if one["agent"]["id"] != self.planner]

    def goal(self) -> Body:
        return self.office.call("goals.get", {"id": self.goal_id})

    def told(self, kind: str) -> list[Body]:
        return [row.payload for row in self.office.log() if row.kind == kind]

    def woken(self, kind: str) -> list[str]:
        rows = [row for row in self.office.log() if row.kind == kind]
        return [wake.agent_id for row in rows for wake in row.wakes]


def a_loop(
    office: Office,
    *,
    max_parallel: int = 1,
    with_issue: bool = False,
    reviewer: bool = True,
    named: str = "",
    **caps: float,
) -> Loop:
    agents = [office.an_agent(f"{named}{key}")["id"] for key in ("planner", "worker", "reviewer")]
    roles = ["PLANNER", "WORKER", "REVIEWER"][: 3 if reviewer else 2]
    members = [{"agentId": one, "role": role} for one, role in zip(agents, roles, strict=False)]
    crew = {"name": f"{named}Importers", "maxParallel": max_parallel, "members": members}
    crew_id = office.call("agentCrews.create", crew)["id"]
    issue_id = office.call("issues.create", {"title": "Import"})["id"] if with_issue else None
    goal = {"title": "Ship the importer", "crewId": crew_id, "issueId": issue_id, **caps}
    goal_id = office.call("goals.create", goal)["id"]
    planner, worker, judge = agents
    return Loop(office, crew_id, goal_id, planner, worker, judge, issue_id)


def a_step(title: str = "Do it", *after: int, **more: object) -> Body:
    return {"title": title, "dependsOnStepIndexes": [*after], **more}
