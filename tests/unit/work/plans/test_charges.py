"""Plans and goals are charged for what runs cost, and stop where that is more than they may."""

from forge.work.plans.plans import PlanCostItem
from tests.workshop.office import Body, Office
from tests.workshop.plans import Loop, a_loop, a_step


def test_what_runs_cost_is_added_up_exactly_and_corrections_count(office: Office) -> None:
    loop = a_loop(office, with_issue=True, max_parallel=0)
    plan_id, _ = loop.running(a_step("One"), a_step("Two"), a_step("Three"))
    first, second, third = _runs(loop)

    for run, cost in ((first, 0.1), (second, 0.2), (third, 5), (third, 0.0001)):
        _report(loop, run, cost)

    assert _costs(loop, plan_id) == (0.3001, 0.3001)


def test_a_run_for_no_step_charges_nobody(office: Office) -> None:
    loop = a_loop(office, with_issue=True, maxTotalCostUsd=1)
    plan_id, _ = loop.running(a_step())
    issue_id = office.call("issues.create", {"title": "Alone"})["id"]
    office.call("issues.assign", {"issueId": issue_id, "agentId": loop.worker})
    (run,) = office.rows("runs.list", {"issueId": issue_id})

    _report(loop, run["id"], 7)

    assert _costs(loop, plan_id) == (0, 0)


def test_a_plan_that_cost_more_than_it_may_is_blocked_once_and_people_are_asked(office: Office) -> None:
    loop = a_loop(office, with_issue=True, maxTotalCostUsd=5)
    plan_id, _ = loop.running(a_step())
    (run,) = _runs(loop)

    _report(loop, run, 5)
    reached = _status(loop, plan_id)
    _report(loop, run, 5.5)
    _report(loop, run, 6)

    (gate,) = office.rows("reviewGates.list", {"status": "PENDING"})
    (told,) = loop.told("PLAN_BUDGET_EXCEEDED")
    assert (reached, _status(loop, plan_id)) == ("RUNNING", "BLOCKED")
    assert (gate["targetType"], gate["targetId"], gate["crewId"]) == ("execution-plan", plan_id, loop.crew_id)
    reason = told.pop("reason")
    assert told.pop("goalId") == loop.goal_id
    assert told == {"totalCostUsd": 5.5, "maxTotalCostUsd": 5, "maxWallTimeMinutes": None}
    assert gate["prompt"].startswith(reason)


def test_the_cost_told_with_the_end_of_a_run_counts_as_well(office: Office) -> None:
    loop = a_loop(office, with_issue=True, maxTotalCostUsd=5)
    plan_id, _ = loop.running(a_step())
    (run,) = _runs(loop)
    _report(loop, run, 2)

    report = {"runId": run, "summary": "Done.", "usage": {"costUsd": 5.25}}
    office.call("runs.complete", report, key=office.an_agents_key(loop.worker), idempotency_key="once")

    assert _costs(loop, plan_id) == (5.25, 5.25)
    assert (_status(loop, plan_id), loop.steps(plan_id)) == ("BLOCKED", ["REVIEW"])


def test_a_yes_gives_as_much_again_and_the_plan_goes_on(office: Office) -> None:
    loop = a_loop(office, with_issue=True, maxTotalCostUsd=5)
    plan_id, (first, _) = loop.running(a_step("One"), a_step("Two", 0))
    (run,) = _runs(loop)
    _report(loop, run, 6)
    loop.move(first, "DONE")
    stopped = loop.steps(plan_id)

    _decide(loop, "APPROVED")

    plan = office.call("executionPlans.get", {"id": plan_id})
    assert (stopped, loop.steps(plan_id)) == (["DONE", "TODO"], ["DONE", "READY"])
    assert (plan["status"], plan["maxTotalCostUsd"], loop.goal()["maxTotalCostUsd"]) == ("RUNNING", 10, 10)
    _report(loop, run, 10.5)
    assert _status(loop, plan_id) == "BLOCKED"
    _decide(loop, "APPROVED")
    assert office.call("executionPlans.get", {"id": plan_id})["maxTotalCostUsd"] == 15


def test_a_no_to_more_money_cancels_the_plan(office: Office) -> None:
    loop = a_loop(office, with_issue=True, maxTotalCostUsd=5)
    plan_id, _ = loop.running(a_step())
    (run,) = _runs(loop)
    _report(loop, run, 6)

    _decide(loop, "REJECTED")
    office.sweep()

    assert (_status(loop, plan_id), loop.goal()["status"]) == ("CANCELED", "OPEN")
    assert office.rows("runs.list", {"issueId": loop.issue_id})[0]["status"] == "ABANDONED"
    assert office.rows("reviewGates.list", {"status": "PENDING"}) == []


