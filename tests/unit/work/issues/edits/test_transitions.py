"""Moving an issue: its stamps, what is told, and how the runs end or go on with it."""

from datetime import timedelta

import pytest

from forge.contract.terms import EngagementMode
from forge.errors import InvalidInput
from forge.store.readings import NeverRead
from forge.testing.builders import a_caller, a_change, a_run, a_status, a_workspace, an_agent, an_issue
from forge.testing.clock import NOON
from forge.work.issues import heads
from forge.work.issues.edits import transitions
from forge.work.issues.issues import CLOSED
from forge.work.issues.runs.runs import RunStatus
from forge.work.workspace.statuses import StatusCategory
from tests.workshop.outcomes import at_work, begun_modes, endings, given_to, told, woken

WORKER, OTHER = an_agent(), an_agent("other")
AS_WORKER = a_caller(agent_id=WORKER.id)
EARLIER = NOON - timedelta(days=1)
OPEN = sorted(set(StatusCategory) - CLOSED)
DONE, CANCELED = a_status(StatusCategory.DONE), a_status(StatusCategory.CANCELED)
TODO = a_status(StatusCategory.TODO)

every_open = pytest.mark.parametrize("category", OPEN)
every_closed = pytest.mark.parametrize("category", sorted(CLOSED))


def test_a_status_is_known_by_its_id() -> None:
    assert transitions.status_of(a_workspace(), "sta_todo") == TODO


def test_an_unknown_status_is_a_mistake_in_the_field_that_named_it() -> None:
    for how in ({}, {"field": "reviewStatusId"}):
        with pytest.raises(InvalidInput) as refused:
            transitions.status_of(a_workspace(), "sta_none", **how)
        assert set(refused.value.issues or ()) == {how.get("field", "statusId")}


@pytest.mark.parametrize("category", StatusCategory)
def test_a_status_that_is_reached_is_stamped(category: StatusCategory) -> None:
    stamped = heads.stamps(an_issue(), a_status(category), NOON)

    assert stamped == {
        "status_id": f"sta_{category.lower()}",
        "category": category,
        "started_at": NOON if category is StatusCategory.IN_PROGRESS else None,
        "completed_at": NOON if category is StatusCategory.DONE else None,
        "canceled_at": NOON if category is StatusCategory.CANCELED else None,
    }


@pytest.mark.parametrize("category", StatusCategory)
def test_work_is_stamped_when_it_first_begins_and_stays_so(category: StatusCategory) -> None:
    begun = an_issue(started_at=EARLIER)

    assert heads.stamps(begun, a_status(category), NOON)["started_at"] == EARLIER


def test_an_end_is_stamped_anew_only_after_the_issue_was_opened() -> None:
    done = an_issue(category=StatusCategory.DONE, completed_at=EARLIER)
    canceled = an_issue(category=StatusCategory.CANCELED, canceled_at=EARLIER)

    assert heads.stamps(done, DONE, NOON)["completed_at"] == EARLIER
    assert heads.stamps(canceled, CANCELED, NOON)["canceled_at"] == EARLIER


def test_one_end_takes_the_place_of_the_other_and_an_open_issue_has_none() -> None:
    done = an_issue(category=StatusCategory.DONE, completed_at=EARLIER)

    canceled, opened = (heads.stamps(done, status, NOON) for status in (CANCELED, TODO))

    assert (canceled["completed_at"], canceled["canceled_at"]) == (None, NOON)
    assert (opened["completed_at"], opened["canceled_at"]) == (None, None)


def test_where_an_issue_closes_every_live_run_is_needed_and_else_none() -> None:
    runs = [a_run(), a_run(agent_id=OTHER.id), a_run(id="run_step", execution_step_id="step_1")]
    issue = at_work(an_issue(), *runs)

    assert transitions.runs_to_end(issue, DONE) == [run.key for run in runs]
    assert transitions.runs_to_end(issue, CANCELED) == [run.key for run in runs]
    assert transitions.runs_to_end(issue, TODO) == []


@pytest.mark.parametrize("category", StatusCategory)
def test_what_it_blocks_is_settled_where_it_opens_or_closes(category: StatusCategory) -> None:
    opened, closed = an_issue(blocks=["iss_2"]), an_issue(category=StatusCategory.DONE, blocks=["iss_2"])
    is_closing = category in CLOSED

    assert transitions.issues_to_settle(opened, a_status(category)) == (["iss_2"] if is_closing else [])
    assert transitions.issues_to_settle(closed, a_status(category)) == ([] if is_closing else ["iss_2"])


def test_one_event_tells_where_it_went_and_where_it_came_from() -> None:
    change = a_change(an_issue())

    transitions.move(change, TODO)

    assert change.issue == an_issue(category=StatusCategory.TODO)
    names = {"statusName": "Todo", "fromName": "Backlog"}
    moved = {"statusId": "sta_todo", "from": "sta_backlog", **names}
    assert told(change) == [("ISSUE_STATUS_CHANGED", moved)]


@every_open
def test_a_person_who_moves_an_issue_begins_no_run(category: StatusCategory) -> None:
    change = a_change(an_issue(category=StatusCategory.DONE))

    transitions.move(change, a_status(category))

    assert (change.begun, change.heard, change.issue.live_runs) == ([], [], [])


