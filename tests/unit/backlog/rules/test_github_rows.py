"""What an issue on GitHub means to a backlog."""

from dataclasses import replace
from datetime import timedelta

import pytest

from forge.github.records import GitHubIssue
from forge.testing.clock import NOON
from forge.work.backlog.repositories import Provider, RepositoryItem
from forge.work.backlog.trackers import github_rows
from forge.work.backlog.trackers.errands import ErrandItem
from forge.work.backlog.trackers.github_rows import NOTHING, KnownMarks
from forge.work.backlog.workflows.workflows import WorkflowItem
from forge.work.issues.backlog_rows.places import COLORS, BacklogStatus
from forge.work.issues.backlog_rows.rows import Shelf
from forge.work.issues.issues import Priority

REPOSITORY = RepositoryItem(
    workspace_id="ws_1",
    id="repo_1",
    full_name="acme/app",
    provider=Provider.GITHUB,
    secret="s",
    created_at=NOON,
    updated_at=NOON,
)


def an_issue(*labels: str, assignees: tuple[str, ...] = (), open_blockers: int = 0) -> GitHubIssue:
    return GitHubIssue(
        number=12,
        title="Login hangs",
        body="",
        url="https://github.com/acme/app/issues/12",
        state="open",
        labels=labels,
        assignees=assignees,
        author="octocat",
        created_at=NOON,
        updated_at=NOON,
        closed_at=None,
        is_pull_request=False,
        open_blockers=open_blockers,
    )


def a_workflow(**more: object) -> WorkflowItem:
    given: dict[str, object] = {
        "workspace_id": "ws_1",
        "repository_id": "repo_1",
        "repository": "acme/app",
        "number": 12,
        "issue_id": "acme/app#12",
        "title": "Login hangs",
        "key_id": "key_1",
        "session_id": "s",
        "fence": 3,
        "started_at": NOON,
        "lease_expires_at": NOON + timedelta(minutes=30),
    }
    return WorkflowItem(**{**given, **more})


def an_errand(turn: int, **more: object) -> ErrandItem:
    return ErrandItem(
        workspace_id="ws_1",
        repository_id="repo_1",
        number=12,
        turn=turn,
        created_at=NOON,
        look_at=NOON,
        **more,
    )


@pytest.mark.parametrize(
    ("labels", "priority"),
    [
        ((), Priority.NONE),
        (("priority:low", "priority:critical"), Priority.URGENT),
        (("priority:P0", "Priority:High"), Priority.HIGH),
    ],
)
def test_of_several_priorities_the_highest_valid_one_counts(
    labels: tuple[str, ...], priority: Priority
) -> None:
    assert github_rows.row_of(an_issue(*labels), REPOSITORY, NOTHING).priority is priority


def test_type_blocking_and_blockers_come_from_labels_and_dependencies() -> None:
    row = github_rows.row_of(an_issue("type:bug", "blocker", open_blockers=2), REPOSITORY, NOTHING)

    assert (row.type, row.is_blocking, row.is_blocked) == ("bug", True, True)


@pytest.mark.parametrize(
    ("labels", "assignees", "shelf"),
    [
        (("status:backlog",), (), Shelf.FREE),
        ((), (), Shelf.FREE),
        (("status:in-progress",), (), Shelf.ASIDE),
        (("status:in-review",), (), Shelf.ASIDE),
        (("status:backlog", "status:blocked"), (), Shelf.ASIDE),
        ((), ("octocat",), Shelf.ASIDE),
    ],
)
def test_what_others_work_on_is_not_free(
    labels: tuple[str, ...], assignees: tuple[str, ...], shelf: Shelf
) -> None:
    assert github_rows.row_of(an_issue(*labels, assignees=assignees), REPOSITORY, NOTHING).shelf is shelf


def test_a_lock_is_known_here_whatever_the_labels_say() -> None:
    row = github_rows.row_of(an_issue("status:backlog"), REPOSITORY, KnownMarks(a_workflow()))

    assert (row.shelf, row.held_until) == (Shelf.HELD, NOON + timedelta(minutes=30))


def test_of_what_is_not_told_there_yet_the_last_word_counts() -> None:
    left = [
        an_errand(1, status=BacklogStatus.IN_PROGRESS),
        an_errand(2, status=BacklogStatus.BACKLOG),
        an_errand(3, comment="Taken over."),
    ]

    known = github_rows.known_of(None, left)

    assert known == KnownMarks(None, BacklogStatus.BACKLOG, is_done=False)
    assert github_rows.row_of(an_issue("status:in-progress"), REPOSITORY, known).shelf is Shelf.FREE


def test_what_was_merged_here_is_not_open_any_more() -> None:
    known = github_rows.known_of(None, [an_errand(1, is_done=True)])

    assert github_rows.tracked(an_issue(), REPOSITORY, known).is_open is False


def test_every_label_of_a_backlog_has_a_color_and_a_description() -> None:
    assert set(COLORS) < set(github_rows.LABELS)
    assert len(github_rows.LABELS) == 12
    assert all(len(color) == 6 and description for color, description in github_rows.LABELS.values())


def test_a_title_is_told_in_one_line_without_what_nobody_can_see() -> None:
    strange = replace(an_issue(), title="Ship\u202e it\n\x00now")

    assert github_rows.tracked(strange, REPOSITORY, NOTHING).title == "Ship it now"
