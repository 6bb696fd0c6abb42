"""Giving an issue to an agent: its mode, its run, its watch, its template, and whose run ends."""

from typing import Any

import pytest

from forge.contract.terms import EngagementMode
from forge.errors import Conflict
from forge.testing.builders import (
    a_body,
    a_caller,
    a_change,
    a_label,
    a_run,
    a_workspace,
    an_agent,
    an_issue,
)
from forge.testing.clock import NOON
from forge.work.issues import assignments
from forge.work.issues.changes import IssueChange
from forge.work.issues.issues import BodyItem, IssueItem
from forge.work.issues.runs.runs import RunItem
from forge.work.issues.watchers import WatchItem
from forge.work.record.texts import KeptText
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.statuses import StatusCategory
from forge.work.workspace.workspaces import WorkspaceItem
from tests.workshop.outcomes import at_work, begun_modes, endings, given_to, kinds, told, woken

WORKER, OTHER = an_agent(), an_agent("other")
STARTS = a_workspace(started_status_id="sta_in_progress")
OF_OTHER = given_to(an_issue(), OTHER, EngagementMode.REVIEW)
FREE, BEGUN = [StatusCategory.BACKLOG, StatusCategory.TODO], ["IN_PROGRESS", "IN_REVIEW", "DONE", "CANCELED"]

every_mode = pytest.mark.parametrize("mode", EngagementMode)


def a_giving(
    issue: IssueItem,
    agent: AgentItem = WORKER,
    *runs: RunItem,
    workspace: WorkspaceItem | None = None,
    body: BodyItem | None = None,
    by: AgentItem | None = None,
) -> IssueChange:
    """A change that can give the issue to this agent, who does not watch it yet."""
    return a_change(
        issue,
        caller=a_caller(agent_id=by.id) if by else None,
        workspace=workspace,
        holding=[WORKER, OTHER, agent, body or a_body(), *runs],
        knowing_absent=[WatchItem.at(issue.workspace_id, issue.id, agent.id)],
    )


def assigned(issue: IssueItem, *, mode: EngagementMode | None = None, **how: Any) -> IssueChange:
    change = a_giving(issue, **how)
    assignments.assign(change, how.get("agent", WORKER), mode=mode)
    return change


def payload(change: IssueChange) -> dict[str, Any]:
    """Of the first event, without the issue in a few words."""
    kind, payload = told(change)[0]
    assert kind == "AGENT_ASSIGNED"
    return {name: value for name, value in payload.items() if name != "issueSnapshot"}


def test_the_first_agent_has_the_issue_and_a_run_that_waits_for_it() -> None:
    change = assigned(an_issue())

    assert (change.issue.assigned_agent_id, change.issue.assignment_mode) == (WORKER.id, "EXECUTE")
    assert payload(change) == {
        "agentId": WORKER.id,
        "previousAgentId": None,
        "engagementMode": "EXECUTE",
    }
    assert woken(change) == [(WORKER.id, "AGENT_ASSIGNED")]
    (run,), (event,) = change.begun, change.announced
    assert run.trigger_event_id == run.assignment_event_id == event.id
    assert (run.output_started_at, change.issue.current_run_id) == (None, run.id)


@every_mode
def test_a_mode_that_is_named_counts_more_than_all_others(mode: EngagementMode) -> None:
    agent = an_agent(engagement_mode=EngagementMode.REVIEW)
    change = assigned(an_issue(), agent=agent, mode=mode)

    change.settle()

    assert begun_modes(change) == {agent.id: mode}
    assert change.begun[0].engagement_source == "EXPLICIT"
    assert change.issue.assignment_mode is mode
    assert payload(change)["engagementMode"] == mode


