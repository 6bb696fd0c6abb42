"""A change as a value: what it announces, whose runs begin, are heard of and end, and what nobody read."""

from datetime import timedelta

import pytest

from forge.contract.terms import EngagementMode
from forge.store.readings import NeverRead
from forge.store.transactions import VersionMoved
from forge.testing.builders import a_caller, a_change, a_desk, a_run, an_agent, an_issue
from forge.testing.clock import NOON
from forge.work.issues.announcements import ISSUE_RELEASED, Released
from forge.work.issues.changes import IssueChange, decided_on, keys_of_runs
from forge.work.issues.issues import CLOSED, MAX_LIVE_RUNS
from forge.work.issues.runs.runs import EngagementSource, RunItem, RunStatus
from forge.work.issues.watchers import WatchItem, new_watch
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.statuses import StatusCategory
from tests.workshop.outcomes import at_work, endings, given_to

WORKER = an_agent()
AS_WORKER = a_caller(agent_id=WORKER.id)
OTHERS_RUN = a_run(agent_id="agt_other")


def announce(change: IssueChange, *, is_quiet: bool = False) -> str:
    return change.announce(ISSUE_RELEASED, Released(claimed=False), action="release", is_quiet=is_quiet)


def test_a_change_that_nothing_was_put_into_writes_nothing() -> None:
    change = a_change(an_issue())
    change.settle()

    assert change.is_changed is False
    assert (change.announced, change.begun, change.ended, change.watches) == ([], [], [], [])


def test_another_value_is_written_and_the_same_is_not() -> None:
    changed, same = a_change(an_issue()), a_change(an_issue())

    changed.set(title="Mend it")
    same.set(title="Fix the login")

    assert (changed.is_changed, same.is_changed) == (True, False)
    assert changed.before == an_issue()


def test_a_word_leaves_the_head_alone_unless_a_run_begins_by_it() -> None:
    spoken = a_change(an_issue())
    announce(spoken)
    spoken.settle()
    calling = a_change(given_to(an_issue(), WORKER), holding=[WORKER])
    announce(calling)
    calling.settle()
    touching = a_change(at_work(given_to(an_issue(), WORKER), a_run()), holding=[WORKER])
    announce(touching)
    touching.settle()

    assert (spoken.is_changed, calling.is_changed, touching.is_changed) == (False, True, False)


@pytest.mark.parametrize("category", StatusCategory)
def test_an_issue_opens_or_closes_by_its_category(category: StatusCategory) -> None:
    changed = a_change(an_issue())

    changed.set(category=category)

    assert changed.issue.is_open is (category not in CLOSED)


def test_a_change_is_settled_once() -> None:
    change = a_change(an_issue())
    change.settle()

    with pytest.raises(RuntimeError):
        change.settle()


def test_events_have_ids_of_their_own_which_are_returned() -> None:
    change = a_change(an_issue())

    ids = [announce(change), announce(change)]

    assert [one.id for one in change.announced] == ids
    assert len(set(ids)) == 2


def test_whoever_begins_to_watch_is_written_once_and_who_does_already_is_not() -> None:
    issue = an_issue()
    desk = a_desk(issue)
    known = new_watch(desk.ctx, issue, user_id="usr_1")
    new = WatchItem.at(issue.workspace_id, issue.id, WORKER.id)
    change = a_change(issue, holding=[known], knowing_absent=[new])

    change.watch(user_id="usr_1")
    change.watch(agent_id=WORKER.id)

    (begun,) = change.watches
    assert (begun.agent_id, begun.user_id, begun.issue_id) == (WORKER.id, None, issue.id)


def test_nobody_watches_whose_watch_was_not_read() -> None:
    with pytest.raises(NeverRead):
        a_change(an_issue()).watch(agent_id=WORKER.id)


def test_runs_end_as_they_are_told_to_and_the_issue_lets_go_of_them() -> None:
    own = a_run()
    change = a_change(at_work(an_issue(), OTHERS_RUN, own), holding=[own, OTHERS_RUN])

    change.end_runs([own.as_live], lambda run: (RunStatus.ABANDONED, f"Ends {run.id}."))

    (ended,) = change.ended
    assert (ended.id, ended.status, ended.summary) == (own.id, "ABANDONED", f"Ends {own.id}.")
    assert (ended.finished_at, ended.completed_at) == (NOON, None)
    assert [run.run_id for run in change.issue.live_runs] == [OTHERS_RUN.id]
    assert change.issue.current_run_id == OTHERS_RUN.id


def test_a_completed_run_is_stamped_as_completed() -> None:
    own = a_run()
    change = a_change(at_work(an_issue(), own), holding=[own])

    change.end_runs(change.issue.live_runs, lambda _: (RunStatus.COMPLETED, "Done."))

    assert (change.ended[0].completed_at, change.ended[0].finished_at) == (NOON, NOON)
    assert (change.issue.live_runs, change.issue.current_run_id) == ([], None)


def test_a_run_that_is_gone_is_let_go_of_as_well() -> None:
    own = a_run()
    change = a_change(at_work(an_issue(), own), knowing_absent=[own.key])

    change.end_runs(change.issue.live_runs, lambda _: (RunStatus.COMPLETED, "Done."))

    assert (change.ended, change.issue.live_runs) == ([], [])


def test_a_run_that_was_not_read_can_not_be_ended() -> None:
    change = a_change(at_work(an_issue(), a_run()))

    with pytest.raises(NeverRead):
        change.end_runs(change.issue.live_runs, lambda _: (RunStatus.COMPLETED, "Done."))


def test_another_run_stays_the_current_one_when_an_older_one_ends() -> None:
    change = a_change(at_work(an_issue(), a_run(), OTHERS_RUN))

    change.let_go({a_run().id})

    assert change.issue.current_run_id == OTHERS_RUN.id


