"""Plans and steps are moved by hand where that means something."""

from tests.workshop.office import Office
from tests.workshop.plans import a_loop, a_step


def test_a_plan_that_never_ran_does_not_begin_by_hand(office: Office) -> None:
    loop = a_loop(office)
    plan_id, _ = loop.plan(a_step())
    begin = {"id": plan_id, "status": "RUNNING"}

    for status in ("DRAFT", "APPROVED", "BLOCKED"):
        office.call("executionPlans.transition", {"id": plan_id, "status": status})
        assert office.refused("executionPlans.transition", begin)[:2] == (409, "conflict")

    plan = office.call("executionPlans.get", {"id": plan_id})
    assert (plan["startedAt"], loop.steps(plan_id), loop.goal()["status"]) == (None, ["TODO"], "PLANNING")


def test_a_plan_that_was_stopped_goes_on_when_a_person_says_so_and_its_steps_begin(office: Office) -> None:
    loop = a_loop(office)
    plan_id, (first, _) = loop.running(a_step("Design schema"), a_step("Migrate", 0))
    started = office.call("executionPlans.get", {"id": plan_id})["startedAt"]
    office.call("executionPlans.transition", {"id": plan_id, "status": "BLOCKED"})
    loop.move(first, "DONE")
    stopped, go_on = loop.steps(plan_id), {"id": plan_id, "status": "RUNNING"}
    office.world.clock.advance(minutes=5)

    worker = office.an_agents_key(loop.worker)
    assert office.refused("executionPlans.transition", go_on, key=worker)[:2] == (403, "forbidden")
    assert office.call("executionPlans.transition", go_on) == {"ok": True}

    assert (stopped, loop.steps(plan_id)) == (["DONE", "TODO"], ["DONE", "READY"])
    assert office.call("executionPlans.get", {"id": plan_id})["startedAt"] == started


def test_a_plan_that_is_over_stays_so_with_its_steps(office: Office) -> None:
    loop = a_loop(office)
    plan_id, (step_id,) = loop.running(a_step())
    office.call("executionPlans.transition", {"id": plan_id, "status": "CANCELED"})

    assert office.call("executionPlans.transition", {"id": plan_id, "status": "CANCELED"}) == {"ok": True}
    assert office.refused("executionPlans.transition", {"id": plan_id, "status": "RUNNING"})[0] == 409
    moved = {"stepId": step_id, "status": "DONE"}
    assert office.refused("executionPlans.transitionStep", moved)[0] == 409
    assert loop.steps(plan_id) == ["CANCELED"]


def test_a_step_is_begun_by_hand_only_where_the_crew_has_a_place(office: Office) -> None:
    loop = a_loop(office)
    plan_id, (first, second) = loop.running(a_step("One"), a_step("Two"))
    begin = {"stepId": second, "status": "RUNNING"}

    assert office.refused("executionPlans.transitionStep", begin)[:2] == (409, "conflict")
    loop.move(first, "DONE")

    assert loop.steps(plan_id) == ["DONE", "READY"]
    assert office.call("executionPlans.transitionStep", begin) == {"ok": True}


def test_the_run_that_brought_a_step_to_review_has_to_be_there(office: Office, other_office: Office) -> None:
    loop = a_loop(office, with_issue=True)
    theirs = a_loop(other_office, with_issue=True)
    theirs.running(a_step())
    (foreign,) = theirs.runs()
    plan_id, (step_id,) = loop.running(a_step())
    (run,) = loop.runs()
    moved = {"stepId": step_id, "status": "REVIEW"}

    refused = office.refused("executionPlans.transitionStep", {**moved, "sourceRunId": foreign["id"]})
    office.call("executionPlans.transitionStep", {**moved, "sourceRunId": run["id"]})

    (step,) = office.call("executionPlans.get", {"id": plan_id})["steps"]
    assert refused == (400, "invalid_input", {"sourceRunId"})
    assert (step["status"], step["sourceRunId"]) == ("REVIEW", run["id"])
    assert other_office.refused("executionPlans.transitionStep", moved)[0] == 404


def test_a_raised_limit_lets_every_plan_that_waits_begin(office: Office) -> None:
    loop = a_loop(office)
    loop.running(a_step())
    waiting = []
    for number in range(2):
        goal = {"title": f"Another {number}", "crewId": loop.crew_id}
        waiting.append(loop._replace(goal_id=office.call("goals.create", goal)["id"]).running(a_step())[0])
    before = [loop.steps(one) for one in waiting]

    office.call("agentCrews.update", {"id": loop.crew_id, "maxParallel": 3})
    office.sweep()

    assert before == [["TODO"], ["TODO"]]
    assert [loop.steps(one) for one in waiting] == [["READY"], ["READY"]]


def test_a_plan_that_is_about_to_wait_when_the_limit_is_raised_begins_at_once(office: Office) -> None:
    loop = a_loop(office)
    loop.running(a_step())
    other = {"title": "Another", "crewId": loop.crew_id}
    second = loop._replace(goal_id=office.call("goals.create", other)["id"])
    plan_id, _ = second.plan(a_step())
    raised = {"id": loop.crew_id, "maxParallel": 2}

    office.meanwhile(lambda: office.call("agentCrews.update", raised))
    office.call("plans.activate", {"planId": plan_id})

    assert loop.steps(plan_id) == ["READY"]
