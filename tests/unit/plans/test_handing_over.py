"""A crew whose members leave in the middle of a plan: what they did goes to whoever is there."""

from tests.workshop.office import Office
from tests.workshop.plans import Loop, a_loop, a_step


def _with_another_worker(loop: Loop) -> str:
    other = str(loop.office.an_agent("another")["id"])
    joins = {"crewId": loop.crew_id, "agentId": other, "role": "WORKER"}
    loop.office.call("agentCrews.addMember", joins)
    return other


def _later(office: Office) -> None:
    office.world.clock.advance(minutes=11)
    office.sweep()


def _workers(loop: Loop, plan_id: str) -> list[str | None]:
    return [
        one["assignedAgentId"] for one in loop.office.call("executionPlans.get", {"id": plan_id})["steps"]
    ]


def test_the_steps_of_an_archived_worker_go_to_another_of_the_crew(office: Office) -> None:
    loop = a_loop(office, max_parallel=2, with_issue=True)
    other = _with_another_worker(loop)
    plan_id, (_, second) = loop.running(a_step("First"), a_step("Second"))
    loop.move(second, "RUNNING")

    office.call("agents.archive", {"id": loop.worker})
    _later(office)

    runs = office.rows("runs.list", {"agentId": other, "status": "ACTIVE"})
    assert loop.steps(plan_id) == ["READY", "READY"]
    assert _workers(loop, plan_id) == [other, other]
    assert sorted(one["currentStep"] for one in runs) == ["First", "Second"]
    assert loop.woken("EXECUTION_STEP_READY") == [loop.worker, loop.worker, other, other]


def test_it_holds_where_a_plan_has_no_issue_and_its_step_names_the_agent(office: Office) -> None:
    loop = a_loop(office)
    other = _with_another_worker(loop)
    plan_id, _ = loop.running(a_step(assignedAgentId=loop.worker))

    office.call("agents.archive", {"id": loop.worker})
    _later(office)

    assert _workers(loop, plan_id) == [other]
    assert loop.told("PLAN_STALLED") == []


def test_a_step_that_failed_is_tried_again_by_somebody_who_is_there(office: Office) -> None:
    loop = a_loop(office)
    other = _with_another_worker(loop)
    plan_id, (step_id,) = loop.running(a_step())
    loop.move(step_id, "REVIEW")
    office.call("agents.archive", {"id": loop.worker})

    loop.judge(step_id, "FAIL")

    assert _workers(loop, plan_id) == [other]


def test_where_nobody_is_left_that_is_told_once_and_who_joins_is_given_the_step(office: Office) -> None:
    loop = a_loop(office)
    plan_id, _ = loop.running(a_step())
    office.call("agents.archive", {"id": loop.worker})
    for _ in range(3):
        _later(office)
    alone = _workers(loop, plan_id)

    other = _with_another_worker(loop)
    _later(office)

    assert alone == [None]
    assert [one["reasonCode"] for one in loop.told("PLAN_STALLED")] == ["no_progress_path"]
    assert _workers(loop, plan_id) == [other]


def test_who_only_leaves_the_crew_finishes_what_was_begun(office: Office) -> None:
    loop = a_loop(office)
    _with_another_worker(loop)
    plan_id, _ = loop.running(a_step())
    (crew,) = office.rows("agentCrews.list")
    (own,) = [one["id"] for one in crew["members"] if one["agentId"] == loop.worker]

    office.call("agentCrews.removeMember", {"memberId": own})
    _later(office)

    assert _workers(loop, plan_id) == [loop.worker]