def test_a_stalled_run_stays_the_current_one_though_it_is_not_live() -> None:
    change = a_change(at_work(an_issue(), a_run()).changed(current_run_id="run_stalled"))

    change.let_go({a_run().id})

    assert (change.issue.live_runs, change.issue.current_run_id) == ([], "run_stalled")


@pytest.mark.parametrize("category", StatusCategory)
def test_a_word_about_a_closed_issue_is_work_only_for_who_is_at_work_on_it(category: StatusCategory) -> None:
    idle = a_change(an_issue(category=category), caller=AS_WORKER)
    busy = a_change(at_work(an_issue(category=category), a_run()), caller=AS_WORKER)

    assert idle.is_worked_on is (category not in CLOSED)
    assert busy.is_worked_on


def test_an_agent_that_does_something_begins_a_run_of_its_own() -> None:
    issue = given_to(at_work(an_issue(), OTHERS_RUN), WORKER, EngagementMode.REVIEW)
    change = a_change(issue, caller=AS_WORKER, holding=[WORKER])

    run = change.work_on(current_step="thinking")

    assert run is not None
    assert change.begun == [run]
    assert (run.agent_id, run.issue_id, run.status) == (WORKER.id, issue.id, "ACTIVE")
    assert (run.engagement_mode, run.engagement_source) == ("REVIEW", EngagementSource.AGENT_REQUEST)
    assert (run.output_started_at, run.current_step, run.trigger_event_id) == (NOON, "thinking", None)
    assert change.issue.live_runs == [OTHERS_RUN.as_live, run.as_live]
    assert (change.issue.current_run_id, change.heard) == (run.id, [])


@pytest.mark.parametrize(("status", "step"), [(RunStatus.ACTIVE, "before"), (RunStatus.WAITING, None)])
def test_a_run_that_is_there_is_heard_of_and_waits_no_longer(status: RunStatus, step: str | None) -> None:
    own = a_run(status=status, current_step="before", engagement_mode=EngagementMode.RESEARCH)
    change = a_change(at_work(an_issue(), own), caller=AS_WORKER, holding=[own])

    heard = change.work_on()

    expected = {"watch_at": NOON + timedelta(minutes=30), "current_step": step}
    assert heard == own.changed(status=RunStatus.ACTIVE, output_started_at=NOON, **expected)
    (sign,) = change.heard
    assert (sign.run, sign.is_new) == (heard, True)
    assert (change.begun, change.issue) == ([], change.before)


def test_a_first_sign_of_work_keeps_its_time_and_a_new_step_replaces_the_old() -> None:
    earlier = NOON.replace(hour=1)
    own = a_run(output_started_at=earlier, last_event_at=earlier, current_step="before")
    change = a_change(at_work(an_issue(), own), caller=AS_WORKER, holding=[own])

    heard = change.work_on(current_step="after")

    assert heard is not None
    assert (heard.output_started_at, heard.last_event_at, heard.current_step) == (earlier, NOON, "after")


@pytest.mark.parametrize("status", [RunStatus.COMPLETED, RunStatus.ABANDONED, RunStatus.STALLED])
def test_all_is_decided_again_where_the_run_ended_after_the_issue_was_read(status: RunStatus) -> None:
    own = a_run(status=status)
    change = a_change(at_work(an_issue(), own), caller=AS_WORKER, holding=[WORKER, own])

    with pytest.raises(VersionMoved):
        change.work_on()


def full() -> list[RunItem]:
    return [a_run(agent_id=f"agt_{place}") for place in range(MAX_LIVE_RUNS)]


def test_there_is_no_room_for_more_than_so_many_runs() -> None:
    assert at_work(an_issue(), *full()[1:]).has_room
    assert not at_work(an_issue(), *full()).has_room


def test_an_agent_begins_no_run_where_there_is_no_room_but_goes_on_with_its_own() -> None:
    runs = full()
    late = a_change(at_work(an_issue(), *runs), caller=AS_WORKER, holding=[WORKER])
    early = a_change(at_work(an_issue(), *runs), caller=a_caller(agent_id="agt_0"), holding=runs)

    assert late.work_on() is None
    assert (late.begun, late.issue, late.crowded_out) == ([], late.before, [WORKER])
    heard = early.work_on()
    assert heard is not None
    assert (heard.id, early.crowded_out) == (runs[0].id, [])


def test_an_agent_whose_agent_or_run_was_not_read_can_not_work() -> None:
    for issue in (an_issue(), at_work(an_issue(), a_run())):
        with pytest.raises(NeverRead):
            a_change(issue, caller=AS_WORKER).work_on()


def test_a_change_is_decided_on_the_assignee_the_caller_and_its_run() -> None:
    issue = given_to(at_work(an_issue(), a_run(), OTHERS_RUN), an_agent("other"))
    nobodys = a_desk(an_issue(), caller=a_caller())

    wanted = decided_on(a_desk(issue, caller=AS_WORKER))

    assert set(wanted) == {AgentItem.at(issue.workspace_id, "agt_other"), WORKER.key, a_run().key}
    assert decided_on(nobodys) == []
    assert keys_of_runs(issue, issue.live_runs) == [
        RunItem.at(issue.workspace_id, one.run_id) for one in issue.live_runs
    ]


def test_endings_are_kept_in_the_order_of_the_runs() -> None:
    runs = full()
    change = a_change(at_work(an_issue(), *runs), holding=runs)

    change.end_runs(change.issue.live_runs, lambda _: (RunStatus.ABANDONED, "Over."))

    assert list(endings(change)) == [run.id for run in runs]
