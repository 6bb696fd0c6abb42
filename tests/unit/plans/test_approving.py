"""Whoever approves or activates a plan does it once, and approves of what it is."""

from datetime import datetime, timedelta

import pytest

from tests.workshop.office import Office
from tests.workshop.plans import a_loop, a_step


def test_a_plan_without_steps_or_one_that_runs_is_not_asked_about(office: Office) -> None:
    loop = a_loop(office)
    empty = office.call("plans.decompose", {"goalId": loop.goal_id})["planId"]

    assert office.refused("plans.requestApproval", {"planId": empty})[0] == 409
    assert office.refused("plans.activate", {"planId": empty})[0] == 409
    running, _ = loop.running(a_step())
    assert office.refused("plans.requestApproval", {"planId": running})[0] == 409
    assert office.refused("plans.requestApproval", {"planId": "plan_000000"})[0] == 404


def test_a_request_overtaken_by_another_step_asks_about_that_step_too(office: Office) -> None:
    loop = a_loop(office)
    office = office
    plan_id, _ = loop.plan(a_step("First"))
    more = {"planId": plan_id, "steps": [a_step("Second")]}

    office.meanwhile(lambda: office.call("plans.addSteps", more))
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
    assert row["status"] == ("RESOLVED" if tool == "plans.activate" else "DISMISSED")
    assert row["resolution"]
    assert office.refused("actionRequests.accept", {"id": asked})[0] == 409


def test_a_plan_that_was_set_to_approved_can_still_be_let_run_by_a_yes(office: Office) -> None:
    loop = a_loop(office)
    plan_id, _ = loop.plan(a_step())
    asked = office.call("plans.requestApproval", {"planId": plan_id})["actionRequestId"]
    office.call("executionPlans.transition", {"id": plan_id, "status": "APPROVED"})

    assert office.call("actionRequests.accept", {"id": asked})["dispatched"]
    assert office.rows("actionRequests.list", {"id": asked})[0]["status"] == "RESOLVED"


def test_of_two_activations_one_begins_the_steps(office: Office) -> None:
    loop = a_loop(office)
    plan_id, _ = loop.plan(a_step())
    activate = {"planId": plan_id}

    office.meanwhile(lambda: office.call("plans.activate", activate))
    refused = office.refused("plans.activate", activate)

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


@pytest.mark.parametrize("who", ["planner", "worker"])
def test_an_agent_starts_only_what_a_person_approved_of_as_it_is(office: Office, who: str) -> None:
    loop = a_loop(office)
    plan_id, _ = loop.plan(a_step())
    start, key = {"planId": plan_id}, office.an_agents_key(getattr(loop, who))

    def move(status: str) -> None:
        office.call("executionPlans.transition", {"id": plan_id, "status": status})

    refused = [office.refused("plans.activate", start, key=key)]
    move("APPROVED")
    move("DRAFT")
    refused.append(office.refused("plans.activate", start, key=key))
    move("APPROVED")
    office.call("plans.activate", start, key=key)

    assert [one[:2] for one in refused] == [(403, "forbidden")] * 2
    assert loop.steps(plan_id) == ["READY"]


def test_a_plan_that_a_person_made_approved_is_started_by_an_agent_and_one_of_its_own_is_not(
    office: Office,
) -> None:
    key = office.an_agents_key()
    plan = {"title": "Move", "status": "APPROVED", "steps": [{"title": "List"}]}

    made = office.call("executionPlans.create", plan)

    assert office.call("plans.activate", {"planId": made["id"]}, key=key) == {"ok": True}
    assert office.refused("executionPlans.create", plan, key=key)[:2] == (403, "forbidden")


def test_a_workspace_may_leave_plans_to_agents(office: Office) -> None:
    loop = a_loop(office)
    office.call("workspaces.update", {"plansNeedAPerson": False})
    plan_id, _ = loop.plan(a_step())
    key = office.an_agents_key(loop.planner)
    made = {"title": "Move", "status": "APPROVED", "steps": [{"title": "List"}]}

    assert office.call("workspace.get", {}, key=key)["plansNeedAPerson"] is False
    assert office.call("plans.activate", {"planId": plan_id}, key=key) == {"ok": True}
    assert office.call("executionPlans.create", made, key=key)["status"] == "APPROVED"


def test_who_stands_for_people_in_a_crew_starts_its_plans_and_no_others(office: Office) -> None:
    loop = a_loop(office)
    proxy = office.an_agent("proxy")["id"]
    member = {"crewId": loop.crew_id, "agentId": proxy, "role": "OPERATOR_PROXY"}
    key = office.an_agents_key(proxy)
    office.call("agentCrews.addMember", member)
    plan_id, _ = loop.plan(a_step())
    other = office.call("executionPlans.create", {"title": "Move", "steps": [{"title": "List"}]})

    assert office.refused("plans.activate", {"planId": other["id"]}, key=key)[:2] == (403, "forbidden")
    assert office.call("plans.activate", {"planId": plan_id}, key=key) == {"ok": True}


