"""Signs of an agent: to which of its runs belongs what it does on an issue."""

import pytest

from forge.testing.builders import a_caller, a_change, a_run, an_agent, an_issue
from forge.work.issues.changes import decided_on
from forge.work.runs.runs import RunItem, RunStatus
from tests.unit.outcomes import at_work

WORKER = an_agent()
AS_WORKER = a_caller(agent_id=WORKER.id)


def test_work_on_an_issue_is_of_the_run_for_it_else_of_the_newest_for_a_step() -> None:
    steps = [a_run(id=f"run_step_{one}", execution_step_id=f"step_{one}") for one in (1, 2)]
    own = a_run(id="run_own")
    during = a_change(at_work(an_issue(), *steps), caller=AS_WORKER, holding=[WORKER, *steps])
    beside = a_change(at_work(an_issue(), own, *steps), caller=AS_WORKER, holding=[WORKER, own, *steps])

    heard = [change.work_on("COMMENT", {}) for change in (during, beside)]

    assert [run.id if run else None for run in heard] == ["run_step_2", "run_own"]
    assert (during.begun, beside.begun) == ([], [])


@pytest.mark.parametrize(
    ("last", "goes_on"),
    [
        (a_run(status=RunStatus.STALLED, execution_step_id="step_1"), "step_1"),
        (a_run(status=RunStatus.STALLED), None),
        (a_run(status=RunStatus.STALLED, execution_step_id="step_1", agent_id="agt_other"), None),
        (a_run(status=RunStatus.ABANDONED, execution_step_id="step_1"), None),
    ],
)
def test_whoever_let_the_run_for_a_step_stall_goes_on_with_that_step(
    last: RunItem, goes_on: str | None
) -> None:
    issue = an_issue(current_run_id=last.id)
    change = a_change(issue, caller=AS_WORKER, holding=[WORKER, last])

    begun = change.work_on("COMMENT", {})

    assert begun is not None
    assert (begun.execution_step_id, begun.id == last.id) == (goes_on, False)
    assert last.key in decided_on(change.desk)
