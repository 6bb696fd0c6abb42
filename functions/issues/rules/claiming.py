"""Queueing and claims: whoever takes an issue has it until the claim expires, and nobody else meanwhile."""

from datetime import datetime, timedelta

from forge.auth.actors import identity_of
from forge.auth.narrowing import allows_issue
from forge.context import Caller
from forge.errors import Conflict, Forbidden
from forge.store.keys import sortable_time
from forge.work.issues.announcements import (
    ISSUE_CLAIMED,
    ISSUE_QUEUED,
    ISSUE_RELEASED,
    ISSUE_UNQUEUED,
    Claimed,
    Queued,
    Released,
    Unqueued,
)
from forge.work.issues.changes import IssueChange
from forge.work.issues.heads import QueueItem
from forge.work.issues.issues import NO_CLAIM, IssueItem
from forge.work.runs import modes, wakes
from forge.work.runs.wakes import Call
from functions.issues.models.claiming import Unclaimed


def reason_against(issue: IssueItem, caller: Caller, now: datetime) -> Unclaimed | None:
    """Why the caller can't have this very issue; None if it can, or has it already."""
    if not issue.is_open:
        return Unclaimed.CLOSED
    if issue.is_claimed(now):
        return None if issue.is_claimed_by(caller) else Unclaimed.ALREADY_CLAIMED
    if issue.open_blockers:
        return Unclaimed.BLOCKED
    # People may take over what an agent has; another agent may not.
    if caller.agent_id and issue.assigned_agent_id not in (None, caller.agent_id):
        return Unclaimed.ASSIGNED_ELSEWHERE
    return None


def reason_for_none(*, has_claimed: bool, has_blocked: bool) -> Unclaimed:
    """Why the queue has nothing for the caller."""
    if has_claimed:
        return Unclaimed.ALL_CLAIMED
    return Unclaimed.ALL_BLOCKED if has_blocked else Unclaimed.NOTHING_QUEUED


def is_free(issue: IssueItem, caller: Caller, now: datetime) -> bool:
    """Whether the queue may give it to this caller."""
    return (
        issue.queued
        and issue.is_open
        and not issue.open_blockers
        and not issue.is_claimed(now)
        and is_open_to(issue, caller)
    )


def is_open_to(waiting: IssueItem | QueueItem, caller: Caller) -> bool:
    """Not another agent's, and among what the key may see."""
    is_theirs = waiting.assigned_agent_id not in (None, caller.agent_id)
    return not is_theirs and allows_issue(
        caller.narrowing, project_id=waiting.project_id, label_ids=waiting.label_ids
    )


def claim(change: IssueChange, *, minutes: int) -> None:
    """The caller has the issue from now on."""
    caller, until = change.desk.ctx.caller, change.now + timedelta(minutes=minutes)
    # What nobody has would be given to the next who asks as well.
    user_id = None if caller.agent_id else identity_of(caller)
    change.set(
        claimed_at=change.now,
        claimed_by_id=user_id,
        claimed_by_agent_id=caller.agent_id,
        claim_expires_at=until,
        claim_minutes=minutes,
        assignee_ids=change.issue.assignee_ids | ({user_id} if user_id else set()),
    )
    told = Claimed(
        claimed=True,
        claimed_by_id=user_id,
        claimed_by_agent_id=caller.agent_id,
        claim_expires_at=sortable_time(until),
    )
    change.announce(ISSUE_CLAIMED, told, action="claim")


def require_release(issue: IssueItem, caller: Caller, now: datetime) -> None:
    """An agent gives back only its own claims, and those that have expired; a lock goes as it came."""
    if issue.is_locked(now):
        raise Conflict(
            "A session of the backlog has locked this issue, and claimed it with that.",
            hint="It gives it back with release_lock; force_claim takes it over.",
        )
    if issue.is_claimed(now) and caller.agent_id and issue.claimed_by_agent_id != caller.agent_id:
        raise Forbidden("Somebody else has claimed this issue.", hint="Ask them, or wait until it expires.")


def release(change: IssueChange) -> None:
    change.set(**NO_CLAIM)
    change.announce(ISSUE_RELEASED, Released(claimed=False), action="release")


def set_queued(change: IssueChange, *, is_queued: bool) -> None:
    """Put the issue into the queue, or take it out; whoever has it is told, as work and not as news."""
    issue = change.issue
    if is_queued and not issue.is_open:
        raise Conflict("This issue is closed.", hint="Open it with issues.transition first.")
    change.set(queued=is_queued)
    if not is_queued:
        change.announce(ISSUE_UNQUEUED, Unqueued(queued=False), action="unqueue")
        return
    agent = change.desk.names.agent(issue.assigned_agent_id)
    calls = []
    if agent is not None:
        engagement = modes.for_assignee(change.desk.workspace, agent, issue)
        calls = [Call(agent.id, wakes.Reason.ASSIGNED, engagement)]
    told = Queued(number=issue.number, assigned_agent_id=issue.assigned_agent_id)
    change.announce(ISSUE_QUEUED, told, action="queue", calls=calls)
