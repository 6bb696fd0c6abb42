"""Signs of an agent: to which of its runs belongs what it does on an issue."""

import pytest

from forge.testing.builders import a_caller, a_change, a_run, an_agent, an_issue
from forge.work.issues.announcements import ISSUE_RELEASED, Released
from forge.work.issues.changes import IssueChange, decided_on
from forge.work.issues.runs.runs import RunItem, RunStatus
from tests.workshop.outcomes import at_work

WORKER = an_agent()
AS_WORKER = a_caller(agent_id=WORKER.id)


def test_work_on_an_issue_is_of_the_run_for_it_else_of_the_newest_for_a_step() -> None:
    steps = [a_run(id=f"run_step_{one}", execution_step_id=f"step_{one}") for one in (1, 2)]
    own = a_run(id="run_own")
    during = a_change(at_work(an_issue(), *steps), caller=AS_WORKER, holding=[WORKER, *steps])
    beside = a_change(at_work(an_issue(), own, *steps), caller=AS_WORKER, holding=[WORKER, own, *steps])

    heard = [change.work_on() for change in (during, beside)]

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

    begun = change.work_on()

    assert begun is not None
    assert (begun.execution_step_id, begun.id == last.id) == (goes_on, False)
    assert last.key in decided_on(change.desk)


def an_edit(*runs: RunItem) -> IssueChange:
    change = a_change(at_work(an_issue(), *runs), caller=AS_WORKER, holding=[WORKER, *runs])
    change.is_work = True
    change.set(title="Mend it")
    change.announce(ISSUE_RELEASED, Released(claimed=False), action="release")
    return change


def test_whatever_an_agent_changes_is_a_sign_for_its_run_there() -> None:
    own, of_a_step = a_run(id="run_own"), a_run(id="run_step", execution_step_id="step_1")
    edits = [an_edit(own, of_a_step), an_edit(of_a_step), an_edit(a_run(agent_id="agt_other"))]

    for change in edits:
        change.settle()

    assert [change.seen and change.seen.run_id for change in edits] == ["run_own", "run_step", None]


def test_a_run_that_is_written_anyway_is_written_once() -> None:
    heard, ended = an_edit(a_run()), an_edit(a_run())
    heard.work_on()
    ended.end_runs([a_run().as_live], lambda _: (RunStatus.COMPLETED, "Done."))

    heard.settle()
    ended.settle()

    assert (heard.seen, ended.seen) == (None, None)


def test_who_changes_nothing_or_plans_many_was_not_seen_and_people_keep_no_run_alive() -> None:
    own = a_run()
    issue = at_work(an_issue(), own)
    idle, planned = (a_change(issue, caller=AS_WORKER, holding=[WORKER, own]) for _ in range(2))
    edited = a_change(issue, caller=a_caller(), holding=[WORKER, own])
    idle.is_work = edited.is_work = True
    planned.set(title="Mend it")
    edited.set(title="Mend it")

    for change in (idle, planned, edited):
        change.settle()

    assert [change.seen for change in (idle, planned, edited)] == [None, None, None]
