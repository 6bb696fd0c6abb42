"""Deciding at a gate: what waits there goes on, or is given up."""

from forge.work.plans.plans import PlanItem
from tests.workshop.office import Body, Office
from tests.workshop.plans import Loop, a_loop, a_step


def test_a_step_that_failed_too_often_is_tried_anew(office: Office) -> None:
    loop = a_loop(office)
    plan_id, gate_id = _failed(loop)

    answer = office.call("reviewGates.resolve", {"id": gate_id, "decision": "APPROVED", "resolution": "Go."})

    first, second = office.call("executionPlans.get", {"id": plan_id})["steps"]
    assert answer == {"ok": True}
    assert (first["status"], first["retryCount"], "gateId" in first) == ("READY", 0, False)
    assert second["status"] == "TODO"
    gate = _gate(office, gate_id)
    assert (gate["status"], gate["resolution"], gate["resolvedById"]) == ("APPROVED", "Go.", office.owner_id)
    assert loop.woken("EXECUTION_STEP_READY")[-1] == loop.worker
    told = [row.payload for row in office.log() if row.subject_id == gate_id]
    assert [(one["action"], one.get("decision")) for one in told] == [
        ("opened", None),
        ("resolved", "APPROVED"),
    ]


def test_a_step_that_nobody_judges_is_done_by_the_word_of_a_person(office: Office) -> None:
    loop = a_loop(office, reviewer=False)
    plan_id, (step_id, _) = loop.running(a_step("Design"), a_step("Build", 0))
    loop.move(step_id, "REVIEW")
    (gate,) = office.rows("reviewGates.list", {"status": "PENDING", "targetType": "execution-step"})

    office.call("reviewGates.resolve", {"id": gate["id"], "decision": "APPROVED", "resolution": "As it is."})

    (step,) = office.call("executionPlans.get", {"id": plan_id, "stepId": step_id})["steps"]
    assert loop.steps(plan_id) == ["DONE", "READY"]
    verdict = step["judgeVerdict"]
    assert (verdict["verdict"], verdict["feedback"]) == ("PASS", "As it is.")
    assert verdict["judgedById"] == office.owner_id


def test_a_rejection_cancels_the_plan_and_leaves_the_goal_open(office: Office) -> None:
    loop = a_loop(office)
    plan_id, gate_id = _failed(loop)

    office.call("reviewGates.resolve", {"id": gate_id, "decision": "REJECTED"})
    office.sweep()

    goal = loop.goal()
    assert (goal["status"], goal["plans"][0]["status"]) == ("OPEN", "CANCELED")
    assert set(loop.steps(plan_id)) == {"CANCELED"}
    assert _gate(office, gate_id)["status"] == "REJECTED"
    assert office.call("plans.decompose", {"goalId": loop.goal_id})["status"] == "PLANNING"


def test_a_question_that_is_taken_back_leaves_everything_and_can_be_asked_again(office: Office) -> None:
    loop = a_loop(office)
    plan_id, gate_id = _failed(loop)
    before = loop.steps(plan_id)

    office.call("reviewGates.resolve", {"id": gate_id, "decision": "CANCELED"})
    (first, *_) = office.call("executionPlans.get", {"id": plan_id})["steps"]
    asked = {"targetType": "execution-step", "targetId": first["id"], "prompt": "And now?"}
    again = office.call("reviewGates.open", asked)
    office.call("reviewGates.resolve", {"id": again["id"], "decision": "APPROVED"})

    assert (before, loop.steps(plan_id)) == (["BLOCKED", "TODO"], ["READY", "TODO"])


def test_a_gate_is_decided_once_and_one_that_is_nowhere_is_not_found(
    office: Office, other_office: Office
) -> None:
    loop = a_loop(office)
    _, gate_id = _failed(loop)
    order = {"id": gate_id, "decision": "APPROVED"}
    office.call("reviewGates.resolve", order)

    assert office.refused("reviewGates.resolve", order)[:2] == (409, "conflict")
    assert other_office.refused("reviewGates.resolve", order)[:2] == (404, "not_found")
    assert office.refused("reviewGates.resolve", {**order, "id": "gate_none"})[:2] == (404, "not_found")


