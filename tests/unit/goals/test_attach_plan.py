"""A plan that was made apart becomes an attempt at a goal."""

from tests.workshop.office import Office
from tests.workshop.plans import a_loop, a_step


def a_plan(office: Office) -> str:
    made = office.call("executionPlans.create", {"title": "Another way", "steps": [a_step()]})
    return str(made["id"])


def test_a_plan_that_counts_from_now_on_ends_the_attempt_before_it(office: Office) -> None:
    loop = a_loop(office)
    before, _ = loop.running(a_step())
    plan_id = a_plan(office)

    office.call("goals.attachPlan", {"goalId": loop.goal_id, "planId": plan_id, "makeActive": True})
    office.call("goals.attachPlan", {"goalId": loop.goal_id, "planId": plan_id, "makeActive": True})

    goal = loop.goal()
    assert (goal["status"], goal["aggregate"]["activePlanId"]) == ("PLANNING", plan_id)
    assert {one["id"]: one["status"] for one in goal["plans"]} == {before: "CANCELED", plan_id: "DRAFT"}
    assert loop.told("ISSUE_UPDATED").count({"goalId": loop.goal_id, "isActiveAttempt": True}) == 1


def test_a_plan_of_another_goal_or_one_that_is_over_is_a_conflict(office: Office) -> None:
    loop = a_loop(office)
    of_loop, _ = loop.plan(a_step())
    over = a_plan(office)
    office.call("executionPlans.transition", {"id": over, "status": "CANCELED"})
    goal_id = office.call("goals.create", {"title": "Another"})["id"]

    for plan_id in (of_loop, over):
        assert office.refused("goals.attachPlan", {"goalId": goal_id, "planId": plan_id})[0] == 409
    assert office.refused("goals.attachPlan", {"goalId": goal_id, "planId": "plan_000000"})[0] == 404
    assert office.call("goals.get", {"id": goal_id})["plans"] == []


def test_the_goals_crew_carries_it_out_on_the_goals_issue_within_its_budget(office: Office) -> None:
    loop = a_loop(office, with_issue=True, maxTotalCostUsd=5)
    plan_id = a_plan(office)

    office.call("goals.attachPlan", {"goalId": loop.goal_id, "planId": plan_id, "makeActive": True})
    office.call("plans.activate", {"planId": plan_id})

    plan = office.call("executionPlans.get", {"id": plan_id})
    (crew,) = office.rows("agentCrews.list")
    (run,) = office.rows("runs.list", {"agentId": loop.worker})
    assert (plan["crewId"], plan["issueId"], plan["maxTotalCostUsd"]) == (loop.crew_id, loop.issue_id, 5)
    assert plan["steps"][0]["assignedAgentId"] == loop.worker
    assert run["status"] == "ACTIVE"
    assert crew["_count"]["plans"] == 1


def test_what_runs_already_keeps_who_carries_it_out(office: Office) -> None:
    loop = a_loop(office, with_issue=True)
    plan_id = a_plan(office)
    office.call("plans.activate", {"planId": plan_id})

    office.call("goals.attachPlan", {"goalId": loop.goal_id, "planId": plan_id, "makeActive": True})

    plan = office.call("executionPlans.get", {"id": plan_id})
    assert (plan["status"], plan["crewId"], plan["issueId"]) == ("RUNNING", None, None)
