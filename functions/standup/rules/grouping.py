"""Which issues belong in somebody's standup, and under which heading."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from forge.context import Caller
from forge.work.issues.issues import IssueItem
from forge.work.record.log.events import EventKind, LogItem
from forge.work.workspace.statuses import StatusCategory

UNTOUCHED_FOR = timedelta(days=3)
"""After which an issue that somebody has counts as blocked."""
MOST_SHOWN = 20
MOST_BLOCKED_SHOWN = 10
MOST_MOVED = 50

_MOVES = frozenset(
    {
        EventKind.ISSUE_UPDATED,
        EventKind.ISSUE_STATUS_CHANGED,
        EventKind.ISSUE_PRIORITY_CHANGED,
        EventKind.ISSUE_QUEUED,
        EventKind.AGENT_ASSIGNED,
    }
)


class Group(NamedTuple):
    """Issues of one heading: the first few, and how many there are in all."""

    shown: Sequence[IssueItem]
    total: int


class Groups(NamedTuple):
    closed: Group
    opened: Group
    in_progress: Group
    blocked: Group
    moved: int


def is_author(issue: IssueItem, me: Caller) -> bool:
    """An agent's key is the agent, and never the person who made it."""
    if me.agent_id:
        return issue.author_agent_id == me.agent_id
    return issue.author_id is not None and issue.author_id == me.user_id


def has(issue: IssueItem, me: Caller) -> bool:
    """Was given it or took it; a person who takes an issue is one of its assignees from then on."""
    if me.agent_id:
        return me.agent_id in (issue.assigned_agent_id, issue.claimed_by_agent_id)
    return me.user_id in issue.assignee_ids


def is_move(row: LogItem, me: Caller) -> bool:
    """Whether this change of an issue was made by the caller; comments and new issues are none."""
    is_mine = row.actor_agent_id == me.agent_id if me.agent_id else row.actor_user_id == me.user_id
    return is_mine and row.subject_type == "issue" and row.kind in _MOVES


def is_closing(row: LogItem, me: Caller) -> bool:
    """Whether an agent moved the issue: a claim ends with the work, and nothing else tells whose it was."""
    return me.agent_id is not None and row.kind is EventKind.ISSUE_STATUS_CHANGED and is_move(row, me)


def grouped(
    recent: Iterable[IssueItem],
    live: Iterable[IssueItem],
    moves: Sequence[LogItem],
    me: Caller,
    *,
    since: datetime,
    now: datetime,
    most: int = MOST_SHOWN,
) -> Groups:
    """`recent` is what changed since then, `live` what is not done, `moves` what the caller changed.

    The latest come first, but of what waits that which waits longest.
    """
    changed = list(recent)
    known = {issue.id: issue for issue in (*live, *changed)}
    mine = [issue for issue in known.values() if issue.is_open and has(issue, me)]
    moved_ids = {row.subject_id for row in moves if is_closing(row, me)}
    closed = [
        issue
        for issue in changed
        if issue.completed_at
        and issue.completed_at >= since
        and (is_author(issue, me) or has(issue, me) or issue.id in moved_ids)
    ]
    opened = [issue for issue in changed if issue.created_at >= since and is_author(issue, me)]
    in_progress = [issue for issue in mine if issue.category is StatusCategory.IN_PROGRESS]
    blocked = [issue for issue in mine if issue.updated_at < now - UNTOUCHED_FOR]
    return Groups(
        closed=_latest(closed, lambda issue: issue.completed_at or since, most),
        opened=_latest(opened, lambda issue: issue.created_at, most),
        in_progress=_latest(in_progress, lambda issue: issue.updated_at, most),
        blocked=_longest_waiting(blocked, min(most, MOST_BLOCKED_SHOWN)),
        moved=min(len(moves), MOST_MOVED),
    )


def _latest(issues: list[IssueItem], when: Callable[[IssueItem], datetime], most: int) -> Group:
    ordered = sorted(issues, key=lambda issue: (when(issue), issue.number), reverse=True)
    return Group(ordered[:most], len(ordered))


def _longest_waiting(issues: list[IssueItem], most: int) -> Group:
    ordered = sorted(issues, key=lambda issue: (issue.updated_at, issue.number))
    return Group(ordered[:most], len(ordered))