def test_the_cap_of_a_goal_is_one_for_all_attempts(office: Office) -> None:
    loop = a_loop(office, with_issue=True, maxTotalCostUsd=5)
    loop.running(a_step())
    (old,) = _runs(loop)
    _report(loop, old, 4)
    second, _ = loop.running(a_step())
    office.sweep()
    new = _runs(loop)[-1]

    _report(loop, new, 1.5)

    assert _costs(loop, second) == (1.5, 5.5)
    (told,) = loop.told("PLAN_BUDGET_EXCEEDED")
    assert (_status(loop, second), told["totalCostUsd"]) == ("BLOCKED", 5.5)


def test_a_plan_whose_time_is_over_is_blocked_by_the_sweep_and_gets_as_long_again(office: Office) -> None:
    loop = a_loop(office, maxWallTimeMinutes=60)
    plan_id, _ = loop.running(a_step())
    office.world.clock.advance(minutes=60)
    office.sweep()
    in_time = _status(loop, plan_id)
    office.world.clock.advance(seconds=2)
    office.sweep()
    too_late = _status(loop, plan_id)

    office.world.clock.advance(minutes=30)
    _decide(loop, "APPROVED")
    office.world.clock.advance(minutes=59)
    office.sweep()

    assert (in_time, too_late, _status(loop, plan_id)) == ("RUNNING", "BLOCKED", "RUNNING")


def test_a_person_who_lets_a_plan_go_on_by_hand_is_not_overruled_by_the_sweep(office: Office) -> None:
    loop = a_loop(office, with_issue=True, maxTotalCostUsd=1, maxWallTimeMinutes=60)
    plan_id, _ = loop.running(a_step())
    tx = office.begin()
    tx.adjust(PlanCostItem.at(office.workspace.id, plan_id), add={"total_cost_usd": 2.5})
    office.commit(tx)
    office.world.clock.advance(minutes=61)
    office.sweep()
    stopped = _status(loop, plan_id)

    office.call("executionPlans.transition", {"id": plan_id, "status": "RUNNING"})
    office.world.clock.advance(minutes=30)
    office.sweep()

    plan = office.call("executionPlans.get", {"id": plan_id})
    assert (stopped, plan["status"], plan["maxTotalCostUsd"]) == ("BLOCKED", "RUNNING", 3)
    assert office.rows("reviewGates.list", {"status": "PENDING"}) == []


def test_what_nobody_lived_to_look_at_is_seen_by_the_sweep(office: Office) -> None:
    """As if the process had ended between what was added and the look at it."""
    loop = a_loop(office, with_issue=True, maxTotalCostUsd=5)
    plan_id, _ = loop.running(a_step())
    tx = office.begin()
    tx.adjust(PlanCostItem.at(office.workspace.id, plan_id), add={"total_cost_usd": 6})
    office.commit(tx)

    office.sweep()
    before = _status(loop, plan_id)
    office.world.clock.advance(minutes=11)
    office.sweep()

    assert (before, _status(loop, plan_id)) == ("RUNNING", "BLOCKED")
    (gate,) = office.rows("reviewGates.list", {"status": "PENDING"})
    assert office.call("executionPlans.get", {"id": plan_id})["gateId"] == gate["id"]


def test_a_plan_that_does_not_get_on_is_told_once_after_each_change(office: Office) -> None:
    loop = a_loop(office)
    _, (first, _) = loop.running(a_step("One"), a_step("Two", 0))

    def looked_at() -> list[str]:
        office.world.clock.advance(minutes=20)
        office.sweep()
        office.world.clock.advance(minutes=20)
        office.sweep()
        return [one["reasonCode"] for one in loop.told("PLAN_STALLED")]

    at_work = looked_at()
    loop.move(first, "BLOCKED")
    blocked = looked_at()
    loop.move(first, "CANCELED")

    assert (at_work, blocked) == ([], ["no_progress_path"])
    assert looked_at() == ["no_progress_path", "no_progress_path"]


def _runs(loop: Loop) -> list[str]:
    """The worker's, the oldest first."""
    return [one["id"] for one in reversed(loop.runs(agentId=loop.worker))]


def _report(loop: Loop, run_id: str, cost: float) -> Body:
    key = loop.office.an_agents_key(loop.worker)
    return loop.office.call("runs.recordUsage", {"runId": run_id, "costUsd": cost}, key=key)


def _costs(loop: Loop, plan_id: str) -> tuple[float, float]:
    plan = loop.office.call("executionPlans.get", {"id": plan_id})
    return plan["totalCostUsd"], loop.goal()["totalCostUsd"]


def _status(loop: Loop, plan_id: str) -> str:
    return str(loop.office.call("executionPlans.get", {"id": plan_id})["status"])


def _decide(loop: Loop, decision: str) -> None:
    (gate,) = loop.office.rows("reviewGates.list", {"status": "PENDING"})
    loop.office.call("reviewGates.resolve", {"id": gate["id"], "decision": decision})
