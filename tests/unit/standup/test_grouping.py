"""What belongs in somebody's standup: what they closed and opened, what they are at, and what waits."""

from datetime import timedelta
from typing import Any

import pytest

from forge.context import Caller
from forge.testing.builders import a_caller, an_issue
from forge.testing.clock import NOON
from forge.work.issues.issues import IssueItem
from forge.work.record.log.kinds import EventKind
from forge.work.record.log.rows import LogItem
from functions.standup.rules import Groups, grouped, is_move

SINCE = NOON - timedelta(hours=24)
BEFORE = SINCE - timedelta(milliseconds=1)
PERSON = a_caller(user_id="usr_1", agent_id=None)
AGENT = a_caller(user_id=None, agent_id="agt_1")

MINE: dict[str, Any] = {"assignee_ids": frozenset({"usr_1", "usr_2"})}
OLD = {"created_at": BEFORE, "updated_at": NOON}


def a_row(**fields: Any) -> LogItem:
    usual = {
        "workspace_id": "ws_1",
        "id": "evt_1",
        "kind": EventKind.ISSUE_STATUS_CHANGED,
        "subject_type": "issue",
        "subject_id": "iss_1",
        "action": "transition",
        "tool": "issues.transition",
        "key_id": "key_1",
        "request_id": "req_1",
        "actor_user_id": "usr_1",
        "created_at": NOON,
    }
    return LogItem.model_validate(usual | fields)


def of(issue: IssueItem, me: Caller = PERSON) -> Groups:
    """The groups of somebody for whom there is just this issue."""
    return grouped([issue], [issue], [], me, since=SINCE, now=NOON)


def headings(groups: Groups) -> set[str]:
    return {name for name in ("closed", "opened", "in_progress", "blocked") if getattr(groups, name).total}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({**OLD, "completed_at": SINCE, "category": "DONE", "author_id": "usr_1"}, {"closed"}),
        ({**OLD, "completed_at": NOON, "category": "DONE", **MINE}, {"closed"}),
        ({**OLD, "completed_at": BEFORE, "category": "DONE", **MINE}, set()),
        ({**OLD, "completed_at": NOON, "category": "DONE", "author_id": "usr_2"}, set()),
        ({"created_at": SINCE, "author_id": "usr_1"}, {"opened"}),
        ({"created_at": BEFORE, "author_id": "usr_1"}, set()),
        ({"created_at": NOON, "author_id": "usr_2", **MINE}, set()),
        ({**OLD, **MINE, "category": "IN_PROGRESS"}, {"in_progress"}),
        ({**OLD, **MINE, "category": "IN_REVIEW"}, set()),
        ({**OLD, "category": "IN_PROGRESS", "author_id": "usr_1"}, set()),
        ({**OLD, **MINE, "updated_at": NOON - timedelta(days=3)}, set()),
        ({**OLD, **MINE, "updated_at": NOON - timedelta(days=3, seconds=1)}, {"blocked"}),
        ({**OLD, **MINE, "updated_at": NOON - timedelta(days=9), "category": "CANCELED"}, set()),
    ],
)
def test_an_issue_stands_where_it_belongs(fields: dict[str, Any], expected: set[str]) -> None:
    assert headings(of(an_issue(**fields))) == expected


def test_an_agents_standup_is_its_own_and_not_that_of_a_person() -> None:
    written = an_issue(created_at=NOON, author_agent_id="agt_1")
    given = an_issue(**OLD, category="IN_PROGRESS", assigned_agent_id="agt_1")

    assert (headings(of(written, AGENT)), headings(of(given, AGENT))) == ({"opened"}, {"in_progress"})
    assert headings(of(written)) == headings(of(given)) == set()
    assert headings(of(an_issue(created_at=NOON), AGENT)) == set()


def test_what_an_agent_took_and_finished_is_its_own_although_the_claim_is_over() -> None:
    taken = an_issue(**OLD, category="IN_PROGRESS", claimed_by_agent_id="agt_1")
    finished = an_issue(**OLD, category="DONE", completed_at=NOON)
    move = a_row(actor_user_id=None, actor_agent_id="agt_1")

    groups = grouped([finished], [], [move], AGENT, since=SINCE, now=NOON)

    assert headings(of(taken, AGENT)) == {"in_progress"}
    assert (headings(groups), groups.moved) == ({"closed"}, 1)
    assert headings(grouped([finished], [], [a_row()], PERSON, since=SINCE, now=NOON)) == set()


def test_the_latest_come_first_but_what_waits_longest_and_all_are_counted() -> None:
    opened = [
        an_issue(
            id=f"iss_o{number}",
            number=number,
            author_id="usr_1",
            created_at=SINCE + timedelta(minutes=number),
        )
        for number in range(25)
    ]
    waiting = [
        an_issue(id=f"iss_w{number}", number=number, **MINE, updated_at=NOON - timedelta(days=4 + number))
        for number in range(12)
    ]

    groups = grouped(opened, waiting, [a_row()] * 77, PERSON, since=SINCE, now=NOON)

    assert [issue.number for issue in groups.opened.shown] == [*range(24, 4, -1)]
    assert [issue.number for issue in groups.blocked.shown] == [*range(11, 1, -1)]
    assert (groups.opened.total, groups.blocked.total, groups.moved) == (25, 12, 50)


def test_a_move_is_a_change_of_an_issue_by_oneself() -> None:
    assert is_move(a_row(), PERSON)
    assert is_move(a_row(actor_user_id=None, actor_agent_id="agt_1"), AGENT)
    assert not is_move(a_row(), AGENT)
    assert not is_move(a_row(actor_user_id="usr_2"), PERSON)
    assert not is_move(a_row(kind=EventKind.COMMENT_CREATED), PERSON)
    assert not is_move(a_row(kind=EventKind.ISSUE_CREATED), PERSON)
    assert not is_move(a_row(kind=None), PERSON)
    assert not is_move(a_row(subject_type="agent-run"), PERSON)
