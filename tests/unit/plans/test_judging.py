"""A step is judged once for each time that it was done."""

import pytest

from tests.workshop.office import Office
from tests.workshop.plans import a_loop, a_step


def test_the_contracts_example_passes_a_step_and_keeps_the_verdict(office: Office) -> None:
    loop = a_loop(office)
    plan_id, (step_id,) = loop.running(a_step())
    loop.move(step_id, "REVIEW")
    key = office.an_agents_key(loop.reviewer)
    said = {"stepId": step_id, "verdict": "PASS", "feedback": "meets the contract", "score": 0.95}

    answer = office.call("plans.recordVerdict", said, key=key)

    (step,) = office.call("executionPlans.get", {"id": plan_id})["steps"]
    verdict = step["judgeVerdict"]
    assert answer == {"outcome": "DONE", "retryCount": 0}
    assert set(verdict) == {"verdict", "feedback", "score", "judgedByAgentId", "judgedAt"}
    assert (verdict["feedback"], verdict["judgedByAgentId"]) == ("meets the contract", loop.reviewer)
    assert loop.told("EXECUTION_STEP_JUDGED")[0]["outcome"] == "DONE"


def test_of_two_verdicts_at_once_one_counts(office: Office) -> None:
    loop = a_loop(office)
    plan_id, (step_id,) = loop.running(a_step())
    loop.move(step_id, "REVIEW")
    failing = {"stepId": step_id, "verdict": "FAIL", "feedback": "No."}

    office.meanwhile(lambda: loop.judge(step_id))
    refused = office.refused("plans.recordVerdict", failing)

    assert refused[:2] == (409, "conflict")
    assert loop.steps(plan_id) == ["DONE"]
    assert [one["verdict"] for one in loop.told("EXECUTION_STEP_JUDGED")] == ["PASS"]


def test_a_verdict_repeated_after_the_retry_began_is_a_conflict(office: Office) -> None:
    loop = a_loop(office)
    plan_id, (step_id,) = loop.running(a_step())
    failed = {"stepId": step_id, "verdict": "FAIL", "feedback": "No."}
    assert office.refused("plans.recordVerdict", failed)[0] == 409
    loop.move(step_id, "REVIEW")

    assert office.call("plans.recordVerdict", failed) == {"outcome": "RETRY", "retryCount": 1}

    assert office.refused("plans.recordVerdict", failed)[0] == 409
    assert loop.told("EXECUTION_STEP_READY")[-1]["lastFeedback"] == "No."
    assert loop.steps(plan_id) == ["READY"]


def test_a_failed_step_of_a_plan_that_was_stopped_waits_and_goes_on_with_the_plan(office: Office) -> None:
    loop = a_loop(office)
    plan_id, (step_id,) = loop.running(a_step())
    loop.move(step_id, "REVIEW")
    office.call("executionPlans.transition", {"id": plan_id, "status": "BLOCKED"})

    outcome = loop.judge(step_id, "FAIL")["outcome"]
    waiting = loop.steps(plan_id)
    office.call("executionPlans.transition", {"id": plan_id, "status": "RUNNING"})

    assert (outcome, waiting, loop.steps(plan_id)) == ("RETRY", ["TODO"], ["READY"])


def test_a_judge_is_called_by_name_and_has_to_be_there(office: Office, other_office: Office) -> None:
    loop = a_loop(office)
    _, (step_id,) = loop.running(a_step())
    loop.move(step_id, "REVIEW")
    other = office.an_agent("second-reviewer")["id"]
    stranger = other_office.an_agent()["id"]

    asked = office.call("plans.judge", {"stepId": step_id, "judgeAgentId": "second-reviewer"})

    assert asked == {"judgeAgentId": other}
    assert loop.woken("EXECUTION_STEP_READY")[-1] == other
    for judge in (stranger, "nobody"):
        refused = office.refused("plans.judge", {"stepId": step_id, "judgeAgentId": judge})
        assert refused == (400, "invalid_input", {"judgeAgentId"})
    assert office.refused("plans.judge", {"stepId": "step_000000"})[0] == 404