@every_open
def test_an_agent_that_moves_an_issue_is_at_work_on_it(category: StatusCategory) -> None:
    change, status = a_change(an_issue(), caller=AS_WORKER, holding=[WORKER]), a_status(category)

    transitions.move(change, status)

    (run,) = change.begun
    assert (run.agent_id, run.current_step, run.output_started_at) == (WORKER.id, f"→ {status.name}", NOON)
    assert woken(change) == []


def test_a_run_that_is_there_is_heard_of_with_the_status() -> None:
    run = a_run(status=RunStatus.WAITING)
    change = a_change(at_work(an_issue(), run), caller=AS_WORKER, holding=[run])

    transitions.move(change, TODO)

    (heard,) = change.heard
    assert (heard.run.id, heard.run.status, heard.run.current_step) == (run.id, "ACTIVE", "→ Todo")
    assert change.begun == []


@every_open
def test_among_open_statuses_runs_go_on(category: StatusCategory) -> None:
    run = a_run()
    change = a_change(at_work(an_issue(), run), holding=[run])

    transitions.move(change, a_status(category))

    assert (change.ended, change.issue.live_runs) == ([], [run.as_live])


@pytest.mark.parametrize(
    ("signs", "ending"),
    [({}, "ABANDONED"), ({"acknowledged_at": NOON}, "COMPLETED"), ({"output_started_at": NOON}, "COMPLETED")],
)
def test_what_is_done_completes_runs_that_have_begun_and_abandons_the_others(
    signs: dict[str, object], ending: str
) -> None:
    run = a_run(**signs)
    change = a_change(at_work(an_issue(), run), holding=[run])

    transitions.move(change, DONE)

    assert endings(change) == {run.id: ending}
    assert (change.ended[0].summary or "").startswith("The issue was moved to Done")
    assert (change.issue.live_runs, change.issue.current_run_id) == ([], None)


@pytest.mark.parametrize("status", [RunStatus.ACTIVE, RunStatus.WAITING])
def test_a_run_that_waits_ends_too(status: RunStatus) -> None:
    run = a_run(status=status, output_started_at=EARLIER)
    done, canceled = (a_change(at_work(an_issue(), run), holding=[run]) for _ in range(2))

    transitions.move(done, DONE)
    transitions.move(canceled, CANCELED)

    assert (endings(done), endings(canceled)) == ({run.id: "COMPLETED"}, {run.id: "ABANDONED"})


def test_who_moves_an_issue_to_done_completes_its_own_run_though_it_never_spoke() -> None:
    own, others = a_run(), a_run(agent_id=OTHER.id)
    change = a_change(at_work(an_issue(), own, others), caller=AS_WORKER, holding=[own, others])

    transitions.move(change, DONE)

    assert endings(change) == {own.id: "COMPLETED", others.id: "ABANDONED"}


def test_what_is_canceled_abandons_every_run_whoever_cancels_it() -> None:
    own, begun = a_run(), a_run(agent_id=OTHER.id, output_started_at=EARLIER)
    of_a_step = a_run(id="run_step", execution_step_id="step_1", acknowledged_at=EARLIER)
    runs = [own, begun, of_a_step]
    change = a_change(at_work(an_issue(), *runs), caller=AS_WORKER, holding=runs)

    transitions.move(change, CANCELED)

    assert endings(change) == {run.id: "ABANDONED" for run in runs}
    assert change.issue.live_runs == []


@every_closed
def test_who_closes_an_issue_without_a_run_begins_none(category: StatusCategory) -> None:
    change = a_change(an_issue(), caller=AS_WORKER)

    transitions.move(change, a_status(category))

    assert (change.begun, change.heard) == ([], [])


@every_closed
def test_closing_wakes_nobody(category: StatusCategory) -> None:
    run = a_run()
    change = a_change(at_work(given_to(an_issue(), WORKER), run), holding=[WORKER, run])

    transitions.move(change, a_status(category))

    assert (woken(change), change.touched) == ([], [])


@every_open
def test_any_other_move_is_news_for_who_has_the_issue(category: StatusCategory) -> None:
    issue = given_to(an_issue(category=StatusCategory.DONE), WORKER, EngagementMode.EXECUTE)
    change = a_change(issue, holding=[WORKER])

    transitions.move(change, a_status(category))

    assert woken(change) == [(WORKER.id, "ISSUE_STATUS_CHANGED")]
    assert begun_modes(change) == {WORKER.id: EngagementMode.DISCUSS}


def test_a_completed_run_moves_its_issue_and_begins_no_other() -> None:
    review = a_status(StatusCategory.IN_REVIEW)
    change = a_change(an_issue(), caller=AS_WORKER)

    transitions.move(change, review, by_run_id="run_1")

    (event,) = told(change)
    assert event[1] == {
        "statusId": review.id,
        "statusName": "In Review",
        "from": "sta_backlog",
        "fromName": "Backlog",
        "via": "run-complete",
        "runId": "run_1",
    }
    assert (change.begun, change.heard) == ([], [])


def test_runs_that_were_not_read_can_not_be_ended() -> None:
    change = a_change(at_work(an_issue(), a_run()))

    with pytest.raises(NeverRead):
        transitions.move(change, DONE)
