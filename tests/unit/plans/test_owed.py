"""Who is called to plan or to judge finds that by itself: in a run where there is an issue."""

import pytest

from forge.work.issues.inbox.rows import OF_AGENT, WaitingItem
from tests.workshop.office import Body, Office
from tests.workshop.plans import Loop, a_loop, a_step


def live(office: Office, agent_id: str) -> list[Body]:
    rows = office.rows("runs.list", {"agentId": agent_id})
    return [one for one in rows if one["status"] in ("ACTIVE", "WAITING")]


def owed(loop: Loop, agent_id: str) -> list[tuple[str, str]]:
    """What waits for an agent besides its runs, as it is stored."""
    office = loop.office
    table = office.world.services.store.table
    rows = table.query_all(OF_AGENT(office.workspace.id, agent_id), most=100)
    return [(one.what.value, one.subject_id) for one in rows.of(WaitingItem)]


def in_review(loop: Loop, *steps: Body) -> tuple[str, list[str]]:
    """A running plan whose first step its worker has finished."""
    plan_id, step_ids = loop.running(*(steps or (a_step(),)))
    (run,) = live(loop.office, loop.worker)
    done = {"runId": run["id"], "summary": "Designed."}
    loop.office.call("runs.complete", done, key=loop.office.an_agents_key(loop.worker))
    return plan_id, step_ids


def test_whoever_judges_has_a_run_that_its_verdict_ends(office: Office) -> None:
    loop = a_loop(office, with_issue=True)
    plan_id, (step_id,) = in_review(loop)
    (run,) = live(office, loop.reviewer)
    key = office.an_agents_key(loop.reviewer)

    refused = office.refused("runs.complete", {"runId": run["id"], "summary": "Fine."}, key=key)
    loop.judge(step_id, key=key)

    assert (run["engagementMode"], run["executionStepId"]) == ("REVIEW", step_id)
    assert refused[:2] == (409, "conflict")
    assert (live(office, loop.reviewer), owed(loop, loop.reviewer)) == ([], [])
    assert office.rows("runs.list", {"agentId": loop.reviewer})[0]["status"] == "COMPLETED"
    assert loop.steps(plan_id) == ["DONE"]


def test_a_verdict_that_sends_a_step_back_ends_the_judges_run_and_begins_the_workers(office: Office) -> None:
    loop = a_loop(office, with_issue=True)
    _, (step_id,) = in_review(loop)

    loop.judge(step_id, "FAIL", key=office.an_agents_key(loop.reviewer))

    assert live(office, loop.reviewer) == []
    (again,) = live(office, loop.worker)
    bundle = office.call(
        "agent.context.bundle", {"issueId": loop.issue_id}, key=office.an_agents_key(loop.worker)
    )
    assert bundle["runProtocol"]["runId"] == again["id"]
    assert (bundle["step"]["feedback"], bundle["step"]["retryCount"]) == ("I looked at it.", 1)


def test_who_did_a_step_alone_in_its_crew_has_another_run_to_judge_it(office: Office) -> None:
    loop = a_loop(office, with_issue=True, reviewer=False)
    member = {"crewId": loop.crew_id, "agentId": loop.worker, "role": "REVIEWER"}
    office.call("agentCrews.addMember", member)

    _, (step_id,) = in_review(loop)

    (judging,) = live(office, loop.worker)
    assert (judging["engagementMode"], judging["executionStepId"]) == ("REVIEW", step_id)


def test_somebody_else_who_is_called_takes_the_judging_over(office: Office) -> None:
    loop = a_loop(office, with_issue=True)
    _, (step_id,) = in_review(loop)
    second = office.an_agent("second")["id"]

    for _ in range(2):
        office.call("plans.judge", {"stepId": step_id, "judgeAgentId": second})

    assert (live(office, loop.reviewer), owed(loop, loop.reviewer)) == ([], [])
    assert (len(live(office, second)), owed(loop, second)) == (1, [("toJudge", step_id)])


def test_a_judge_is_neither_kept_from_its_work_by_judging_nor_lets_the_run_stall(office: Office) -> None:
    loop = a_loop(office, with_issue=True)
    in_review(loop)
    key = office.an_agents_key(loop.reviewer)
    mine = office.call("issues.create", {"title": "Mine"}, key=key)

    office.world.clock.advance(minutes=45)
    office.sweep()

    (run,) = live(office, loop.reviewer)
    assert run["engagementMode"] == "REVIEW"
    assert office.refused("issues.update", {"id": loop.issue_id, "title": "X"}, key=key)[0] == 403
    office.call("issues.update", {"id": mine["id"], "title": "Mine alone"}, key=key)
    office.call("issues.assign", {"issueId": loop.issue_id, "agentId": loop.reviewer})
    office.call("issues.update", {"id": loop.issue_id, "title": "X"}, key=key)


def test_a_planner_has_a_run_until_it_asks_for_approval(office: Office) -> None:
    loop = a_loop(office, with_issue=True)
    plan_id = office.call("plans.decompose", {"goalId": loop.goal_id})["planId"]
    (run,) = live(office, loop.planner)
    key = office.an_agents_key(loop.planner)
    bundle = office.call("agent.context.bundle", {"issueId": loop.issue_id}, key=key)

    for _ in range(2):
        office.world.clock.advance(minutes=20)
        office.call("plans.addSteps", {"planId": plan_id, "steps": [a_step()]}, key=key)
        office.sweep()
    waiting = owed(loop, loop.planner)
    office.call("plans.requestApproval", {"planId": plan_id}, key=key)

    assert run["engagementMode"] == "RESEARCH"
    assert (bundle["plan"]["id"], bundle["plan"]["goalId"]) == (plan_id, loop.goal_id)
    assert waiting == [("toPlan", plan_id)]
    (over,) = office.rows("runs.list", {"agentId": loop.planner})
    assert (over["id"], over["status"], owed(loop, loop.planner)) == (run["id"], "COMPLETED", [])


