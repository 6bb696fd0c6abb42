"""The sweep tells what it declares, with the payloads that it says, and nothing else."""

from forge.store.connections import Connections
from forge.testing.github import FakeGitHub
from forge.work.background.watchdogs.emits import EMITS
from tests.contract.test_emitted import declared_as
from tests.unit.backlog.github.workshop import Workshop
from tests.unit.work.background.watchdogs.offices import an_online_agent, given, later, set_up
from tests.workshop.issues import an_issue
from tests.workshop.office import Office

REDISPATCHING = {
    "assignmentSlaMinutes": 45,
    "autoRedispatchOnStall": True,
    "autoDispatch": True,
    "autoDispatchMode": "ROUND_ROBIN",
}


def test_what_the_sweep_tells_is_declared_and_what_is_declared_is_told(
    office: Office, connections: Connections
) -> None:
    _a_lock_on_github(office, connections)
    set_up(office, slaEnforcementEnabled=True, assignmentSlaMinutes=45, requiredAckSeconds=60)
    agent_id = an_online_agent(office, maxConcurrent=0)
    key = office.an_agents_key(agent_id)
    an_issue(office, slaMinutes=10)
    ignored, told = given(office, agent_id)
    tx = office.begin()
    tx.replace(told.changed(ack_due_at=office.world.clock()))
    office.commit(tx)
    office.call("issues.claim", {"issueId": ignored, "claimTtlMinutes": 1440}, key=key)
    for _ in range(3):
        later(office, minutes=20)
    later(office, hours=24)
    an_online_agent(office, "other", templateMarkdown="# Goal")
    office.call("issues.queue", {"id": ignored})
    set_up(office, **REDISPATCHING)
    later(office, hours=2)
    office.call("workspaces.update", {"agentIdleTimeoutMinutes": 1})
    _a_plan(office, maxWallTimeMinutes=5)
    _a_plan(office, is_stopped=True)
    asked = office.call("actionRequests.create", {"title": "May I?"})["id"]
    office.call("actionRequests.transition", {"id": asked, "status": "SNOOZED"})
    later(office, hours=1)
    later(office, days=1)

    rows = [row for row in office.log() if row.tool == "sweep" and row.kind]

    seen = set()
    for row in rows:
        (emission,) = declared_as(EMITS, row.model_dump())
        emission.told.model_validate(row.payload)
        seen.add(emission)
    assert seen == set(EMITS)


def _a_lock_on_github(office: Office, connections: Connections) -> None:
    with FakeGitHub(now=office.world.clock) as github:
        workshop = Workshop(office, github, connections)
        workshop.an_issue()
        workshop.session().taken()


def _a_plan(office: Office, *, is_stopped: bool = False, **caps: int) -> None:
    """One that runs, with a step that is at work, or can't go on."""
    goal_id = office.call("goals.create", {"title": "Ship", **caps})["id"]
    plan_id = office.call("plans.decompose", {"goalId": goal_id})["planId"]
    added = office.call("plans.addSteps", {"planId": plan_id, "steps": [{"title": "Do it"}]})
    office.call("plans.activate", {"planId": plan_id})
    if is_stopped:
        moved = {"stepId": added["stepIds"][0], "status": "BLOCKED"}
        office.call("executionPlans.transitionStep", moved)
