"""The loop: a goal is broken into steps, they are approved, carried out, judged, and the goal is achieved."""

import json

from tests.workshop.office import Office
from tests.workshop.plans import a_loop, a_step


def test_a_goal_is_achieved_step_by_step(office: Office) -> None:
    loop = a_loop(office)

    plan_id, (first, second) = loop.running(
        a_step("Design schema", expectedOutput="schema.sql"), a_step("Migrate", 0)
    )
    begun = loop.steps(plan_id)
    loop.move(first, "RUNNING")
    loop.move(first, "REVIEW")
    loop.judge(first)
    then = loop.steps(plan_id)
    loop.move(second, "RUNNING")
    loop.judge(second)

    goal = loop.goal()
    assert (begun, then) == (["READY", "TODO"], ["DONE", "READY"])
    assert (goal["status"], goal["plans"][0]["status"]) == ("ACHIEVED", "COMPLETED")
    assert goal["aggregate"] == {"activePlanId": plan_id, "totalSteps": 2, "doneSteps": 2, "blockedSteps": 0}
    assert loop.woken("EXECUTION_STEP_READY") == [loop.worker, loop.reviewer, loop.worker]
    assert [one["to"] for one in loop.told("GOAL_STATUS_CHANGED")] == ["PLANNING", "ACTIVE", "ACHIEVED"]
    assert office.rows("agentCrews.list")[0]["_count"]["plans"] == 0


def test_a_run_for_a_step_begins_and_its_end_brings_the_step_to_its_judge(office: Office) -> None:
    loop = a_loop(office, with_issue=True)
    plan_id, (step_id,) = loop.running(a_step("Design schema"))
    (run,) = loop.runs()

    report = {"runId": run["id"], "summary": "Designed."}
    office.call("runs.complete", report, key=office.an_agents_key(loop.worker))

    (step,) = office.call("executionPlans.get", {"id": plan_id})["steps"]
    assert (run["agent"]["id"], run["currentStep"], run["status"]) == (loop.worker, "Design schema", "ACTIVE")
    assert (step["status"], step["sourceRunId"]) == ("REVIEW", run["id"])
    asked = loop.told("EXECUTION_STEP_READY")[-1]
    assert asked["phase"] == "judge"
    assert f'plans.recordVerdict {{"stepId": "{step_id}"' in asked["prompt"]
    assert loop.woken("EXECUTION_STEP_READY") == [loop.worker, loop.reviewer]


def test_a_step_that_failed_is_given_out_again_with_what_was_wrong_and_stops_at_the_third_time(
    office: Office,
) -> None:
    loop = a_loop(office, with_issue=True)
    plan_id, (step_id,) = loop.running(a_step())
    outcomes = []

    for _ in range(3):
        loop.move(step_id, "REVIEW")
        outcomes.append(loop.judge(step_id, "FAIL"))

    (step,) = office.call("executionPlans.get", {"id": plan_id})["steps"]
    assert outcomes == [
        {"outcome": "RETRY", "retryCount": 1},
        {"outcome": "RETRY", "retryCount": 2},
        {"outcome": "BLOCKED", "retryCount": 2},
    ]
    assert (step["status"], step["lastFeedback"]) == ("BLOCKED", "I looked at it.")
    opened = [row for row in office.log() if row.subject_type == "review-gate"]
    assert [row.subject_id for row in opened] == [step["gateId"]]
    assert [run["status"] for run in loop.runs(agentId=loop.worker)] == ["ABANDONED"]
    assert (
        office.refused("plans.recordVerdict", {"stepId": step_id, "verdict": "PASS", "feedback": "ok"})[0]
        == 409
    )


def test_a_yes_to_the_approval_lets_the_plan_run_in_the_same_moment(office: Office) -> None:
    loop = a_loop(office, with_issue=True)
    plan_id, _ = loop.plan(a_step("Design schema"), a_step("Migrate", 0))

    asked = office.call("plans.requestApproval", {"planId": plan_id})["actionRequestId"]
    (card,) = office.rows("actionRequests.list", {"id": asked, "include": ["card"]})
    answer = office.call("actionRequests.accept", {"id": asked, "shownHash": card["shownHash"]})

    assert (card["sourceType"], card["sourceId"]) == ("execution-plan", plan_id)
    assert "2. Migrate (after 1)" in card["effect"]
    assert answer == {"id": asked, "dispatched": True}
    assert loop.steps(plan_id) == ["READY", "TODO"]
    assert loop.goal()["status"] == "ACTIVE"


