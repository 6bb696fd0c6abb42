"""Settling a change: whom its events wake, with which run, and in which mode."""

from collections.abc import Iterable

import pytest

from forge.context import Caller
from forge.contract.terms import EngagementMode
from forge.store.items import Item
from forge.store.readings import NeverRead
from forge.testing.builders import a_caller, a_change, a_run, a_workspace, an_agent, an_issue
from forge.testing.clock import NOON
from forge.work.issues.announcements import ISSUE_RELEASED, Released
from forge.work.issues.changes import IssueChange
from forge.work.issues.issues import CLOSED, MAX_LIVE_RUNS, IssueItem
from forge.work.issues.runs.runs import EngagementSource
from forge.work.issues.runs.signs import Touched
from forge.work.issues.runs.silence import given_anew
from forge.work.issues.runs.waking import Reason, WakeCall
from forge.work.record.log.rows import Wake
from forge.work.workspace.statuses import StatusCategory
from tests.workshop.outcomes import at_work, begun_modes, given_to, woken

WORKER, OTHER = an_agent(), an_agent("other")
AS_WORKER = a_caller(agent_id=WORKER.id)
EXECUTE = (EngagementMode.EXECUTE, EngagementSource.SURFACE_DEFAULT)
FULL = at_work(an_issue(), *(a_run(agent_id=f"agt_{place}") for place in range(MAX_LIVE_RUNS)))
KIND = ISSUE_RELEASED.kind


def announced(
    issue: IssueItem,
    *calls: WakeCall,
    caller: Caller | None = None,
    holding: Iterable[Item] = (WORKER, OTHER),
    is_quiet: bool = False,
) -> IssueChange:
    change = a_change(issue, caller=caller, holding=holding)
    change.announce(ISSUE_RELEASED, Released(claimed=False), action="release", calls=calls, is_quiet=is_quiet)
    return change


def mentioned(agent_id: str = WORKER.id) -> WakeCall:
    return WakeCall(agent_id, Reason.MENTIONED, EXECUTE)


def assigned(*, mode: EngagementMode = EngagementMode.EXECUTE) -> WakeCall:
    return WakeCall(WORKER.id, Reason.ASSIGNED, (mode, EngagementSource.EXPLICIT), is_fresh=True)


def test_nobody_is_woken_where_nobody_has_the_issue_and_nobody_is_called() -> None:
    change = announced(an_issue())

    assert (woken(change), change.begun) == ([], [])


def test_whoever_has_the_issue_hears_of_it_in_a_run_to_discuss() -> None:
    change = announced(given_to(an_issue(), WORKER, EngagementMode.EXECUTE))

    assert woken(change) == [(WORKER.id, KIND)]
    (run,) = change.begun
    (event,) = change.announced
    assert (run.engagement_mode, run.engagement_source) == ("DISCUSS", "SURFACE_DEFAULT")
    assert (run.trigger_event_id, run.trigger_kind, run.assignment_event_id) == (event.id, KIND, None)
    assert (run.started_at, run.output_started_at, run.acknowledged_at) == (NOON, None, None)
    assert event.wakes[0].run_id == run.id == change.issue.current_run_id
    assert change.issue.live_runs == [run.as_live]


def test_what_is_quiet_is_told_only_to_those_it_names() -> None:
    issue = given_to(an_issue(), WORKER)

    assert woken(announced(issue, is_quiet=True)) == []
    assert woken(announced(issue, mentioned(OTHER.id), is_quiet=True)) == [(OTHER.id, KIND)]


@pytest.mark.parametrize("category", sorted(CLOSED))
def test_what_happens_to_a_closed_issue_is_told_only_to_those_it_names(category: StatusCategory) -> None:
    issue = given_to(an_issue(category=category), WORKER)

    assert woken(announced(issue)) == []
    assert woken(announced(issue, mentioned(OTHER.id))) == [(OTHER.id, KIND)]


def test_an_archived_agent_hears_nothing() -> None:
    archived = an_agent(archived_at=NOON)

    change = announced(given_to(an_issue(), archived), mentioned(), holding=[archived])

    assert (woken(change), change.begun) == ([], [])


def test_whoever_did_it_hears_nothing_of_it() -> None:
    change = announced(given_to(an_issue(), WORKER), mentioned(), mentioned(OTHER.id), caller=AS_WORKER)

    assert woken(change) == [(OTHER.id, KIND)]
    assert begun_modes(change) == {OTHER.id: EngagementMode.EXECUTE}


def test_who_gives_itself_the_work_has_a_run_and_is_not_woken() -> None:
    change = announced(given_to(an_issue(), WORKER), assigned(), caller=AS_WORKER)

    assert woken(change) == []
    (run,) = change.begun
    assert run.assignment_event_id == run.trigger_event_id == change.announced[0].id


