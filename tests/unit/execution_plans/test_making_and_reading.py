"""Plans are made apart from goals too, listed, and read to their last word."""

from tests.workshop.office import Office
from tests.workshop.plans import a_loop, a_step


def test_a_plan_is_made_with_its_steps_and_runs_when_it_is_activated(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    issue = office.call("issues.create", {"title": "Import"})

    plan = office.call(
        "executionPlans.create",
        {
            "title": "Move to the new API",
            "issueId": issue["identifier"],
            "status": "APPROVED",
            "steps": [a_step("List the calls", assignedAgentId="worker"), a_step("Move them", 0)],
        },
    )
    office.call("plans.activate", {"planId": plan["id"]})

    assert (plan["status"], plan["issueId"], plan["_count"]) == ("APPROVED", issue["id"], {"steps": 2})
    assert [one["position"] for one in plan["steps"]] == [0, 1]
    (run,) = office.rows("runs.list", {"issueId": issue["id"]})
    assert (run["agent"]["id"], run["currentStep"]) == (agent_id, "List the calls")


def test_what_a_plan_refers_to_has_to_be_there_and_an_agent_approves_none_of_its_own(
    office: Office, other_office: Office
) -> None:
    theirs = other_office.call("goals.create", {"title": "Theirs"})["id"]
    issue = other_office.call("issues.create", {"title": "Theirs"})["id"]
    key = office.an_agents_key()

    def refused(key: str | None = None, **more: object) -> tuple[int, set[str]]:
        status, _, fields = office.refused(
            "executionPlans.create", {"title": "P", **more}, key=key or office.owner_key
        )
        return status, fields

    assert refused(goalId=theirs) == (400, {"goalId"})
    assert refused(issueId=issue) == (400, {"issueId"})
    assert refused(projectId="prj_000000") == (400, {"projectId"})
    assert refused(status="RUNNING") == (400, {"status"})
    assert refused(key, status="APPROVED")[0] == 403
    assert office.rows("executionPlans.list") == []


def test_a_plan_too_long_for_one_transaction_is_made_once_though_its_goal_changes_meanwhile(
    office: Office,
) -> None:
    loop = a_loop(office)
    office = office
    long = [a_step(f"Step {one}", body="x" * 50_000) for one in range(45)]
    plan = {"title": "Long", "goalId": loop.goal_id, "steps": long}

    office.meanwhile(lambda: loop.plan(a_step()))
    made = office.call("executionPlans.create", plan)

    last = made["steps"][-1]["id"]
    (step,) = office.call("executionPlans.get", {"id": made["id"], "stepId": last})["steps"]
    assert (step["title"], step["body"]) == ("Step 44", "x" * 8_000)
    assert loop.goal()["_count"] == {"plans": 2}


def test_every_text_of_a_plan_can_be_read_to_its_end(office: Office) -> None:
    body, description = "b" * 20_000, "d" * 20_000
    made = office.call(
        "executionPlans.create",
        {"title": "Long", "description": description, "steps": [a_step(body=body)]},
    )
    plan = {"id": made["id"], "stepId": made["steps"][0]["id"]}
    short = office.call("executionPlans.get", {"id": made["id"]})["steps"][0]

    pages = [office.call("executionPlans.get", plan)]
    while "nextDescriptionOffset" in pages[-1]:
        # Both are cut at the same places here.
        (step,) = pages[-1]["steps"]
        offsets = {
            "textOffset": step["nextTextOffset"],
            "descriptionOffset": pages[-1]["nextDescriptionOffset"],
        }
        pages.append(office.call("executionPlans.get", plan | offsets))

    assert (len(short["body"]), short["truncated"], short["nextTextOffset"]) == (400, True, 400)
    assert "".join(one["description"] for one in pages) == description
    assert "".join(one["steps"][0]["body"] for one in pages) == body
    assert "nextTextOffset" not in pages[-1]["steps"][0]


def test_plans_are_listed_by_their_last_change_and_filtered(office: Office) -> None:
    loop = a_loop(office, with_issue=True)
    running, _ = loop.running(a_step())
    office.world.clock.advance(minutes=1)
    apart = office.call("executionPlans.create", {"title": "Apart"})["id"]

    assert [one["id"] for one in office.rows("executionPlans.list")] == [apart, running]
    assert [one["id"] for one in office.rows("executionPlans.list", {"status": "RUNNING"})] == [running]
    of_issue = office.rows("executionPlans.list", {"issueId": loop.issue_id})
    assert [(one["id"], one["doneSteps"]) for one in of_issue] == [(running, 0)]


def test_another_workspaces_plan_and_a_step_of_another_plan_are_not_there(
    office: Office, other_office: Office
) -> None:
    theirs, _ = a_loop(other_office).plan(a_step())
    loop = a_loop(office)
    plan_id, _ = loop.plan(a_step())
    _, (elsewhere,) = loop.plan(a_step())

    assert office.refused("executionPlans.get", {"id": theirs})[0] == 404
    assert office.refused("executionPlans.transition", {"id": theirs, "status": "BLOCKED"})[0] == 404
    asked = {"id": plan_id, "stepId": elsewhere}
    assert office.refused("executionPlans.get", asked) == (400, "invalid_input", {"stepId"})
