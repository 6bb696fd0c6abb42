"""Whoever approves or activates a plan does it once, and approves of what it is."""

from forge.store.store import Store
from tests.unit.office import Office
from tests.unit.plans.loops import a_loop, a_raced_loop, a_step
from tests.unit.store.interference import COMMIT, once_before


def test_a_plan_without_steps_or_one_that_runs_is_not_asked_about(office: Office) -> None:
    loop = a_loop(office)
    empty = office.call("plans.decompose", {"goalId": loop.goal_id})["planId"]

    assert office.refused("plans.requestApproval", {"planId": empty})[0] == 409
    assert office.refused("plans.activate", {"planId": empty})[0] == 409
    running, _ = loop.running(a_step())
    assert office.refused("plans.requestApproval", {"planId": running})[0] == 409
    assert office.refused("plans.requestApproval", {"planId": "plan_000000"})[0] == 404


def test_a_request_overtaken_by_another_step_asks_about_that_step_too(store: Store) -> None:
    loop, interference = a_raced_loop(store)
    office = loop.office
    plan_id, _ = loop.plan(a_step("First"))
    more = {"planId": plan_id, "steps": [a_step("Second")]}

    interference.handle = once_before(COMMIT, lambda: office.call("plans.addSteps", more))
    asked = office.call("plans.requestApproval", {"planId": plan_id})["actionRequestId"]

    (card,) = office.rows("actionRequests.list", {"id": asked, "include": ["card"]})
    assert (card["title"], "2. Second" in card["effect"]) == (
        "Approve 2-step plan for: Ship the importer",
        True,
    )
    office.call("actionRequests.accept", {"id": asked, "shownHash": card["shownHash"]})
    assert loop.steps(plan_id) == ["READY", "TODO"]


def test_a_plan_that_grows_while_it_waits_is_approved_by_who_was_shown_all_of_it(office: Office) -> None:
    loop = a_loop(office)
    plan_id, _ = loop.plan(a_step("First"))
    asked = office.call("plans.requestApproval", {"planId": plan_id})["actionRequestId"]
    look = {"id": asked, "include": ["card"]}
    (before,) = office.rows("actionRequests.list", look)
    office.call("plans.addSteps", {"planId": plan_id, "steps": [a_step("Second")]})

    refused = [
        office.refused("actionRequests.accept", {"id": asked, **shown})[0]
        for shown in ({}, {"shownHash": before["shownHash"]})
    ]
    (after,) = office.rows("actionRequests.list", look)
    office.call("actionRequests.accept", {"id": asked, "shownHash": after["shownHash"]})

    assert refused == [409, 409]
    assert "2. Second" in after["effect"]
    assert (before["body"], after["body"]) == (None, None)
    assert office.rows("actionRequests.list", {"id": asked})[0]["body"] == "1. First"
    assert loop.steps(plan_id) == ["READY", "TODO"]


def test_of_two_activations_one_begins_the_steps(store: Store) -> None:
    loop, interference = a_raced_loop(store)
    plan_id, _ = loop.plan(a_step())
    activate = {"planId": plan_id}

    interference.handle = once_before(COMMIT, lambda: loop.office.call("plans.activate", activate))
    refused = loop.office.refused("plans.activate", activate)

    assert refused[:2] == (409, "conflict")
    assert loop.woken("EXECUTION_STEP_READY") == [loop.worker]
    assert [one["to"] for one in loop.told("GOAL_STATUS_CHANGED")] == ["PLANNING", "ACTIVE"]


def test_a_declined_plan_stays_a_draft_that_can_be_asked_about_again(office: Office) -> None:
    loop = a_loop(office)
    plan_id, _ = loop.plan(a_step())
    asked = office.call("plans.requestApproval", {"planId": plan_id})["actionRequestId"]

    office.call("actionRequests.decline", {"id": asked, "reason": "Too much."})

    assert office.call("executionPlans.get", {"id": plan_id})["status"] == "DRAFT"
    assert office.call("plans.requestApproval", {"planId": plan_id})["actionRequestId"] != asked


def test_an_agent_that_did_not_plan_may_activate_and_a_narrowed_key_may_not(office: Office) -> None:
    loop = a_loop(office)
    plan_id, _ = loop.plan(a_step())

    narrowed = office.a_narrowed_key(label_ids=["lbl_1"])
    assert office.refused("plans.activate", {"planId": plan_id}, key=narrowed)[0] == 403
    worker = office.an_agents_key(loop.worker)
    assert office.call("plans.activate", {"planId": plan_id}, key=worker) == {"ok": True}
