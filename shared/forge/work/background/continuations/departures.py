"""Who is archived or removed leaves their issues: runs end, and claims and locks are given up."""

from typing import Any

from forge.context import Context
from forge.work.backlog.locks.giving_back import give_back_issue
from forge.work.issues import assignments
from forge.work.issues.announcements import ISSUE_RELEASED, Released
from forge.work.issues.changes import IssueChange, begin_change, keys_of_runs
from forge.work.issues.claims.rows import ClaimItem
from forge.work.issues.desks import open_issue
from forge.work.issues.edits.people import assign_people
from forge.work.issues.inbox.rows import OF_AGENT
from forge.work.issues.issues import BOARD, ISSUES_OF_AGENT, NO_CLAIM, Half, IssueItem
from forge.work.issues.runs.runs import LiveRunItem, RunStatus
from forge.work.issues.saving import save
from forge.work.record.continuations.continuations import ContinuationItem, Stretch
from forge.work.workspace.people import members
from forge.work.workspace.people.names import keys_of

_SUMMARY = "The agent was archived."


def of_agent(ctx: Context, of: ContinuationItem) -> list[Stretch[Any]]:
    """The agent's claims, its live runs, and its issues that are not done: an issue may be in each."""
    workspace_id, agent_id = of.workspace_id, of.subject_id
    own = OF_AGENT(workspace_id, agent_id)
    assigned = ISSUES_OF_AGENT(workspace_id, agent_id, Half.LIVE)

    def settle(row: ClaimItem | LiveRunItem) -> bool:
        return _part(ctx, agent_id, row.issue_id)

    def settle_issue(issue: IssueItem) -> bool:
        return _part(ctx, agent_id, issue.id)

    return [
        Stretch(ClaimItem, own, settle, prefix=ClaimItem.stored.prefix()),
        Stretch(LiveRunItem, own, settle, prefix=LiveRunItem.stored.prefix()),
        Stretch(IssueItem, assigned, settle_issue, index_name="agent"),
    ]


def of_person(ctx: Context, of: ContinuationItem) -> list[Stretch[IssueItem]]:
    """A person's issues are in no index of their own, so all that are not done are looked at.

    Whoever is back by now keeps what is left.
    """
    workspace_id, user_id = of.workspace_id, of.subject_id
    is_back = members.find(ctx.table, workspace_id, user_id) is not None

    def concerns(issue: IssueItem) -> bool:
        return not is_back and is_bound_to(issue, user_id)

    def settle(issue: IssueItem) -> bool:
        return _part(ctx, user_id, issue.id)

    board = BOARD(workspace_id, Half.LIVE)
    return [Stretch(IssueItem, board, settle, concerns, index_name="board")]


def is_bound_to(issue: IssueItem, who: str) -> bool:
    """Whether anything is left of them here; whose a closed issue was stays written on it."""
    is_assigned = issue.is_open and who in (issue.assigned_agent_id, *issue.assignee_ids)
    return is_assigned or issue.claimant_id == who or bool(issue.live_runs_of(who))


def leave(change: IssueChange, who: str) -> None:
    issue = change.issue
    change.end_runs(issue.live_runs_of(who), lambda _: (RunStatus.ABANDONED, _SUMMARY))
    if issue.is_open and issue.assigned_agent_id == who:
        assignments.take_back(change)
    if issue.is_open and who in issue.assignee_ids:
        assign_people(change, issue.assignee_ids - {who})
    if issue.claimant_id == who:
        change.set(**NO_CLAIM)
        change.announce(ISSUE_RELEASED, Released(claimed=False), action="release")


def _part(ctx: Context, who: str, issue_id: str) -> bool:
    """Take a departed agent or person off one issue, in one transaction; whether they were on it.

    A lock is given back before, as whoever holds it would.
    """
    desk = open_issue(ctx, issue_id)
    if not is_bound_to(desk.issue, who):
        return False
    if desk.issue.claimant_id == who and give_back_issue(ctx, desk.issue):
        desk = open_issue(ctx, issue_id)
    issue = desk.issue
    change = begin_change(desk, [*keys_of(issue), *keys_of_runs(issue, issue.live_runs_of(who))])
    leave(change, who)
    if is_bound_to(issue, who):
        save(ctx.plan(), change)
        ctx.commit()
    return True
