"""Who is gone leaves an issue: an agent's runs end, a claim is given up, and the issue is theirs no more."""

from forge.work.issues import assignments
from forge.work.issues.announcements import ISSUE_RELEASED, Released
from forge.work.issues.changes import IssueChange
from forge.work.issues.edits.people import assign_people
from forge.work.issues.issues import NO_CLAIM, IssueItem
from forge.work.issues.runs.runs import RunStatus

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
        _give_up_claim(change)


def is_bound_to_person(issue: IssueItem, user_id: str) -> bool:
    """The same for a person who was removed."""
    return issue.claimed_by_id == user_id or (issue.is_open and user_id in issue.assignee_ids)


def leave_as_person(change: IssueChange, user_id: str) -> None:
    issue = change.issue
    if issue.is_open:
        assign_people(change, issue.assignee_ids - {user_id})
    if issue.claimed_by_id == user_id:
        _give_up_claim(change)


def _give_up_claim(change: IssueChange) -> None:
    change.set(**NO_CLAIM)
    change.announce(ISSUE_RELEASED, Released(claimed=False), action="release")
