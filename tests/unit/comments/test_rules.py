"""Who may change a comment, what is told of one, whom it calls, and when a status is news."""

from typing import Any

import pytest

from forge.context import Caller, Role
from forge.contract.terms import EngagementMode, Scope
from forge.errors import Forbidden
from forge.store.readings import NeverRead
from forge.testing.builders import WORKSPACE_ID, a_caller, a_change, a_comment, a_run, an_agent, an_issue
from forge.testing.clock import NOON
from forge.work.content.comments import posting
from forge.work.content.comments.comments import CommentItem, CommentKind
from forge.work.content.comments.mentions import Mentioned
from forge.work.issues.changes import IssueChange
from forge.work.issues.issues import CLOSED, IssueItem
from forge.work.issues.runs.reports import Confidence
from forge.work.issues.watchers import WatchItem
from forge.work.workspace.statuses import StatusCategory
from functions.comments import rules
from tests.workshop.outcomes import at_work, begun_modes, given_to, told, woken

WORKER, OTHER = an_agent(), an_agent("other")
AS_WORKER = a_caller(agent_id=WORKER.id)
NOBODY = Mentioned([], [])
NO_MENTIONS: dict[str, list[str]] = {"agentIds": [], "userIds": [], "agents": []}
ADMIN = frozenset({Scope.ADMIN})

BY_PERSON, BY_AGENT = a_comment(author_id="usr_1"), a_comment(authoring_agent_id=WORKER.id)
BY_BOTH = a_comment(author_id="usr_1", authoring_agent_id=WORKER.id)


@pytest.mark.parametrize(
    ("caller", "comment"),
    [
        (a_caller(), BY_PERSON),
        (AS_WORKER, BY_AGENT),
        (AS_WORKER, BY_BOTH),
        (a_caller(user_id="usr_2", role=Role.OWNER), BY_PERSON),
        (a_caller(user_id="usr_2", role=Role.ADMIN), BY_AGENT),
        (a_caller(user_id="usr_2", scopes=ADMIN), BY_PERSON),
        (a_caller(agent_id=OTHER.id, scopes=ADMIN), BY_AGENT),
    ],
)
def test_its_author_and_admins_change_a_comment(caller: Caller, comment: CommentItem) -> None:
    rules.require_author(caller, comment)


@pytest.mark.parametrize(
    ("caller", "comment"),
    [
        (a_caller(user_id="usr_2"), BY_PERSON),
        (a_caller(user_id="usr_2", role=Role.GUEST), BY_PERSON),
        (a_caller(), BY_AGENT),
        (AS_WORKER, BY_PERSON),
        (a_caller(agent_id=WORKER.id, user_id="usr_1"), BY_PERSON),
        (a_caller(agent_id=OTHER.id), BY_AGENT),
        (a_caller(user_id=None, role=None), a_comment()),
    ],
    ids=["another", "a guest", "not the agent", "an agent", "its owner's agent", "another agent", "nobody"],
)
def test_nobody_else_does(caller: Caller, comment: CommentItem) -> None:
    with pytest.raises(Forbidden):
        rules.require_author(caller, comment)


def a_talk(issue: IssueItem, *, caller: Caller | None = None, holding: tuple[Any, ...] = ()) -> IssueChange:
    """On a desk that knows both agents, and that nobody watches yet."""
    watches = [WatchItem.at(WORKSPACE_ID, issue.id, one) for one in (WORKER.id, OTHER.id, "usr_ada")]
    return a_change(issue, caller=caller, holding=[WORKER, OTHER, *holding], knowing_absent=watches)


def test_a_comment_is_told_by_its_beginning_with_whom_it_mentions() -> None:
    change = a_talk(an_issue())

    posting.post(change, a_comment(), "漢" * 130, mentioned=Mentioned([WORKER], ["usr_ada"]))

    assert told(change) == [
        (
            "COMMENT_CREATED",
            {
                "commentId": "cmt_1",
                "issueId": "iss_1",
                "kind": "BODY",
                "preview": "漢" * 120,
                "mentions": {
                    "agentIds": [WORKER.id],
                    "userIds": ["usr_ada"],
                    "agents": [{"id": WORKER.id, "profileKey": "worker"}],
                },
            },
        )
    ]
    assert [watch.watcher_id for watch in change.watches] == [WORKER.id, "usr_ada"]
    assert woken(change) == [(WORKER.id, "COMMENT_CREATED")]


def test_a_confidence_is_told_where_there_is_one() -> None:
    change = a_talk(an_issue())

    posting.post(change, a_comment(confidence=Confidence.LOW), "Perhaps.", mentioned=NOBODY)

    assert told(change)[0][1]["confidence"] == "LOW"


def test_a_persons_word_begins_no_run_and_a_plain_one_wakes_nobody() -> None:
    change = a_talk(an_issue())

    posting.post(change, BY_PERSON, "Hello", mentioned=NOBODY)

    assert (woken(change), change.begun, change.heard, change.is_changed) == ([], [], [], False)


def test_an_agent_works_by_what_it_says() -> None:
    run = a_run()
    beginning = a_talk(an_issue(), caller=AS_WORKER)
    going_on = a_talk(at_work(an_issue(), run), caller=AS_WORKER, holding=(run,))

    for change in (beginning, going_on):
        posting.post(change, BY_AGENT, "x" * 130, mentioned=NOBODY)

    assert (len(beginning.begun), beginning.heard) == (1, [])
    assert ([one.run.id for one in going_on.heard], going_on.begun) == ([run.id], [])