def test_the_issue_is_told_in_a_few_words_as_it_became() -> None:
    labels = [a_label("bug"), a_label("a11y"), a_label("gone")]
    issue = an_issue(priority="HIGH", label_ids={label.id for label in labels})
    change = a_change(
        issue,
        workspace=STARTS,
        holding=[WORKER, a_body(), *labels[:2]],
        knowing_absent=[labels[2].key, WatchItem.at(issue.workspace_id, issue.id, WORKER.id)],
    )

    assignments.assign(change, WORKER)

    assert told(change)[0][1]["issueSnapshot"] == {
        "id": issue.id,
        "number": 1,
        "title": "Fix the login",
        "priority": "HIGH",
        "statusId": "sta_in_progress",
        "projectId": None,
        "labelNames": ["a11y", "bug"],
    }


def test_the_run_of_who_had_it_is_abandoned_and_who_had_it_is_not_woken() -> None:
    former, bystanders = a_run(agent_id=OTHER.id), a_run(agent_id="agt_third")
    of_a_step = a_run(id="run_step", agent_id=OTHER.id, execution_step_id="step_1")
    issue = at_work(OF_OTHER, bystanders, of_a_step, former)
    change = a_giving(issue, WORKER, former, bystanders, of_a_step)

    assignments.assign(change, WORKER)

    assert endings(change) == {former.id: "ABANDONED"}
    assert change.ended[0].summary == "The issue was given to @worker."
    assert payload(change)["previousAgentId"] == OTHER.id
    assert woken(change) == [(WORKER.id, "AGENT_ASSIGNED")]
    live = [run.run_id for run in change.issue.live_runs]
    assert live == [bystanders.id, of_a_step.id, change.begun[0].id]


def test_the_same_agent_in_another_mode_keeps_all_but_the_mode() -> None:
    issue = given_to(an_issue(), WORKER, EngagementMode.DISCUSS)
    change = assigned(issue, mode=EngagementMode.EXECUTE)

    assert payload(change) == {
        "agentId": WORKER.id,
        "previousAgentId": WORKER.id,
        "engagementMode": "EXECUTE",
        "modeUpdated": True,
    }
    assert (change.issue.assignment_mode, change.ended) == ("EXECUTE", [])
    assert woken(change) == [(WORKER.id, "AGENT_ASSIGNED")]
    assert begun_modes(change) == {WORKER.id: EngagementMode.EXECUTE}


def test_a_run_that_a_mention_began_goes_on_in_the_new_mode() -> None:
    run = a_run(engagement_mode=EngagementMode.DISCUSS)
    change = a_giving(at_work(an_issue(), run), WORKER, run)

    assignments.assign(change, WORKER, mode=EngagementMode.RESEARCH)
    change.settle()

    assert (change.begun, change.ended) == ([], [])
    assert [touched.new_mode for touched in change.touched] == [EngagementMode.RESEARCH]


def test_an_agent_may_give_away_what_it_has_and_take_what_nobody_has() -> None:
    former = a_run(agent_id=OTHER.id)
    giving = a_giving(at_work(OF_OTHER, former), WORKER, former, by=OTHER)
    taking = a_giving(an_issue(), by=WORKER)

    assignments.assign(giving, WORKER)
    assignments.assign(taking, WORKER)

    assert woken(giving) == [(WORKER.id, "AGENT_ASSIGNED")]
    assert woken(taking) == []
    assert begun_modes(taking) == {WORKER.id: EngagementMode.EXECUTE}


def test_nobody_has_what_is_taken_back_and_nobody_is_woken() -> None:
    run = a_run(agent_id=OTHER.id)
    change = a_change(at_work(OF_OTHER, run), holding=[OTHER, run])

    assignments.take_back(change)

    assert payload(change) == {"agentId": None, "previousAgentId": OTHER.id}
    assert (change.issue.assigned_agent_id, change.issue.assignment_mode) == (None, None)
    assert (endings(change), change.ended[0].summary) == ({run.id: "ABANDONED"}, "The issue was taken back.")
    assert (woken(change), change.announced[0].action) == ([], "unassign")


