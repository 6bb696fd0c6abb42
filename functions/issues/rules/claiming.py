"""Queueing and claims: whoever takes an issue has it until the claim expires, and nobody else meanwhile."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from forge.auth.actors import identity_of
from forge.auth.sessions import is_said, said_session
from forge.context import Caller
from forge.contract.terms import EngagementMode
from forge.errors import Conflict, Forbidden
from forge.store.keys import Key, sortable_time
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
from forge.work.issues.changes import IssueChange, keys_of_runs
from forge.work.issues.claims import holds
from forge.work.issues.claims.holds import By
from forge.work.issues.claims.sleepers import suits_caller
from forge.work.issues.issues import NO_CLAIM, IssueItem
from forge.work.issues.runs import modes, waking
from forge.work.issues.runs.runs import EngagementSource, RunItem, RunStatus
from forge.work.issues.runs.waking import WakeCall
from forge.work.workspace.people import runtimes
from forge.work.workspace.people.runtimes import RuntimeItem
from functions.issues.models.claiming import Unclaimed

_REASONS = {
    By.CLAIM: Unclaimed.ALREADY_CLAIMED,
    By.LOCK: Unclaimed.ALREADY_CLAIMED,
    By.ASSIGNMENT: Unclaimed.ASSIGNED_ELSEWHERE,
    By.BLOCKER: Unclaimed.BLOCKED,
}


class HeldIssue(NamedTuple):
    """An unfinished claim of an agent, the live run that works on it, and what it was made under."""

    issue: IssueItem
    run: RunItem | None
    runtime: RuntimeItem | None

    @property
    def since(self) -> datetime:
        return self.issue.claimed_at or self.issue.updated_at

    @property
    def last_sign_at(self) -> datetime:
        return self.run.last_event_at if self.run else self.since


def reason_against(issue: IssueItem, caller: Caller, now: datetime) -> Unclaimed | None:
    """Why the caller can't have this very issue; None if it can, or has it already."""
    if not issue.is_open:
        return Unclaimed.CLOSED
    hold = holds.hold_against(issue, caller, now)
    return _REASONS[hold.by] if hold else None


def is_orphaned(held: HeldIssue, now: datetime) -> bool:
    """Whether what it was made under is lost, and nothing was heard of the work since either."""
    lost_at = runtimes.lost_since(held.runtime, now) if held.runtime else None
    if held.runtime is None or lost_at is None:
        return False
    return held.since <= lost_at and held.last_sign_at + held.runtime.missed_after <= now


def is_given_back(held: HeldIssue, caller: Caller, now: datetime, *, resume: bool) -> bool:
    """Whether a claim hands a held issue back to this session: not one that waits, is locked or blocked."""
    issue, run = held.issue, held.run
    if issue.open_blockers or issue.is_locked(now):
        return False
    if run and (run.status is RunStatus.WAITING or run.engagement_mode is not EngagementMode.EXECUTE):
        return False
    if issue.claim_session and is_said(issue.claim_session):
        return issue.claim_session == caller.session_id or is_orphaned(held, now)
    # Made by a session that nobody named: another window may be at it.
    return resume or is_orphaned(held, now)


def given_back(
    all_held: Iterable[HeldIssue], caller: Caller, now: datetime, *, resume: bool
) -> list[HeldIssue]:
    """What this session goes on with: its own first, and of that what was not heard of for longest."""
    found = [one for one in all_held if is_given_back(one, caller, now, resume=resume)]
    return sorted(
        found, key=lambda one: (one.issue.claim_session != caller.session_id, one.last_sign_at, one.issue.id)
    )


def is_free(issue: IssueItem, caller: Caller, now: datetime) -> bool:
    """Whether the queue may give it to this caller."""
    return (
        issue.queued
        and issue.is_open
        and not issue.open_blockers
        and not issue.is_claimed(now)
        and not issue.is_kept_back(now)
        and suits_caller(issue, caller)
    )