@pytest.mark.parametrize("ending", ["abandon", "anew", "activate"])
def test_a_plan_that_is_wanted_no_more_is_owed_by_nobody(office: Office, ending: str) -> None:
    loop = a_loop(office, with_issue=True)
    plan_id, _ = loop.plan(a_step())
    match ending:
        case "abandon":
            office.call("goals.abandon", {"id": loop.goal_id})
        case "anew":
            plan = {"goalId": loop.goal_id, "plannerAgentId": loop.reviewer}
            office.call("plans.decompose", plan)
        case _:
            office.call("plans.activate", {"planId": plan_id})

    assert (live(office, loop.planner), owed(loop, loop.planner)) == ([], [])
    assert len(live(office, loop.reviewer)) == (ending == "anew")


def test_the_steps_of_a_canceled_plan_are_judged_by_nobody(office: Office) -> None:
    loop = a_loop(office, with_issue=True)
    _, (step_id,) = in_review(loop)
    assert owed(loop, loop.reviewer) == [("toJudge", step_id)]

    office.call("goals.abandon", {"id": loop.goal_id})
    office.sweep()

    assert (live(office, loop.reviewer), owed(loop, loop.reviewer)) == ([], [])


def test_without_an_issue_it_is_owed_all_the_same(office: Office) -> None:
    loop = a_loop(office)
    _, (step_id,) = loop.running(a_step())
    loop.move(step_id, "REVIEW")

    assert owed(loop, loop.reviewer) == [("toJudge", step_id)]
    loop.judge(step_id)
    assert owed(loop, loop.reviewer) == []


def test_the_bundle_of_a_step_is_about_the_step_for_its_worker_and_for_its_judge(office: Office) -> None:
    loop = a_loop(office, with_issue=True)
    asked = {
        "body": "As in the old one.",
        "expectedOutput": "A schema.",
        "verification": [{"label": "Loads"}],
    }
    plan_id, (first, second) = loop.running(a_step("Look"), a_step("Design schema", 0, **asked))
    loop.move(first, "DONE")

    done = office.call(
        "agent.context.bundle", {"issueId": loop.issue_id}, key=office.an_agents_key(loop.worker)
    )
    (run,) = live(office, loop.worker)
    office.call(
        "runs.complete", {"runId": run["id"], "summary": "Here."}, key=office.an_agents_key(loop.worker)
    )
    judged = office.call(
        "agent.context.bundle", {"issueId": loop.issue_id}, key=office.an_agents_key(loop.reviewer)
    )

    expected = {"verificationChecklist": [{"label": "Loads"}], "expectedOutput": "A schema."}
    for bundle in (done, judged):
        step = bundle["step"]
        assert (step["id"], step["planId"], step["title"]) == (second, plan_id, "Design schema")
        assert (step["body"], step["dependsOn"], step["retryCount"]) == ("As in the old one.", [first], 0)
        assert (step["expectedOutput"], step["verification"]) == ("A schema.", [{"label": "Loads"}])
        assert bundle["completionContract"] == {**expected, "artifactRequired": False}
    assert done["runProtocol"]["engagementMode"] == "EXECUTE"
    assert judged["step"]["sourceRunId"] == run["id"]
    assert f'plans.recordVerdict {{stepId: "{second}"' in judged["runProtocol"]["protocolInstruction"]
    assert judged["runProtocol"]["mayMutateIssue"] is False


def test_of_several_runs_a_bundle_is_for_the_one_that_is_asked_for(office: Office) -> None:
    loop = a_loop(office, with_issue=True, max_parallel=2)
    loop.running(a_step("Look"), a_step("Design"))
    key = office.an_agents_key(loop.worker)
    shown = {}
    for run in live(office, loop.worker):
        asked = {"issueId": loop.issue_id, "runId": run["id"]}
        bundle = office.call("agent.context.bundle", asked, key=key)
        shown[bundle["step"]["title"]] = bundle["runProtocol"]["runId"] == run["id"]

    assert shown == {"Look": True, "Design": True}
    refused = office.refused("agent.context.bundle", {"issueId": loop.issue_id, "runId": "run_1"}, key=key)
    assert refused[:2] == (404, "not_found")


def test_a_planner_who_is_done_makes_room_for_eight_at_once(office: Office) -> None:
    loop = a_loop(office, with_issue=True, max_parallel=0)

    loop.running(*(a_step(f"Step {number}") for number in range(8)))

    assert len(live(office, loop.worker)) == 8


def test_who_was_called_before_a_step_came_to_its_review_judges_it_in_the_same_run(office: Office) -> None:
    loop = a_loop(office, with_issue=True)
    _, (step_id,) = loop.running(a_step())
    loop.move(step_id, "RUNNING")
    office.call("plans.judge", {"stepId": step_id})
    (called,) = live(office, loop.reviewer)

    loop.move(step_id, "REVIEW")

    assert [one["id"] for one in live(office, loop.reviewer)] == [called["id"]]
    assert owed(loop, loop.reviewer) == [("toJudge", step_id)]