def test_while_somebody_is_asked_nobody_else_starts_the_plan_or_takes_the_question_away(
    office: Office,
) -> None:
    loop = a_loop(office)
    ada, bob = office.a_colleague(), office.a_colleague()
    planner, worker = office.an_agents_key(loop.planner), office.an_agents_key(loop.worker)
    plan_id, _ = loop.plan(a_step())
    ask = {"planId": plan_id, "assignedUserId": ada.id}
    asked = office.call("plans.requestApproval", ask, key=planner)["actionRequestId"]
    approve = {"id": plan_id, "status": "APPROVED"}
    cancel = {"id": plan_id, "status": "CANCELED"}
    instead = {"planId": plan_id, "assignedUserId": bob.id}

    for key in (worker, bob.key):
        assert office.refused("plans.activate", {"planId": plan_id}, key=key)[0] == 403
        assert office.refused("executionPlans.transition", approve, key=key)[0] == 403
        assert office.refused("executionPlans.transition", cancel, key=key)[0] == 403
        assert office.refused("plans.decompose", {"goalId": loop.goal_id}, key=key)[0] == 403
        assert office.refused("goals.abandon", {"id": loop.goal_id}, key=key)[0] == 403
        assert office.refused("plans.requestApproval", instead, key=key)[0] == 403
    assert office.rows("actionRequests.list", {"id": asked})[0]["status"] == "OPEN"

    office.call("plans.activate", {"planId": plan_id}, key=ada.key)
    (row,) = office.rows("actionRequests.list", {"id": asked})
    assert (row["status"], row["resolvedByUserId"]) == ("RESOLVED", ada.id)


def test_who_asked_about_a_plan_may_give_it_up(office: Office) -> None:
    loop = a_loop(office)
    planner = office.an_agents_key(loop.planner)
    plan_id, _ = loop.plan(a_step())
    asked = office.call("plans.requestApproval", {"planId": plan_id}, key=planner)["actionRequestId"]

    office.call("plans.decompose", {"goalId": loop.goal_id}, key=planner)

    assert office.rows("actionRequests.list", {"id": asked})[0]["status"] == "DISMISSED"


def test_whoever_approves_sees_all_of_each_step_and_when_the_question_lapses(office: Office) -> None:
    loop = a_loop(office)
    ada = office.a_colleague(handle="ada")
    first = a_step("Design", body="On one page.", expectedOutput="A page.", assignedAgentId=loop.worker)
    check = {"label": "It runs", "kind": "command", "value": "make test"}
    second = a_step("Build", 0, assignedUserId=ada.id, assignedRole="WORKER", verification=[check])
    plan_id, ids = loop.plan(first, second, a_step("Much", body="x" * 20_000))
    asked = office.call("plans.requestApproval", {"planId": plan_id})["actionRequestId"]
    since = office.world.clock()

    (card,) = office.rows("actionRequests.list", {"id": asked, "include": ["card"]})
    (listed,) = office.rows("actionRequests.list", {"include": ["card"]})
    (row,) = office.rows("actionRequests.list", {"id": asked})

    *told, much = card["steps"]
    assert told == [
        {
            "id": ids[0],
            "title": "Design",
            "body": "On one page.",
            "expectedOutput": "A page.",
            "assignedTo": "@worker",
        },
        {
            "id": ids[1],
            "title": "Build",
            "verification": ["It runs (make test)"],
            "assignedTo": "@ada",
            "assignedRole": "WORKER",
            "after": [1],
        },
    ]
    assert (much["truncated"], len(much["body"]) > 1_000) == (True, True)
    assert card["shownHash"] == listed["shownHash"] == row["shownHash"]
    assert card["lapsesAt"] == listed["lapsesAt"]
    assert datetime.fromisoformat(card["lapsesAt"]) == since + timedelta(days=7)
    assert "steps" not in listed


def test_a_card_of_a_long_plan_is_one_answer(office: Office) -> None:
    loop = a_loop(office)
    texts = {"body": "b" * 5_000, "expectedOutput": "e" * 5_000, "verification": [{"label": "v" * 500}] * 20}
    plan_id, _ = loop.plan(*[a_step("t" * 300, **texts) for _ in range(100)])
    asked = office.call("plans.requestApproval", {"planId": plan_id})["actionRequestId"]

    answer = office.send("actionRequests.list", {"id": asked, "include": ["card"]})

    assert (answer.status, len(answer.body) < 40_000) == (200, True)
