"""Whoever approves or activates a plan does it once, and approves of what it is."""

import pytest

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


def test_the_same_question_is_asked_once_and_another_one_takes_its_place(office: Office) -> None:
    loop = a_loop(office, with_issue=True)
    plan_id, _ = loop.plan(a_step("First"))
    ask = {"planId": plan_id}
    first, again = (office.call("plans.requestApproval", ask)["actionRequestId"] for _ in range(2))
    for_one = office.call("plans.requestApproval", {**ask, "assignedUserId": "me"})["actionRequestId"]
    office.call("plans.addSteps", {"planId": plan_id, "steps": [a_step("Second")]})
    longer = office.call("plans.requestApproval", {**ask, "assignedUserId": "me"})["actionRequestId"]

    assert first == again
    assert len({first, for_one, longer}) == 3
    assert [one["id"] for one in office.rows("actionRequests.list", {"status": "OPEN"})] == [longer]
    (old,) = office.rows("actionRequests.list", {"id": for_one})
    assert (old["status"], longer in old["resolution"]) == ("DISMISSED", True)


def test_a_question_that_was_snoozed_is_not_asked_once_more(office: Office) -> None:
    loop = a_loop(office)
    plan_id, _ = loop.plan(a_step())
    asked = office.call("plans.requestApproval", {"planId": plan_id})
    office.call("actionRequests.transition", {"id": asked["actionRequestId"], "status": "SNOOZED"})

    assert office.call("plans.requestApproval", {"planId": plan_id}) == asked


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("plans.activate", {"planId": "$plan"}),
        ("executionPlans.transition", {"id": "$plan", "status": "CANCELED"}),
        ("plans.decompose", {"goalId": "$goal"}),
        ("goals.abandon", {"id": "$goal"}),
    ],
)
@pytest.mark.parametrize("with_issue", [True, False])
def test_nobody_is_asked_any_more_to_let_a_plan_run_that_does_or_never_will(
    office: Office, tool: str, arguments: dict[str, str], with_issue: bool
) -> None:
    loop = a_loop(office, with_issue=with_issue)
    plan_id, _ = loop.plan(a_step())
    asked = office.call("plans.requestApproval", {"planId": plan_id})["actionRequestId"]
    meant = {"$plan": plan_id, "$goal": loop.goal_id}

    office.call(tool, {name: meant.get(value, value) for name, value in arguments.items()})

    (row,) = office.rows("actionRequests.list", {"id": asked})
    assert row["status"] == "DISMISSED"
    assert row["resolution"]
    assert office.refused("actionRequests.accept", {"id": asked})[0] == 409


def test_a_plan_that_was_set_to_approved_can_still_be_let_run_by_a_yes(office: Office) -> None:
    loop = a_loop(office)
    plan_id, _ = loop.plan(a_step())
    asked = office.call("plans.requestApproval", {"planId": plan_id})["actionRequestId"]
    office.call("executionPlans.transition", {"id": plan_id, "status": "APPROVED"})

    assert office.call("actionRequests.accept", {"id": asked})["dispatched"]
    assert office.rows("actionRequests.list", {"id": asked})[0]["status"] == "RESOLVED"


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
