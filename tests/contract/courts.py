"""A court with one of everybody: people and agents who may decide what is open, and all who may not."""

from typing import NamedTuple

from forge.context import Narrowing, Role
from forge.contract.terms import Scope
from tests.contract.samples.gateway import RUN
from tests.contract.stage import Arguments, Stage

READING = [Scope.READ_ISSUES, Scope.READ_PROJECTS, Scope.READ_COMMENTS, Scope.READ_USERS]


class Court(NamedTuple):
    """A crew with a goal, another crew, and people; `asked` is whom questions are for."""

    stage: Stage
    keys: dict[str, str]
    agents: dict[str, str]
    crew: dict[str, str]
    members: dict[str, str]
    asked_id: str
    goal_id: str

    def call(self, tool: str, arguments: Arguments, *, by: str = "owner") -> Arguments:
        return self.stage.call(tool, arguments, key=self.keys[by])

    def request(self, *, by: str = "planner", **more: object) -> str:
        order = {"title": "May I?", "assignedUserId": self.asked_id, **more}
        return str(self.call("actionRequests.create", order, by=by)["id"])

    def draft(self) -> str:
        plan_id = str(self.call("plans.decompose", {"goalId": self.goal_id})["planId"])
        steps = [{"title": "Do it", "assignedAgentId": self.agents["worker"]}, {"title": "Look at it"}]
        self.call("plans.addSteps", {"planId": plan_id, "steps": steps})
        return plan_id

    def asked_about(self) -> str:
        """A draft of which one person is asked."""
        plan_id = self.draft()
        order = {"planId": plan_id, "assignedUserId": self.asked_id}
        self.call("plans.requestApproval", order, by="planner")
        return plan_id

    def running(self) -> tuple[str, str]:
        """With its first step."""
        plan_id = self.draft()
        self.call("plans.activate", {"planId": plan_id})
        return plan_id, str(self.call("executionPlans.get", {"id": plan_id})["steps"][0]["id"])

    def gate(self, status: str = "REVIEW", **more: str) -> tuple[str, str, str]:
        """A plan whose first step waits at a gate, the step, and the gate."""
        plan_id, step_id = self.running()
        self.call("executionPlans.transitionStep", {"stepId": step_id, "status": status})
        order = {"targetType": "execution-step", "targetId": step_id, "prompt": "Is it right?", **more}
        return plan_id, step_id, str(self.call("reviewGates.open", order)["id"])

    def stopped(self, **gate: str) -> str:
        """A plan that was stopped; with a gate if that is said."""
        plan_id, _ = self.running()
        self.call("executionPlans.transition", {"id": plan_id, "status": "BLOCKED"})
        if gate:
            order = {"targetType": "execution-plan", "targetId": plan_id, "prompt": "Go on?", **gate}
            self.call("reviewGates.open", order)
        return plan_id

    def planned_run(self) -> Arguments:
        body = {"intent": "ANALYZE", "action": "workspace.get", "context": {**RUN, "planned": True}}
        self.call("gateway.execute", body, by="asked")
        return {**RUN}

    def another_plan(self) -> str:
        return str(self.call("executionPlans.create", {"title": "Another way"})["id"])


def a_court(stage: Stage) -> Court:
    crew = stage.a_crew("PLANNER", "WORKER", "REVIEWER", "OPERATOR_PROXY")
    other = stage.a_crew("OPERATOR_PROXY")
    stage.call("agentCrews.update", {"id": crew["id"], "maxParallel": 0})
    of = {one["role"]: one for one in crew["members"]}
    agents = {
        "planner": of["PLANNER"]["agentId"],
        "worker": of["WORKER"]["agentId"],
        "proxy": of["OPERATOR_PROXY"]["agentId"],
        "reviewer": of["REVIEWER"]["agentId"],
        "stranger": stage.an_agent(),
        "foreign proxy": other["members"][0]["agentId"],
    }
    world, owner_id = stage.world, stage.owner_id()
    asked_id, bystander_id = stage.a_member(), stage.a_member()
    elsewhere = Narrowing(project_ids=frozenset({stage.a_project()}))
    keys = {name: stage.agent_key(agent_id) for name, agent_id in agents.items()}
    keys |= {
        "owner": world.owner_key(),
        "asked": world.a_key(user_id=asked_id, role=Role.MEMBER),
        "bystander": world.a_key(user_id=bystander_id, role=Role.MEMBER),
        "narrowed": world.a_key(user_id=owner_id, narrowing=elsewhere),
        "readonly": world.a_key(user_id=owner_id, scopes=READING),
    }
    keys["run"] = _key_of_a_run(stage, keys["worker"])
    members = {role: one["id"] for role, one in of.items()}
    goal = stage.call("goals.create", {"title": "Ship the importer", "crewId": crew["id"]})
    return Court(stage, keys, agents, {"id": crew["id"]}, members, asked_id, str(goal["id"]))


def _key_of_a_run(stage: Stage, agents_key: str) -> str:
    """Of a program that works on an issue for its agent."""
    issue_id = stage.call("issues.create", {"title": "Its own"})["id"]
    run_id = stage.call("issues.claim", {"issueId": issue_id}, key=agents_key)["runId"]
    return str(stage.call("agents.sessionKey", {"runId": run_id}, key=agents_key)["rawKey"])