def test_a_yes_to_steps_that_changed_or_to_an_attempt_that_was_replaced_is_refused(office: Office) -> None:
    loop = a_loop(office)
    plan_id, _ = loop.plan(a_step())
    changed = office.call("plans.requestApproval", {"planId": plan_id})["actionRequestId"]
    office.call("plans.addSteps", {"planId": plan_id, "steps": [a_step("One more")]})
    replaced = office.call("plans.requestApproval", {"planId": plan_id})["actionRequestId"]
    office.call("plans.decompose", {"goalId": loop.goal_id})

    refusals = [office.refused("actionRequests.accept", {"id": one}) for one in (changed, replaced)]

    assert [status for status, *_ in refusals] == [409, 409]
    assert loop.steps(plan_id) == ["TODO", "TODO"]
    assert office.rows("actionRequests.list", {"status": "OPEN"}) == []


def test_a_crew_does_one_step_at_a_time_over_all_its_plans_and_the_next_plan_gets_the_place(
    office: Office,
) -> None:
    loop = a_loop(office)
    other = loop._replace(
        goal_id=office.call("goals.create", {"title": "Another", "crewId": loop.crew_id})["id"]
    )
    first, (step_id,) = loop.running(a_step())
    second, _ = other.running(a_step())
    waiting = loop.steps(second)

    loop.move(step_id, "REVIEW")
    office.sweep()

    assert (waiting, loop.steps(first), loop.steps(second)) == (["TODO"], ["REVIEW"], ["READY"])


def test_giving_a_goal_up_cancels_at_once_and_ends_the_runs_right_after(office: Office) -> None:
    loop = a_loop(office, max_parallel=0, with_issue=True)
    plan_id, _ = loop.running(*[a_step(f"Step {one}") for one in range(25)])
    office.sweep()

    office.call("goals.abandon", {"id": loop.goal_id, "reason": "No need."})
    at_once = loop.steps(plan_id)
    office.sweep()

    runs = loop.runs()
    assert set(at_once) == set(loop.steps(plan_id)) == {"CANCELED"}
    assert {one["status"] for one in runs} == {"ABANDONED"}
    assert loop.told("GOAL_STATUS_CHANGED")[-1] == {"from": "ACTIVE", "to": "ABANDONED", "reason": "No need."}
    assert office.refused("goals.abandon", {"id": loop.goal_id})[0] == 409
    assert json.dumps(office.rows("agentCrews.list")[0]["_count"]) == '{"members": 3, "plans": 0}'


def test_a_planner_does_not_approve_of_its_own_plan(office: Office) -> None:
    loop = a_loop(office)
    plan_id, _ = loop.plan(a_step())
    key = office.an_agents_key(loop.planner)

    assert office.refused("plans.activate", {"planId": plan_id}, key=key)[:2] == (403, "forbidden")
    moved = {"id": plan_id, "status": "APPROVED"}
    assert office.refused("executionPlans.transition", moved, key=key)[:2] == (403, "forbidden")


def test_without_a_reviewer_one_gate_opens_for_people_and_a_verdict_closes_it(office: Office) -> None:
    loop = a_loop(office, reviewer=False)
    _plan_id, (step_id,) = loop.running(a_step())

    loop.move(step_id, "REVIEW")
    asked = office.call("plans.judge", {"stepId": step_id})
    loop.judge(step_id)

    gates = [row.payload["action"] for row in office.log() if row.subject_type == "review-gate"]
    assert (asked, gates) == ({"judgeAgentId": None}, ["opened", "closed"])


def test_a_narrowed_key_sees_only_goals_and_plans_of_its_issues(office: Office) -> None:
    loop = a_loop(office)
    plan_id, _ = loop.plan(a_step())
    key = office.a_narrowed_key(label_ids=["lbl_1"])

    assert (office.rows("goals.list", key=key), office.rows("executionPlans.list", key=key)) == ([], [])
    assert office.refused("goals.get", {"id": loop.goal_id}, key=key)[0] == 403
    assert office.refused("executionPlans.get", {"id": plan_id}, key=key)[0] == 403
    assert [one["id"] for one in office.rows("goals.list")] == [loop.goal_id]
    assert [one["_count"]["steps"] for one in office.rows("executionPlans.list")] == [1]
