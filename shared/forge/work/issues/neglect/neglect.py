"""When an issue is neglected: assigned work that nobody begins, and work that takes longer than agreed.

Pure, and on the settings as they are: what is stored with an issue only says when to look.
"""

from datetime import datetime, timedelta

from forge.contract.terms import EngagementMode
from forge.work.issues.issues import IssueItem
from forge.work.workspace.statuses import StatusCategory
from forge.work.workspace.workspaces import WorkspaceItem

STALLED_AGAIN = timedelta(hours=1)
BREACHED_AGAIN = timedelta(hours=24)

_NOT_BEGUN = frozenset({StatusCategory.BACKLOG, StatusCategory.TODO})
_MINUTE = timedelta(minutes=1)


def stalls_at(issue: IssueItem, workspace: WorkspaceItem) -> datetime | None:
    """When work that an agent has and nobody has begun is announced as stalled; at most once an hour."""
    minutes = workspace.assignment_sla_minutes
    is_work = issue.assigned_agent_id is not None and issue.assignment_mode is EngagementMode.EXECUTE
    if minutes == 0 or not is_work or not issue.is_open or issue.category not in _NOT_BEGUN:
        return None
    return _at_earliest(issue.updated_at + timedelta(minutes=minutes), issue.stalled_at, STALLED_AGAIN)


def breaches_at(issue: IssueItem, workspace: WorkspaceItem) -> datetime | None:
    """When an open issue is announced to have taken longer than its time; at most once a day."""
    if not workspace.sla_enforcement_enabled or issue.sla_minutes is None or not issue.is_open:
        return None
    return _at_earliest(
        issue.created_at + timedelta(minutes=issue.sla_minutes), issue.sla_breached_at, BREACHED_AGAIN
    )


def watch_at(issue: IssueItem, workspace: WorkspaceItem) -> datetime | None:
    """When to look at the issue: the earliest moment at which one of the rules can hold."""
    moments = (stalls_at(issue, workspace), breaches_at(issue, workspace))
    return min(filter(None, moments), default=None)


def has_stalled(issue: IssueItem, workspace: WorkspaceItem, now: datetime) -> bool:
    moment = stalls_at(issue, workspace)
    return moment is not None and moment <= now


def has_stalled_run(issue: IssueItem) -> bool:
    """Whether the run that the issue shows is one that stalled, and that nobody has given up yet."""
    live = {run.run_id for run in issue.live_runs}
    return issue.current_run_id is not None and issue.current_run_id not in live


def is_breached(issue: IssueItem, workspace: WorkspaceItem, now: datetime) -> bool:
    moment = breaches_at(issue, workspace)
    return moment is not None and moment <= now


def minutes_over(issue: IssueItem, now: datetime) -> int:
    """How much longer than agreed it has taken, in whole minutes."""
    return (now - issue.created_at) // _MINUTE - (issue.sla_minutes or 0)


def looks_earlier(before: WorkspaceItem, after: WorkspaceItem) -> bool:
    """Whether other settings make something due that no stored deadline would find."""
    waits = ("assignment_sla_minutes", "agent_run_stale_minutes", "abandon_stalled_after_hours")
    shortened = any(_is_shorter(getattr(before, name), getattr(after, name)) for name in waits)
    return shortened or (after.sla_enforcement_enabled and not before.sla_enforcement_enabled)


def is_sooner(moment: datetime | None, than: datetime | None) -> bool:
    """Whether what is to be looked at then would be looked at too late."""
    return moment is not None and (than is None or moment < than)


def _is_shorter(before: int, after: int) -> bool:
    """Zero is never."""
    return after != 0 and (before == 0 or after < before)


def _at_earliest(moment: datetime, announced_at: datetime | None, pause: timedelta) -> datetime:
    return max(moment, announced_at + pause) if announced_at else moment