def test_an_agent_is_woken_once_by_the_event_with_the_strongest_reason() -> None:
    change = announced(given_to(an_issue(), WORKER))
    change.announce(ISSUE_RELEASED, Released(claimed=False), action="two", calls=[mentioned()])
    change.announce(ISSUE_RELEASED, Released(claimed=False), action="three", calls=[mentioned()])

    change.settle()

    assert [len(one.wakes) for one in change.announced] == [0, 1, 0]
    assert begun_modes(change) == {WORKER.id: EngagementMode.EXECUTE}


def test_a_live_run_is_touched_and_keeps_its_mode() -> None:
    run = a_run(engagement_mode=EngagementMode.RESEARCH)
    change = announced(at_work(an_issue(), run), mentioned())

    assert woken(change) == [(WORKER.id, KIND)]
    (event,) = change.announced
    fields = {"trigger_event_id": event.id, "trigger_kind": KIND, "called_at": NOON}
    assert change.touched == [Touched(run.as_live, fields, None)]
    assert event.wakes[0].run_id == run.id
    assert (change.begun, change.issue) == ([], change.before)


def test_a_fresh_assignment_gives_a_live_run_its_mode() -> None:
    run = a_run(engagement_mode=EngagementMode.DISCUSS)
    change = announced(at_work(an_issue(), run), assigned())

    change.settle()

    (touched,), event_id = change.touched, change.announced[0].id
    assert touched.new_mode is EngagementMode.EXECUTE
    assert touched.fields == {
        "trigger_event_id": event_id,
        "trigger_kind": KIND,
        "called_at": NOON,
        "assignment_event_id": event_id,
        "engagement_mode": EngagementMode.EXECUTE,
        "engagement_source": EngagementSource.EXPLICIT,
        **given_anew(run.key, a_workspace(), NOON),
    }
    assert [live.mode for live in change.issue.live_runs] == ["EXECUTE"]
    assert change.issue.live_runs[0].run_id == run.id


def test_a_fresh_assignment_in_the_mode_that_a_run_has_is_no_new_mode() -> None:
    change = announced(at_work(an_issue(), a_run()), assigned())

    change.settle()

    assert [touched.new_mode for touched in change.touched] == [None]
    assert change.issue.live_runs == change.before.live_runs


def test_an_agent_is_called_in_its_run_for_a_step_but_an_assignment_begins_one_for_the_issue() -> None:
    of_a_step = at_work(an_issue(), a_run(id="run_step", execution_step_id="step_1"))
    called, given = announced(of_a_step, mentioned()), announced(of_a_step, assigned())

    called.settle()
    given.settle()

    assert ([one.live.run_id for one in called.touched], called.begun) == (["run_step"], [])
    assert (given.touched, len(given.begun)) == ([], 1)


def test_news_begin_no_run_where_there_is_no_room_for_one() -> None:
    change = announced(given_to(FULL, WORKER))

    assert woken(change) == [(WORKER.id, KIND)]
    assert (change.begun, change.issue, change.crowded_out) == ([], change.before, [])


@pytest.mark.parametrize("call", [mentioned(), assigned()], ids=["mentioned", "assigned"])
def test_who_is_called_where_there_is_no_room_is_told_without_a_run(call: WakeCall) -> None:
    change = announced(FULL, call)
    change.settle()

    (event,) = change.announced
    assert event.wakes == [Wake(agent_id=WORKER.id, run_id=None)]
    assert (change.begun, change.issue, change.crowded_out) == ([], change.before, [WORKER])


def test_who_is_at_work_is_called_though_there_is_no_room() -> None:
    call = mentioned("agt_0")

    assert woken(announced(FULL, call, holding=[an_agent("0")])) == [("agt_0", KIND)]


def test_of_several_agents_each_gets_a_run_and_the_last_is_current() -> None:
    change = announced(an_issue(), mentioned(OTHER.id), mentioned())

    assert woken(change) == [(OTHER.id, KIND), (WORKER.id, KIND)]
    assert [run.agent_id for run in change.begun] == [OTHER.id, WORKER.id]
    assert change.issue.live_runs == [run.as_live for run in change.begun]
    assert change.issue.current_run_id == change.begun[-1].id


def test_an_agent_that_was_not_read_is_not_taken_for_one_that_is_gone() -> None:
    with pytest.raises(NeverRead):
        announced(given_to(an_issue(), WORKER), holding=()).settle()
    with pytest.raises(NeverRead):
        announced(an_issue(), mentioned(), holding=()).settle()


def test_an_agent_that_is_gone_is_not_woken() -> None:
    change = a_change(given_to(an_issue(), WORKER), knowing_absent=[WORKER.key])
    change.announce(ISSUE_RELEASED, Released(claimed=False), action="release")

    assert (woken(change), change.begun) == ([], [])
