"""Who has an issue, by what and until when, and whom that keeps out."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from forge.auth.sessions import said_session
from forge.context import Caller
from forge.errors import Conflict
from forge.store.keys import Key, sortable_time
from forge.work.issues.desks import Desk
from forge.work.issues.issues import IssueItem
from forge.work.issues.runs.runs import RunItem
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.members import MemberItem

TAKEN_OVER = "taken-over"
CLAIMED = "claimed"


class By(StrEnum):
    CLAIM = "claim"
    LOCK = "lock"
    ASSIGNMENT = "assignment"
    BLOCKER = "blocker"


class ClaimHold(NamedTuple):
    """What keeps an issue from somebody: whose it is and until when, or which issues are in the way."""

    by: By
    agent_id: str | None = None
    user_id: str | None = None
    until: datetime | None = None
    blockers: tuple[int, ...] = ()

    def keys(self, workspace_id: str) -> list[Key]:
        """What has to be read to say who it is."""
        agent = [AgentItem.at(workspace_id, self.agent_id)] if self.agent_id else []
        return [*agent, *([MemberItem.at(workspace_id, self.user_id)] if self.user_id else [])]


def claim_on(issue: IssueItem, now: datetime) -> ClaimHold | None:
    """Who has claimed or locked it, for as long as that holds."""
    if not issue.is_claimed(now):
        return None
    is_locked = issue.lock is not None and issue.is_locked(now)
    until = issue.lock.until if is_locked and issue.lock else issue.claim_expires_at
    by = By.LOCK if is_locked else By.CLAIM
    return ClaimHold(by, issue.claimed_by_agent_id, issue.claimed_by_id, until)


def others_claim(issue: IssueItem, caller: Caller, now: datetime) -> ClaimHold | None:
    return None if issue.is_claimed_by(caller) else claim_on(issue, now)


def hold_against(issue: IssueItem, caller: Caller, now: datetime) -> ClaimHold | None:
    """What keeps an open issue from the caller; nothing does if it can have it, or has it already."""
    if issue.is_claimed(now):
        return others_claim(issue, caller, now)
    if issue.open_blockers:
        return ClaimHold(By.BLOCKER, blockers=tuple(sorted(issue.blocker_numbers)))
    # People may take over what an agent has; another agent may not.
    if caller.agent_id and issue.assigned_agent_id not in (None, caller.agent_id):
        return ClaimHold(By.ASSIGNMENT, agent_id=issue.assigned_agent_id)
    return None


def is_taken_over(issue: IssueItem, caller: Caller, now: datetime) -> bool:
    """Whether another session of the calling agent has claimed it; who names none can't be told apart."""
    session = said_session(caller)
    if session is None or caller.agent_id is None or issue.claimed_by_agent_id != caller.agent_id:
        return False
    return issue.claim_session not in (None, session) and issue.is_claimed(now)


def require_not_taken_over(desk: Desk) -> None:
    issue, now = desk.issue, desk.ctx.now()
    if is_taken_over(issue, desk.ctx.caller, now):
        raise Conflict(
            "Another session of yours has this issue now: it was taken over.",
            hint=f'Stop working on it here; issues.claim {{"issueId": "{issue.id}"}} takes it back.',
            details={"reason": TAKEN_OVER, "issueId": issue.id, **_until(issue.claim_expires_at)},
        )


def require_own_run(desk: Desk, run: RunItem) -> None:
    """That no other session of the caller has the run, or has reported it; a step of a plan has no claim."""
    if run.execution_step_id is not None:
        return
    require_not_taken_over(desk)
    session = said_session(desk.ctx.caller)
    if session and run.reported_under not in (None, session):
        raise Conflict(
            "Another session of yours took this run over, and has reported it.",
            hint="Keep what you did to yourself: the work is done.",
            details={"reason": TAKEN_OVER, "issueId": desk.issue.id},
        )


def require_no_others_claim(desk: Desk) -> None:
    """An agent does not work on what somebody else has claimed; one request more where it would."""
    hold = others_claim(desk.issue, desk.ctx.caller, desk.ctx.now())
    if hold is None or desk.ctx.caller.agent_id is None:
        return
    desk.fetch(hold.keys(desk.issue.workspace_id))
    agent, member = desk.names.agent(hold.agent_id), desk.names.member(hold.user_id)
    who = f"@{agent.profile_key}" if agent else (member and member.name) or "Somebody else"
    until = f" until {sortable_time(hold.until)}" if hold.until else ""
    raise Conflict(
        f"{who} has this issue by a {hold.by}{until}.",
        hint="Ask with comments.create, or take other work with issues.claim {}.",
        details={"reason": CLAIMED, "issueId": desk.issue.id, "heldBy": _told(hold)},
    )


def _told(hold: ClaimHold) -> Mapping[str, object]:
    agent = {"agentId": hold.agent_id} if hold.agent_id else {}
    user = {"userId": hold.user_id} if hold.user_id else {}
    return {"by": hold.by.value, **agent, **user, **_until(hold.until)}


def _until(moment: datetime | None) -> Mapping[str, object]:
    return {"until": sortable_time(moment)} if moment else {}
