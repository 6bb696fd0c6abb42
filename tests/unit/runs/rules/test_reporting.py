"""The end of a run as its agent reports it, and where the issue goes then."""

from typing import Any

import pytest

from forge.contract.terms import EngagementMode
from forge.errors import ModeForbidden
from forge.testing.builders import a_caller, a_change, a_run, a_status, a_workspace, an_agent, an_issue
from forge.testing.clock import NOON
from forge.work.issues.changes import IssueChange
from forge.work.issues.issues import IssueItem
from forge.work.issues.runs.reports import Confidence, RunVerdict
from forge.work.issues.runs.runs import CONTRACT_VERSION, TOLD_OF_SUMMARY, RunItem, RunStatus
from forge.work.workspace.statuses import StatusCategory
from forge.work.workspace.workspaces import WorkspaceItem
from functions.runs.rules import reporting as rules
from functions.runs.rules.reporting import RunReport
from tests.workshop.outcomes import at_work, begun_modes, endings, given_to, told, woken

WORKER, OTHER = an_agent(), an_agent("other")
REVIEWS = a_workspace(review_status_id="sta_in_review")
STAYS = a_workspace(review_status_id="sta_in_review", move_on_complete=False)
NOT_THAT_FAR = [StatusCategory.BACKLOG, StatusCategory.TODO, StatusCategory.IN_PROGRESS]
FURTHER = [StatusCategory.IN_REVIEW, StatusCategory.DONE, StatusCategory.CANCELED]


def a_report(**said: Any) -> RunReport:
    usual: dict[str, Any] = {"summary": "Fixed it.", "artifact_ids": ["art_1"]}
    nothing: dict[str, Any] = {"results": [], "follow_ups": [], "confidence": None, "verdict": None}
    return RunReport(**{**usual, **nothing, **said})


def completed(
    issue: IssueItem, run: RunItem, *, workspace: WorkspaceItem = REVIEWS, **said: Any
) -> IssueChange:
    """A change in which the run's agent says that it is done."""
    caller = a_caller(agent_id=run.agent_id)
    change = a_change(issue, caller=caller, workspace=workspace, holding=[WORKER, OTHER, run])
    status = rules.next_status(workspace, issue, run, wanted=None)
    rules.complete(change, run, a_report(**said), status=status)
    return change


def test_where_the_agent_says_goes_before_review() -> None:
    run = a_run()
    done = a_status(StatusCategory.DONE)

    assert rules.next_status(REVIEWS, an_issue(), run, wanted=done) == done
    there = an_issue(status_id=done.id, category=StatusCategory.DONE)
    assert rules.next_status(REVIEWS, there, run, wanted=done) is None


@pytest.mark.parametrize("mode", EngagementMode)
def test_only_execution_changes_the_issue_at_its_end(mode: EngagementMode) -> None:
    run = a_run(engagement_mode=mode)

    rules.require_execution(run, given={"artifact": None, "transitionTo": None})

    if mode is EngagementMode.EXECUTE:
        rules.require_execution(run, given={"artifact": None, "transitionTo": "Done"})
    else:
        with pytest.raises(ModeForbidden):
            rules.require_execution(run, given={"artifact": None, "transitionTo": "Done"})


def test_the_run_is_over_with_its_report() -> None:
    run = a_run(last_event_at=NOON.replace(hour=1))

    change = completed(at_work(an_issue(), run), run, confidence=Confidence.HIGH)

    (ended,) = change.ended
    assert (ended.id, ended.status, ended.summary) == (run.id, RunStatus.COMPLETED, "Fixed it.")
    assert ended.finished_at == ended.completed_at == ended.last_event_at == NOON
    assert ended.produced_artifact_ids == ["art_1"]
    assert ended.completion_meta == {
        "contractVersion": CONTRACT_VERSION,
        "mode": "EXECUTE",
        "confidence": "HIGH",
    }


@pytest.mark.parametrize("mode", EngagementMode)
def test_words_that_a_mode_does_not_need_are_kept_and_those_not_said_are_left_out(
    mode: EngagementMode,
) -> None:
    run = a_run(engagement_mode=mode)
    usual = {"contractVersion": CONTRACT_VERSION, "mode": mode}

    silent = completed(at_work(an_issue(), run), run)
    talking = completed(at_work(an_issue(), run), run, confidence=Confidence.LOW, verdict=RunVerdict.APPROVE)

    assert silent.ended[0].completion_meta == usual
    assert talking.ended[0].completion_meta == {**usual, "confidence": "LOW", "verdict": "APPROVE"}


