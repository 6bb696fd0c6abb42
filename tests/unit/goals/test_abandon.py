"""What a goal that was given up leaves to be done is done, whoever dies meanwhile."""

import pytest

from forge.testing.faults import Fault, FaultAt, ProcessDied
from tests.workshop.interference import COMMIT, let_pass, only
from tests.workshop.office import Office
from tests.workshop.plans import a_loop, a_step


@pytest.mark.parametrize("fault", [Fault.CRASHED, Fault.CRASHED_AFTER])
def test_reaping_that_was_killed_half_way_is_gone_on_with_by_the_next_sweep(
    office: Office, fault: Fault
) -> None:
    loop = a_loop(office, max_parallel=0, with_issue=True)
    plan_id, _ = loop.running(*[a_step(f"Step {one}") for one in range(25)])
    office.sweep()
    office.call("goals.abandon", {"id": loop.goal_id})

    office.interference.handle = only(COMMIT, FaultAt(fault, 1))
    with pytest.raises(ProcessDied):
        office.sweep()
    office.interference.handle = let_pass
    shown = loop.steps(plan_id)
    office.sweep()

    runs = office.rows("runs.list", {"issueId": loop.issue_id})
    assert set(shown) == set(loop.steps(plan_id)) == {"CANCELED"}
    assert [one["status"] for one in runs] == ["ABANDONED"] * len(runs)
    assert len(loop.told("AGENT_RUN_COMPLETED")) == len(runs) > 0


def test_every_attempt_that_is_not_over_is_canceled_with_its_approval(office: Office) -> None:
    loop = a_loop(office)
    draft, _ = loop.plan(a_step())
    running, _ = loop.running(a_step())

    assert office.call("goals.abandon", {"id": loop.goal_id}) == {"ok": True}

    statuses = {one["id"]: one["status"] for one in loop.goal()["plans"]}
    assert statuses == {draft: "CANCELED", running: "CANCELED"}
    assert office.refused("plans.decompose", {"goalId": loop.goal_id})[0] == 409
    assert office.refused("plans.activate", {"planId": draft})[0] == 409


def test_the_runs_of_few_steps_end_with_the_goal(office: Office) -> None:
    loop = a_loop(office, max_parallel=0, with_issue=True)
    plan_id, _ = loop.running(*[a_step(f"Step {one}") for one in range(5)])

    office.call("goals.abandon", {"id": loop.goal_id})

    assert set(loop.steps(plan_id)) == {"CANCELED"}
    assert {one["status"] for one in loop.runs()} == {"ABANDONED"}
