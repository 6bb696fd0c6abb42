"""Many who act on one plan at the same moment."""

from collections import Counter
from threading import Barrier, Lock

import pytest

from forge.testing.faults import Fault, FaultAt, ProcessDied
from forge.testing.instruments import watched
from forge.work.background.continuations.going_on import go_on
from forge.work.background.sweep import sweep
from forge.work.background.sweep.sweep import Sweep
from forge.work.plans.plans import PlanItem
from forge.work.workspace.workers import Worker
from tests.integration.races.crowds import at_once
from tests.workshop.interference import COMMIT, Interference, only
from tests.workshop.office import Office
from tests.workshop.plans import a_loop, a_step


def test_of_ten_who_accept_a_plan_at_once_one_lets_it_run(office: Office) -> None:
    loop = a_loop(office, with_issue=True)
    plan_id, _ = loop.plan(a_step(), a_step("Then", 0))
    asked = office.call("plans.requestApproval", {"planId": plan_id})["actionRequestId"]

    answers = at_once(10, lambda place: office.send("actionRequests.accept", {"id": asked}))

    assert Counter(one.status for one in answers) == {200: 1, 409: 9}
    assert len(loop.told("EXECUTION_STEP_READY")) == 1
    assert len(loop.runs()) == 1


def test_of_ten_verdicts_at_once_one_counts(office: Office) -> None:
    loop = a_loop(office)
    plan_id, (step_id, _) = loop.running(a_step(), a_step("Then", 0))
    loop.move(step_id, "REVIEW")

    def judge(place: int) -> int:
        verdict = "PASS" if place % 2 else "FAIL"
        said = {"stepId": step_id, "verdict": verdict, "feedback": "I looked at it."}
        return office.send("plans.recordVerdict", said).status

    statuses = at_once(10, judge)

    assert Counter(statuses) == {200: 1, 409: 9}
    (told,) = loop.told("EXECUTION_STEP_JUDGED")
    came_of_it = {"DONE": ["DONE", "READY"], "RETRY": ["READY", "TODO"]}
    assert loop.steps(plan_id) == came_of_it[told["outcome"]]


def test_a_verdict_and_giving_the_goal_up_end_in_one_of_two_ways(office: Office) -> None:
    loop = a_loop(office)
    _, (step_id,) = loop.running(a_step())
    loop.move(step_id, "REVIEW")

    def act(place: int) -> int:
        if place:
            return office.send("goals.abandon", {"id": loop.goal_id}).status
        said = {"stepId": step_id, "verdict": "PASS", "feedback": "I looked at it."}
        return office.send("plans.recordVerdict", said).status

    judged, abandoned = at_once(2, act)

    goal = loop.goal()
    ends = {(200, 409): ("ACHIEVED", "COMPLETED"), (409, 200): ("ABANDONED", "CANCELED")}
    assert (goal["status"], goal["plans"][0]["status"]) == ends[judged, abandoned]


def test_twenty_runs_that_race_for_one_budget_overshoot_by_one_report_each_at_most(office: Office) -> None:
    """Eight at a time, as many as an issue can have: twelve complete, the last eight spend what is left."""
    loop = a_loop(office, with_issue=True, max_parallel=8, reviewer=False, maxTotalCostUsd=1)
    loop.running(*(a_step(f"Step {one}") for one in range(20)))
    key, each = office.an_agents_key(loop.worker), 0.03
    waiting, taken, last = Lock(), list[str](), Barrier(8)

    def take() -> tuple[str, bool]:
        """One that nobody has, and whether it is one of the last."""
        while True:
            with waiting:
                free = [one["id"] for one in loop.runs(status="ACTIVE") if one["id"] not in taken]
                if free:
                    taken.append(free[0])
                    return free[0], len(taken) > 12

    def report(run_id: str, number: int) -> bool:
        """Whether it may go on."""
        used = {"runId": run_id, "costUsd": round(number * each, 2)}
        return "stop" not in office.call("runs.recordUsage", used, key=key)

    def spend(place: int) -> int:
        reports = 0
        while not (taking := take())[1]:
            run_id, reports = taking[0], reports + 1
            assert report(run_id, 1)
            office.call("runs.complete", {"runId": run_id, "summary": "Did it."}, key=key)
        last.wait(60)
        number = 1
        while number < 20 and report(taking[0], number):
            number += 1
        return reports + number

    spent = sum(at_once(8, spend)) * each

    assert len(taken) == 20
    assert 1 < spent <= 1 + 8 * each + 0.000001
    assert loop.goal()["totalCostUsd"] == pytest.approx(spent)