def test_a_handoff_tells_from_whom_to_whom_and_why() -> None:
    former = a_run(agent_id=OTHER.id)
    change = a_giving(at_work(OF_OTHER, former), WORKER, former)

    assignments.hand_over(change, WORKER, rationale="Needs a review.", comment_id="cmt_1")

    assert payload(change) == {
        "auto": False,
        "from": OTHER.id,
        "to": WORKER.id,
        "reason": "handoff",
        "rationale": "Needs a review.",
        "commentId": "cmt_1",
    }
    assert endings(change) == {former.id: "ABANDONED"}
    assert woken(change) == [(WORKER.id, "AGENT_ASSIGNED")]
    assert [watch.agent_id for watch in change.watches] == [WORKER.id]


def test_a_handoff_of_what_nobody_had_comes_from_nobody_and_begins_it() -> None:
    change = a_giving(an_issue(), workspace=STARTS)

    assignments.hand_over(change, WORKER, rationale="Needs a review.", comment_id="cmt_1")

    assert (payload(change)["from"], payload(change)["autoTransitionedTo"]) == (None, "sta_in_progress")


@pytest.mark.parametrize("category", FREE)
def test_work_begins_where_the_workspace_says_so(category: StatusCategory) -> None:
    change = assigned(an_issue(category=category), workspace=STARTS)

    assert (change.issue.status_id, change.issue.category) == ("sta_in_progress", "IN_PROGRESS")
    assert change.issue.started_at == NOON
    assert payload(change)["autoTransitionedTo"] == "sta_in_progress"
    assert kinds(change) == ["AGENT_ASSIGNED"]


@pytest.mark.parametrize("category", BEGUN)
def test_what_has_begun_stays_where_it_is(category: str) -> None:
    change = assigned(an_issue(category=category), workspace=STARTS)

    assert (change.issue.category, "autoTransitionedTo" in payload(change)) == (category, False)


@pytest.mark.parametrize("mode", sorted(set(EngagementMode) - {EngagementMode.EXECUTE}))
def test_nothing_begins_for_who_is_not_to_do_it(mode: EngagementMode) -> None:
    change = assigned(an_issue(), workspace=STARTS, mode=mode)

    assert (change.issue.category, "autoTransitionedTo" in payload(change)) == ("BACKLOG", False)


@pytest.mark.parametrize("status_id", [None, "sta_gone"])
def test_nothing_begins_where_the_workspace_names_no_status_that_there_is(status_id: str | None) -> None:
    change = assigned(an_issue(), workspace=a_workspace(started_status_id=status_id))

    assert change.issue.category == "BACKLOG"


TEMPLATED = an_agent(template_markdown="## Steps")


@pytest.mark.parametrize("text", [None, KeptText(text=""), KeptText(text="  \n")])
def test_a_template_fills_an_empty_description_and_wakes_nobody_twice(text: KeptText | None) -> None:
    change = assigned(an_issue(), agent=TEMPLATED, body=a_body(description=text))

    assert change.description == "## Steps"
    assert told(change)[1] == (
        "ISSUE_UPDATED",
        {
            "fromAgentTemplate": True,
            "agentId": TEMPLATED.id,
            "profileKey": "worker",
            "description": True,
        },
    )
    assert woken(change) == [(TEMPLATED.id, "AGENT_ASSIGNED")]
    assert len(change.begun) == 1


@pytest.mark.parametrize("text", [KeptText(text="Mine"), KeptText(blob="texts/somewhere")])
def test_a_template_never_touches_a_text(text: KeptText) -> None:
    change = assigned(an_issue(), agent=TEMPLATED, body=a_body(description=text))

    assert (change.description, kinds(change)) == (None, ["AGENT_ASSIGNED"])


@pytest.mark.parametrize("template", [None, ""])
def test_who_has_no_template_leaves_the_description_empty(template: str | None) -> None:
    change = assigned(an_issue(), agent=an_agent(template_markdown=template))

    assert (change.description, kinds(change)) == (None, ["AGENT_ASSIGNED"])


def test_the_agent_watches_from_then_on() -> None:
    assert [watch.agent_id for watch in assigned(an_issue()).watches] == [WORKER.id]


def test_an_archived_agent_gets_nothing() -> None:
    assignments.require_available(WORKER)

    with pytest.raises(Conflict):
        assignments.require_available(an_agent(archived_at=NOON))