def test_a_blocked_step_goes_on_through_its_gate_alone_and_as_a_person_says_where_there_is_none(
    office: Office,
) -> None:
    loop = a_loop(office)
    plan_id, gate_id = _failed(loop)
    (first, *_) = office.call("executionPlans.get", {"id": plan_id})["steps"]
    moved = {"stepId": first["id"], "status": "DONE"}
    worker = office.an_agents_key(loop.worker)

    refused = [office.refused("executionPlans.transitionStep", moved)[0]]
    office.call("reviewGates.resolve", {"id": gate_id, "decision": "CANCELED"})
    refused.append(office.refused("executionPlans.transitionStep", moved, key=worker)[0])
    office.call("executionPlans.transitionStep", moved)

    assert refused == [409, 403]
    assert loop.steps(plan_id) == ["DONE", "READY"]


def test_a_gate_whose_step_was_judged_by_a_person_is_closed(office: Office) -> None:
    loop = a_loop(office, reviewer=False)
    plan_id, (step_id,) = loop.running(a_step())
    loop.move(step_id, "REVIEW")
    (gate,) = office.rows("reviewGates.list")

    loop.move(step_id, "DONE")

    order = {"id": gate["id"], "decision": "REJECTED"}
    assert office.refused("reviewGates.resolve", order)[:2] == (409, "conflict")
    assert loop.steps(plan_id) == ["DONE"]


def test_another_gate_for_what_waits_already_decides_nothing(office: Office) -> None:
    loop = a_loop(office)
    plan_id, gate_id = _failed(loop)
    (first, *_) = office.call("executionPlans.get", {"id": plan_id})["steps"]
    worker = office.an_agents_key(loop.worker)
    asked = {"targetType": "execution-step", "targetId": first["id"], "prompt": "x", "requiredRole": "WORKER"}
    own = {"id": office.call("reviewGates.open", asked, key=worker)["id"], "decision": "APPROVED"}
    assert office.refused("reviewGates.resolve", own, key=worker)[:2] == (403, "forbidden")

    office.call("reviewGates.resolve", own)

    assert loop.steps(plan_id) == ["BLOCKED", "TODO"]
    assert _gate(office, gate_id)["status"] == "PENDING"
    order = {"id": gate_id, "decision": "APPROVED"}
    assert office.refused("reviewGates.resolve", order, key=worker)[:2] == (403, "forbidden")


def test_the_gate_of_a_plan_that_somebody_lets_run_by_hand_is_closed(office: Office) -> None:
    loop = a_loop(office)
    plan_id, _ = loop.running(a_step())
    office.call("executionPlans.transition", {"id": plan_id, "status": "BLOCKED"})
    asked = {"targetType": "execution-plan", "targetId": plan_id, "prompt": "Go on?"}
    gate_id = office.call("reviewGates.open", asked)["id"]

    office.call("executionPlans.transition", {"id": plan_id, "status": "RUNNING"})

    table = office.world.services.store.table
    plan = table.find(PlanItem, PlanItem.at(office.workspace.id, plan_id))
    assert plan is not None
    assert (plan.gate_id, _gate(office, gate_id)["status"]) == (None, "CANCELED")


def test_a_narrowed_key_neither_sees_nor_decides_what_belongs_to_no_issue_of_its_own(office: Office) -> None:
    loop = a_loop(office, with_issue=True)
    _, gate_id = _failed(loop)
    asked = {"targetType": "release", "targetId": "1.0", "prompt": "Ship it?"}
    free = office.call("reviewGates.open", asked)["id"]
    key = office.a_narrowed_key(label_ids=["lbl_1"])

    assert office.rows("reviewGates.list", key=key) == []
    assert [one["id"] for one in office.rows("reviewGates.list")] == [free, gate_id]
    for one in (free, gate_id):
        order = {"id": one, "decision": "APPROVED"}
        assert office.refused("reviewGates.resolve", order, key=key)[:2] == (403, "forbidden")
    assert office.refused("reviewGates.open", asked, key=key)[:2] == (403, "forbidden")


def _failed(loop: Loop) -> tuple[str, str]:
    """A plan whose first step failed too often, and the gate at which that waits."""
    plan_id, (step_id, _) = loop.running(a_step("Design"), a_step("Build", 0))
    for _ in range(3):
        loop.move(step_id, "REVIEW")
        loop.judge(step_id, "FAIL")
    (step, _) = loop.office.call("executionPlans.get", {"id": plan_id})["steps"]
    return plan_id, step["gateId"]


def _gate(office: Office, gate_id: str) -> Body:
    (found,) = [one for one in office.rows("reviewGates.list") if one["id"] == gate_id]
    return found
