"""An agent that is archived leaves an issue: runs end, a claim is given up, and nobody has the issue."""

from forge.work.issues import assignments
from forge.work.issues.announcements import ISSUE_RELEASED, Released
from forge.work.issues.changes import IssueChange
from forge.work.issues.issues import NO_CLAIM, IssueItem
from forge.work.runs.runs import RunStatus

_SUMMARY = "The agent was archived."


def is_bound_to(issue: IssueItem, agent_id: str) -> bool:
    """Whether anything is left of the agent here; whose a closed issue was stays written on it."""
    is_assigned = issue.is_open and issue.assigned_agent_id == agent_id
    return is_assigned or issue.claimed_by_agent_id == agent_id or bool(issue.live_runs_of(agent_id))


def leave(change: IssueChange, agent_id: str) -> None:
    issue = change.issue
    change.end_runs(issue.live_runs_of(agent_id), lambda _: (RunStatus.ABANDONED, _SUMMARY))
    if issue.is_open and issue.assigned_agent_id == agent_id:
        assignments.take_back(change)
    if issue.claimed_by_agent_id == agent_id:
        change.set(**NO_CLAIM)
        change.announce(ISSUE_RELEASED, Released(claimed=False), action="release")
