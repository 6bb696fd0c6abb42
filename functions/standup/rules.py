"""What belongs in somebody's standup, under which heading, and how Slack and Discord say it.

Titles are anybody's, and whoever posts the draft speaks to a whole channel. So what a chat would act on is
replaced by signs that look alike. Escapes would not do: each chat has its own, and shows the other's.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from forge.context import Caller
from forge.work.issues.issues import IssueItem
from forge.work.record.log.kinds import EventKind
from forge.work.record.log.rows import LogItem
from forge.work.workspace.statuses import StatusCategory

UNTOUCHED_FOR = timedelta(days=3)
"""After which an issue that somebody has counts as blocked."""
MOST_SHOWN = 20
MOST_BLOCKED_SHOWN = 10
MOST_MOVED = 50


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
    return is_mine and row.is_move


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


LONGEST_TITLE = 120

_LOOK_ALIKES = str.maketrans(
    {
        "@": "＠",
        "<": "‹",
        ">": "›",
        "*": "∗",
        "~": "∼",
        "`": "ˋ",
        "|": "ǀ",
        "[": "［",
        "]": "］",
        "\\": "＼",
    }
)
# They turn the text around that follows.
_TURNING = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# Not that of a snake_case name, which no chat minds.
_UNDERSCORE = re.compile(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_ADDRESS = re.compile(r":(?=//)")
# Chats make links of what looks like the name of a host.
_DOT_OF_HOST = re.compile(r"(?<=\w)\.(?=[^\W\d_]{2})")

_SPANS = {24: "last 24h", 72: "last 3 days", 168: "last week"}


def span(hours: int) -> str:
    return _SPANS.get(hours, f"last {hours}h")


def harmless(text: str, *, longest: int = LONGEST_TITLE) -> str:
    """One line that mentions nobody, links nowhere and formats nothing, in Slack and in Discord."""
    line = " ".join(_TURNING.sub("", text).split()).translate(_LOOK_ALIKES)
    line = _UNDERSCORE.sub("＿", line)
    line = _DOT_OF_HOST.sub("․", _ADDRESS.sub("∶", line))
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def markdown(groups: Groups, *, prefix: str, hours: int) -> str:
    headings = (
        ("Closed", groups.closed),
        ("Opened", groups.opened),
        ("Continuing", groups.in_progress),
        ("Blocked", groups.blocked),
    )
    sections = [_section(heading, group, prefix) for heading, group in headings if group.total]
    return "\n\n".join([f"*Standup — {span(hours)}*", *(sections or [_nothing(groups.moved)])])


def _section(heading: str, group: Group, prefix: str) -> str:
    lines = [f"• {prefix}-{issue.number} — {harmless(issue.title)}" for issue in group.shown]
    left_out = group.total - len(group.shown)
    more = [f"_… and {left_out} more_"] if left_out else []
    return "\n".join([f"*{heading} ({group.total})*", *lines, *more])


def _nothing(moved: int) -> str:
    if moved:
        return f"_Nothing opened or closed; {moved} changes to issues_"
    return "_No activity_"
