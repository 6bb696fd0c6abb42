"""How an issue begins: its number, its first head, and what is told of it."""

from contextlib import suppress
from datetime import datetime
from typing import Any

from forge.context import Caller, Context
from forge.errors import DomainError, InvalidInput
from forge.store.counters import claim_number, next_number, release_number
from forge.work.issues import assignments, heads
from forge.work.issues.announcements import ISSUE_CREATED, ISSUE_QUEUED, IssueCreated, Queued
from forge.work.issues.changes import IssueChange
from forge.work.issues.issues import IssueItem
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.statuses import StatusCopy
from forge.work.workspace.workspaces import AssigneeDefault, WorkspaceItem

ISSUES = "issues"


def number_of(ctx: Context, series: str = ISSUES) -> int:
    """Taken once for a call: when the handler runs again, the number is still free.

    A call that may be repeated first asks whether it was made before, and holds its number until it is over.
    """
    place = f"number of {series}"
    if place not in ctx.memory:
        ctx.memory[place] = _repeatable_number(ctx, series) or next_number(
            ctx.table, ctx.caller.workspace_id, series
        )
    return int(ctx.memory[place])


def _repeatable_number(ctx: Context, series: str) -> int | None:
    if ctx.repetition is None:
        return None
    ctx.repetition.raise_if_done()
    workspace_id, claim = ctx.caller.workspace_id, ctx.repetition.claim

    def release() -> None:
        # What stays claimed is a few bytes, and the same call gets the same number once more.
        with suppress(DomainError):
            release_number(ctx.table, workspace_id, series, claim=claim)

    ctx.at_end = (*ctx.at_end, release)
    return claim_number(ctx.table, workspace_id, series, claim=claim)


def first_head(
    workspace: WorkspaceItem, status: StatusCopy, caller: Caller, *, number: int, now: datetime, **fields: Any
) -> IssueItem:
    """A new issue as it begins."""
    is_creator = workspace.default_issue_assignee_mode is AssigneeDefault.CREATOR
    issue = IssueItem(
        workspace_id=workspace.id,
        number=number,
        status_id=status.id,
        category=status.category,
        author_id=caller.user_id,
        author_agent_id=caller.agent_id,
        assignee_ids=frozenset({caller.user_id} if is_creator and caller.user_id else ()),
        created_at=now,
        updated_at=now,
        **fields,
    )
    return issue.changed(**heads.stamps(issue, status, now))


def begin(
    change: IssueChange, *, is_queued: bool, agent: AgentItem | None, told: IssueCreated | None = None
) -> None:
    """A new issue is told of, watched by who made it, and perhaps queued or given to an agent at once."""
    issue, caller = change.issue, change.desk.ctx.caller
    created = told or IssueCreated(number=issue.number, title=issue.title)
    change.announce(ISSUE_CREATED, created, action="create", is_quiet=True)
    if caller.agent_id or caller.user_id:
        user_id = None if caller.agent_id else caller.user_id
        change.watch(agent_id=caller.agent_id, user_id=user_id)
    if is_queued:
        if not issue.is_open:
            raise closed_at_birth("queue")
        change.set(queued=True)
        queued = Queued(number=issue.number, assigned_agent_id=agent.id if agent else None)
        change.announce(ISSUE_QUEUED, queued, action="queue", is_quiet=True)
    if agent:
        if not issue.is_open:
            raise closed_at_birth("assignedAgentId")
        assignments.assign(change, agent)


def closed_at_birth(field: str) -> InvalidInput:
    return InvalidInput(
        "An issue that begins closed is nobody's work.",
        issues={field: "Leave it out, or choose an open status."},
    )