def test_an_agent_does_not_pass_its_own_step_where_its_crew_has_another_reviewer(office: Office) -> None:
    loop = a_loop(office)
    plan_id, (step_id,) = loop.running(a_step())
    loop.move(step_id, "RUNNING")
    key = office.an_agents_key(loop.worker)
    said = {"stepId": step_id, "verdict": "PASS", "feedback": "I am content."}

    appointed = {"stepId": step_id, "judgeAgentId": loop.worker}
    for owner in (key, office.owner_key):
        assert office.refused("plans.judge", appointed, key=owner)[:2] == (403, "forbidden")
    for verdict in ("PASS", "FAIL"):
        order = {**said, "verdict": verdict}
        assert office.refused("plans.recordVerdict", order, key=key)[:2] == (403, "forbidden")
    assert loop.steps(plan_id) == ["RUNNING"]


def test_a_verdict_is_for_who_was_called_for_reviewers_and_for_people(office: Office) -> None:
    loop = a_loop(office)
    _, (step_id,) = loop.running(a_step())
    loop.move(step_id, "REVIEW")
    other = office.an_agent("other")["id"]
    said, key = {"stepId": step_id, "verdict": "FAIL", "feedback": "No."}, office.an_agents_key(other)

    uncalled = office.refused("plans.recordVerdict", said, key=key)
    itself = office.refused("plans.judge", {"stepId": step_id, "judgeAgentId": other}, key=key)
    office.call("plans.judge", {"stepId": step_id, "judgeAgentId": other})
    called = office.call("plans.recordVerdict", said, key=key)
    loop.move(step_id, "REVIEW")
    afterwards = office.refused("plans.recordVerdict", said, key=key)

    assert (uncalled[:2], itself[:2], afterwards[:2]) == ((403, "forbidden"),) * 3
    assert called["outcome"] == "RETRY"
    assert loop.judge(step_id, key=office.an_agents_key(loop.reviewer))["outcome"] == "DONE"


def test_an_agent_ends_no_step_that_is_judged_and_moves_none_away_from_its_gate(office: Office) -> None:
    loop = a_loop(office, reviewer=False)
    plan_id, (step_id,) = loop.running(a_step())
    key = office.an_agents_key(loop.worker)
    move = {"stepId": step_id, "status": "REVIEW"}
    office.call("executionPlans.transitionStep", move, key=key)

    for status in ("DONE", "CANCELED", "RUNNING"):
        order = {**move, "status": status}
        assert office.refused("executionPlans.transitionStep", order, key=key)[:2] == (403, "forbidden")
    canceled = {"id": plan_id, "status": "CANCELED"}
    assert office.refused("executionPlans.transition", canceled, key=key)[:2] == (403, "forbidden")
    assert loop.steps(plan_id) == ["REVIEW"]
    assert [one["status"] for one in office.rows("reviewGates.list")] == ["PENDING"]


@pytest.mark.parametrize("gone", ["archived", "none"])
def test_where_nobody_else_can_judge_it_may_and_that_is_said(office: Office, gone: str) -> None:
    loop = a_loop(office, reviewer=gone == "archived")
    plan_id, (step_id,) = loop.running(a_step())
    loop.move(step_id, "RUNNING")
    if gone == "archived":
        office.call("agents.archive", {"id": loop.reviewer})

    key = office.an_agents_key(loop.worker)

    office.call("plans.judge", {"stepId": step_id, "judgeAgentId": loop.worker}, key=key)
    answer = loop.judge(step_id, key=key)

    (step,) = office.call("executionPlans.get", {"id": plan_id})["steps"]
    assert answer == {"outcome": "DONE", "retryCount": 0, "selfJudged": True}
    assert step["judgeVerdict"]["selfJudged"] is True


def test_a_reviewer_who_did_a_step_neither_judges_nor_passes_it_where_there_is_another(
    office: Office,
) -> None:
    loop = a_loop(office)
    _, (step_id,) = loop.running(a_step(assignedAgentId=loop.reviewer))
    second = office.an_agent("second")["id"]
    office.call("agentCrews.addMember", {"crewId": loop.crew_id, "agentId": second, "role": "REVIEWER"})

    loop.move(step_id, "REVIEW")

    assert loop.told("EXECUTION_STEP_READY")[-1]["judgeAgentId"] == second
    assert office.call("plans.judge", {"stepId": step_id}) == {"judgeAgentId": second}
    said = {"stepId": step_id, "verdict": "PASS", "feedback": "I am content."}
    own = office.refused("plans.recordVerdict", said, key=office.an_agents_key(loop.reviewer))
    assert own[:2] == (403, "forbidden")
    assert loop.judge(step_id, key=office.an_agents_key(second))["outcome"] == "DONE"
