"""Each decomposition is a new attempt, with its planner called; the one before it ends."""

from tests.workshop.office import Office
from tests.workshop.plans import a_loop, a_step


def test_the_contracts_answer_names_the_plan_and_the_crews_planner_who_is_woken(office: Office) -> None:
    loop = a_loop(office)

    answer = office.call("plans.decompose", {"goalId": loop.goal_id})

    (called,) = [row for row in office.log() if row.payload.get("action") == "decompose"]
    assert answer | {"status": "PLANNING", "plannerAgentId": loop.planner} == answer
    assert called.subject_id == answer["planId"]
    assert [wake.agent_id for wake in called.wakes] == [loop.planner]
    assert called.payload["goalTitle"] == "Ship the importer"


def test_a_planner_is_whom_the_caller_names_else_the_caller_else_nobody(office: Office) -> None:
    goal = {"goalId": office.call("goals.create", {"title": "Without a crew"})["id"]}
    named, calling = office.an_agent("named")["id"], office.an_agent("calling")["id"]
    key = office.an_agents_key(calling)

    answers = [
        office.call("plans.decompose", {**goal, "plannerAgentId": "named"}, key=key),
        office.call("plans.decompose", goal, key=key),
        office.call("plans.decompose", goal),
    ]

    assert [one["plannerAgentId"] for one in answers] == [named, calling, None]
    assert office.refused("plans.decompose", {**goal, "plannerAgentId": "nobody"}) == (
        400,
        "invalid_input",
        {"plannerAgentId"},
    )


def test_what_runs_is_canceled_by_the_next_attempt_and_a_draft_is_put_aside(office: Office) -> None:
    loop = a_loop(office)
    draft, _ = loop.plan(a_step())
    running, _ = loop.running(a_step())

    office.call("plans.decompose", {"goalId": loop.goal_id})

    plans = {one["id"]: (one["status"], one["isActiveAttempt"]) for one in loop.goal()["plans"]}
    assert (plans[draft], plans[running]) == (("DRAFT", False), ("CANCELED", False))
    assert office.refused("plans.activate", {"planId": draft})[0] == 409