def claim(change: IssueChange, *, minutes: int, runtime_id: str | None = None) -> None:
    """The caller has the issue from now on, under what its session runs on, or else its agent."""
    caller, until = change.desk.ctx.caller, change.now + timedelta(minutes=minutes)
    # What nobody has would be given to the next who asks as well.
    user_id = None if caller.agent_id else identity_of(caller)
    agent = change.desk.names.agent(caller.agent_id)
    before, session = change.issue, session_after(change.issue, caller)
    if not before.is_claimed_by(caller):
        end_unbegun(change, before.claimed_by_agent_id)
    is_the_same = before.is_claimed_by(caller) and before.claim_session == session
    change.set(
        claimed_at=before.claimed_at if is_the_same and before.claimed_at else change.now,
        claimed_by_id=user_id,
        claimed_by_agent_id=caller.agent_id,
        claim_expires_at=until,
        claim_minutes=minutes,
        queued_from=None,
        claim_session=session,
        claim_runtime_id=runtime_id or (agent.runtime_id if agent else None),
        # One that has run out goes with the claim that was made with it.
        lock=before.lock if before.is_locked(change.now) else None,
        assignee_ids=change.issue.assignee_ids | ({user_id} if user_id else set()),
    )
    told = Claimed(
        claimed=True,
        claimed_by_id=user_id,
        claimed_by_agent_id=caller.agent_id,
        claim_expires_at=sortable_time(until),
    )
    event_id = change.announce(ISSUE_CLAIMED, told, action="claim")
    if caller.agent_id:
        change.begin_claimed(event_id)


def session_after(issue: IssueItem, caller: Caller) -> str | None:
    """Which session has the claim: who names none shuts out the one that had it, and nobody else."""
    if caller.agent_id is None:
        return None
    is_taken_over = issue.is_claimed_by(caller) and issue.claim_session is not None
    return caller.session_id if is_taken_over else said_session(caller)


def runs_of_claim(issue: IssueItem) -> list[Key]:
    """What is decided on where a claim ends: the claimant's run."""
    live = issue.live_run_of(issue.claimed_by_agent_id) if issue.claimed_by_agent_id else None
    return keys_of_runs(issue, [live]) if live else []


def end_unbegun(change: IssueChange, agent_id: str | None) -> None:
    """A run that began with a claim ends with it, unless the agent has begun to work."""
    live = change.issue.live_run_of(agent_id) if agent_id else None
    run = change.desk.find(RunItem, keys_of_runs(change.issue, [live])[0]) if live else None
    if live and run and run.engagement_source is EngagementSource.AGENT_REQUEST and not run.has_begun:
        change.end_runs([live], lambda _: (RunStatus.ABANDONED, "The claim ended before this run had begun."))


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
    end_unbegun(change, change.issue.claimed_by_agent_id)
    change.set(**NO_CLAIM)
    change.announce(ISSUE_RELEASED, Released(claimed=False), action="release")


def set_queued(change: IssueChange, *, is_queued: bool) -> None:
    """Put the issue into the queue, or take it out; whoever has it is told, as work and not as news."""
    issue = change.issue
    if is_queued and not issue.is_open:
        raise Conflict("This issue is closed.", hint="Open it with issues.transition first.")
    change.set(queued=is_queued, queued_from=None)
    if change.caller_agent_id is None:
        # Somebody has looked at it.
        change.set(times_given_back=0)
    if not is_queued:
        change.announce(ISSUE_UNQUEUED, Unqueued(queued=False), action="unqueue")
        return
    agent = change.desk.names.agent(issue.assigned_agent_id)
    calls = []
    if agent is not None:
        engagement = modes.for_assignee(change.desk.workspace, agent, issue)
        calls = [WakeCall(agent.id, waking.Reason.ASSIGNED, engagement)]
    told = Queued(number=issue.number, assigned_agent_id=issue.assigned_agent_id)
    change.announce(ISSUE_QUEUED, told, action="queue", calls=calls)