@pytest.mark.parametrize("category", sorted(CLOSED))
def test_a_word_about_a_closed_issue_begins_no_work_but_goes_on_with_it(category: StatusCategory) -> None:
    run, issue = a_run(), an_issue(category=category)
    at_rest = a_talk(issue, caller=AS_WORKER)
    busy = a_talk(at_work(issue, run), caller=AS_WORKER, holding=(run,))

    for change in (at_rest, busy):
        posting.post(change, BY_AGENT, "By the way", mentioned=NOBODY)

    assert (at_rest.begun, at_rest.heard, len(busy.heard)) == ([], [], 1)


def test_whoever_has_the_issue_hears_of_a_comment_and_of_a_mention_as_work() -> None:
    issue = given_to(an_issue(), WORKER, EngagementMode.EXECUTE)
    plain, mentioning = a_talk(issue), a_talk(issue)

    posting.post(plain, BY_PERSON, "One more thing", mentioned=NOBODY)
    posting.post(mentioning, BY_PERSON, "@worker, one more thing", mentioned=Mentioned([WORKER], []))

    assert woken(plain) == woken(mentioning) == [(WORKER.id, "COMMENT_CREATED")]
    assert begun_modes(plain) == {WORKER.id: EngagementMode.DISCUSS}
    assert begun_modes(mentioning) == {WORKER.id: EngagementMode.EXECUTE}


def test_an_agent_that_mentions_itself_is_not_woken_and_another_is() -> None:
    change = a_talk(an_issue(), caller=AS_WORKER)

    posting.post(change, BY_AGENT, "I, @worker, ask @other", mentioned=Mentioned([WORKER, OTHER], []))

    assert woken(change) == [(OTHER.id, "COMMENT_CREATED")]
    assert [run.agent_id for run in change.begun] == [WORKER.id, OTHER.id]


def test_an_edit_wakes_only_those_it_newly_mentions() -> None:
    change = a_talk(given_to(an_issue(), WORKER))

    rules.edit(change, a_comment(), "@other research: why?", mentioned=Mentioned([OTHER], []))

    ((kind, payload),) = told(change)
    assert (kind, payload["edited"], payload["mentions"]["agentIds"]) == ("COMMENT_UPDATED", True, [OTHER.id])
    assert woken(change) == [(OTHER.id, "COMMENT_UPDATED")]
    assert begun_modes(change) == {OTHER.id: EngagementMode.RESEARCH}
    assert [watch.agent_id for watch in change.watches] == [OTHER.id]


def test_an_edit_is_no_work_and_tells_no_more_than_it_is() -> None:
    change = a_talk(an_issue(), caller=AS_WORKER)

    rules.edit(change, BY_AGENT, "Better", mentioned=NOBODY)

    told_of = {"commentId": "cmt_1", "issueId": "iss_1", "edited": True, "preview": "Better"}
    assert told(change) == [("COMMENT_UPDATED", {**told_of, "mentions": NO_MENTIONS})]
    assert (change.begun, change.heard) == ([], [])


def test_that_a_comment_is_gone_is_told_and_wakes_nobody() -> None:
    change = a_talk(given_to(an_issue(), WORKER))

    rules.remove(change, a_comment())

    assert told(change) == [("COMMENT_UPDATED", {"commentId": "cmt_1", "issueId": "iss_1", "deleted": True})]
    assert woken(change) == []


@pytest.mark.parametrize(("is_first", "kind"), [(True, "COMMENT_CREATED"), (False, "COMMENT_UPDATED")])
def test_a_status_is_told_with_its_run_and_its_step_and_calls_nobody_by_name(
    is_first: bool, kind: str
) -> None:
    status = a_comment(kind=CommentKind.STATUS)
    change = a_talk(given_to(an_issue(), OTHER), caller=AS_WORKER)

    rules.roll_on(change, status, a_run(current_step="test"), "@worker going", is_first=is_first)

    assert told(change) == [
        (
            kind,
            {
                "commentId": "cmt_1",
                "issueId": "iss_1",
                "kind": "STATUS",
                "runId": a_run().id,
                "preview": "@worker going",
                "currentStep": "test",
            },
        )
    ]
    assert (woken(change), change.watches) == ([(OTHER.id, kind)], [])


@pytest.mark.parametrize(
    ("comment", "said", "is_news"),
    [
        (None, None, True),
        (a_comment(deleted_at=NOON, current_step="test"), "Going", True),
        (a_comment(current_step="test"), "Going", False),
        (a_comment(current_step="test"), "Gone", True),
        (a_comment(current_step="fix"), "Going", True),
        (a_comment(), "Going", True),
    ],
    ids=["the first", "deleted", "the same", "another text", "another step", "a first step"],
)
def test_a_status_is_news_if_it_says_anything_else(
    comment: CommentItem | None, said: str | None, is_news: bool
) -> None:
    assert rules.is_news(comment, a_run(current_step="test"), said=said, text="Going") is is_news


def test_nobody_is_mentioned_whose_watch_was_not_read() -> None:
    change = a_change(an_issue(), holding=[WORKER])

    with pytest.raises(NeverRead):
        posting.post(change, BY_PERSON, "@worker", mentioned=Mentioned([WORKER], []))