def test_the_run_keeps_only_the_beginning_of_a_long_summary() -> None:
    change = completed(at_work(an_issue(), a_run()), a_run(), summary="🚀" * 50_000)

    assert change.ended[0].summary == "🚀" * TOLD_OF_SUMMARY


def test_the_issue_lets_go_of_the_run_and_the_others_go_on() -> None:
    run, others = a_run(), a_run(agent_id=OTHER.id)

    change = completed(at_work(an_issue(), others, run), run, workspace=STAYS)

    assert change.issue == at_work(an_issue(), others)
    assert endings(change) == {run.id: "COMPLETED"}
    assert told(change) == []


@pytest.mark.parametrize("category", NOT_THAT_FAR)
def test_done_work_goes_to_review_where_the_workspace_says_so(category: StatusCategory) -> None:
    run, issue = a_run(), an_issue(category=category)

    change = completed(at_work(issue, run), run)

    assert (change.issue.status_id, change.issue.category) == ("sta_in_review", "IN_REVIEW")
    ((kind, payload),) = told(change)
    assert (kind, payload["statusId"], payload["from"]) == (
        "ISSUE_STATUS_CHANGED",
        "sta_in_review",
        issue.status_id,
    )
    assert (payload["via"], payload["runId"]) == ("run-complete", run.id)
    assert (change.begun, change.heard) == ([], [])


@pytest.mark.parametrize("category", FURTHER)
def test_an_issue_that_is_further_stays_there(category: StatusCategory) -> None:
    change = completed(at_work(an_issue(category=category), a_run()), a_run())

    assert (change.issue, change.announced) == (an_issue(category=category), [])


@pytest.mark.parametrize("mode", sorted(set(EngagementMode) - {EngagementMode.EXECUTE}))
def test_only_work_goes_to_review(mode: EngagementMode) -> None:
    assert rules.review_status(REVIEWS, an_issue(), a_run()) is not None
    assert rules.review_status(REVIEWS, an_issue(), a_run(engagement_mode=mode)) is None


@pytest.mark.parametrize("status_id", [None, "sta_gone", "sta_done", "sta_todo"])
def test_where_the_workspace_names_no_status_of_review_it_is_the_first(status_id: str | None) -> None:
    workspace = a_workspace(review_status_id=status_id)
    without = workspace.changed(statuses=[one for one in workspace.statuses if one.id != "sta_in_review"])

    found = rules.review_status(workspace, an_issue(), a_run())

    assert found is not None
    assert found.id == "sta_in_review"
    assert rules.review_status(without, an_issue(), a_run()) is None


def test_nothing_goes_to_review_where_the_workspace_does_not_want_it() -> None:
    assert rules.review_status(STAYS, an_issue(), a_run()) is None


def test_the_agent_is_not_woken_by_its_own_completion_and_keeps_the_issue() -> None:
    issue = given_to(at_work(an_issue(), a_run()), WORKER, EngagementMode.EXECUTE)

    change = completed(issue, a_run())

    assert (woken(change), change.begun) == ([], [])
    assert (change.issue.assigned_agent_id, change.issue.assignment_mode) == (WORKER.id, "EXECUTE")


def test_whoever_has_the_issue_hears_that_it_goes_to_review() -> None:
    own, assignees = a_run(), a_run(agent_id=OTHER.id)
    busy = given_to(at_work(an_issue(), assignees, own), OTHER)
    at_rest = given_to(at_work(an_issue(), own), OTHER)

    touching, waking = completed(busy, own), completed(at_rest, own)

    assert woken(touching) == woken(waking) == [(OTHER.id, "ISSUE_STATUS_CHANGED")]
    assert [touched.live.run_id for touched in touching.touched] == [assignees.id]
    assert begun_modes(waking) == {OTHER.id: EngagementMode.DISCUSS}


def test_whoever_has_the_issue_hears_nothing_where_it_stays() -> None:
    issue = given_to(at_work(an_issue(), a_run()), OTHER)

    assert woken(completed(issue, a_run(), workspace=STAYS)) == []