def test_what_ten_report_at_once_adds_up_and_stops_the_plan_once(office: Office) -> None:
    loop = a_loop(office, with_issue=True, max_parallel=0, maxTotalCostUsd=1)
    plan_id, _ = loop.running(*(a_step(f"Step {one}") for one in range(8)))
    runs = loop.runs()
    key = office.an_agents_key(loop.worker)

    def report(place: int) -> int:
        # An issue has eight live runs at most: two of them report twice at once.
        number = place % len(runs)
        used = {"runId": runs[number]["id"], "costUsd": 0.2 + number / 1000}
        return office.send("runs.recordUsage", used, key=key).status

    statuses = at_once(10, report)

    plan = office.call("executionPlans.get", {"id": plan_id})
    assert set(statuses) == {200}
    assert len(runs) == 8
    assert (plan["totalCostUsd"], loop.goal()["totalCostUsd"]) == (1.628, 1.628)
    assert (plan["status"], len(loop.told("PLAN_BUDGET_EXCEEDED"))) == ("BLOCKED", 1)
    assert len(office.rows("reviewGates.list", {"status": "PENDING"})) == 1


def test_of_ten_who_decide_at_a_gate_at_once_one_does(office: Office) -> None:
    loop = a_loop(office, reviewer=False)
    plan_id, (step_id, _) = loop.running(a_step(), a_step("Then", 0))
    loop.move(step_id, "REVIEW")
    (gate,) = office.rows("reviewGates.list")

    def decide(place: int) -> int:
        decision = "APPROVED" if place % 2 else "REJECTED"
        return office.send("reviewGates.resolve", {"id": gate["id"], "decision": decision}).status

    statuses = at_once(10, decide)

    (now,) = office.rows("reviewGates.list")
    assert Counter(statuses) == {200: 1, 409: 9}
    approved, rejected = ["DONE", "READY"], ["CANCELED", "CANCELED"]
    assert loop.steps(plan_id) == (approved if now["status"] == "APPROVED" else rejected)


def test_a_long_plan_whose_end_was_cut_off_is_ended_by_the_next_sweep(office: Office) -> None:
    loop = a_loop(office, with_issue=True, max_parallel=0)
    plan_id, _ = loop.running(*(a_step(f"Step {one}") for one in range(100)))
    office.sweep()
    office.call("goals.abandon", {"id": loop.goal_id})
    interference = Interference()
    dying = watched(office.world.services.store, interference)
    cut_off = Sweep(Worker(dying, office.world.clock, office.world.ids), lambda *failure: None)
    (due,) = [one for one in sweep.look(cut_off).due if one.kind == "CONTINUATIONS"]
    interference.handle = only(COMMIT, FaultAt(Fault.CRASHED_AFTER, position=1))
    with pytest.raises(ProcessDied):
        go_on(cut_off.worker, due.key)
    half_way = _stored(office, plan_id)

    office.world.clock.advance(minutes=10)
    office.sweep()

    assert 0 < half_way.count("CANCELED") < 100
    assert set(_stored(office, plan_id)) == {"CANCELED"}
    runs = office.rows("runs.list", {"issueId": loop.issue_id})
    assert {one["status"] for one in runs} == {"ABANDONED"}


def _stored(office: Office, plan_id: str) -> list[str]:
    """The steps as they are written, not as they read in a plan that was canceled."""
    table = office.world.services.store.table
    plan = table.find(PlanItem, PlanItem.at(office.workspace.id, plan_id))
    return [step.status.value for step in plan.steps] if plan else []
