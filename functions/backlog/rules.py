"""What the backlog decides without looking anything up: what is meant and shown, and how it says no."""

from collections.abc import Sequence
from datetime import datetime

from forge.auth.sessions import is_said
from forge.context import Caller
from forge.store.keys import sortable_time
from forge.work.backlog.github.views import UNTRUSTED
from forge.work.backlog.locks.holding import LockHold, session_of, shown_session
from forge.work.backlog.refusals import BacklogRefusal, refusal
from forge.work.backlog.trackers.trackers import IssueExcerpt, Supply, Types
from forge.work.backlog.workflows.phases import Refusal, WorkPhase
from forge.work.backlog.workflows.workflows import WorkflowItem
from forge.work.issues.backlog_rows.places import IssueType
from functions.backlog.models import Holder, LockView, PhaseChange, ResumedWork, Selection, WorkflowView

CONFIRMATION = "I understand this may cause conflicts"
_NO_SESSION = (
    "Your client names no session, so every window of your key has this lock. To tell them apart, send a "
    "header X-Forge-Session of your own choosing with each call."
)

_REASONS = {
    Refusal.INVALID: "invalid_transition",
    Refusal.UNJUSTIFIED: "invalid_transition",
    Refusal.UNTESTED: "tests_required",
}


def types_of(included: Sequence[IssueType], excluded: Sequence[IssueType]) -> Types:
    """What is asked for: untyped issues only where no type is, and all together where nothing is said."""
    if not included and not excluded:
        return None
    wanted: list[str | None] = [*dict.fromkeys(included)] or [*IssueType, None]
    return [one for one in wanted if one not in excluded]


def nothing_to_select(supply: Supply) -> Selection:
    """A normal answer: there is nothing to do, or it is being done."""
    code, reason = "NO_ISSUES_AVAILABLE", "no_issues"
    if supply.locked:
        code, reason = "ALL_ISSUES_LOCKED", "all_locked"
    matching = supply.locked or supply.aside
    details = {"totalIssues": supply.total, "matchingFilter": matching, "locked": supply.locked}
    return Selection(
        success=False,
        error=_why_nothing(supply),
        code=code,
        reason=reason,
        details=details if matching else None,
    )


def _why_nothing(supply: Supply) -> str:
    if supply.locked:
        return (
            "All matching issues are locked. get_workflow_status shows which you hold yourself; others "
            "come free later."
        )
    if supply.aside:
        return (
            "No matching issue is free: they are in review, blocked or assigned to others. list_backlog "
            "shows them."
        )
    return "No issue matches. Create one with create_issue, or ask for other types."


def text_fields(text: IssueExcerpt) -> dict[str, object]:
    return {
        "body": text.text,
        "body_truncated": text.is_cut or None,
        "trust": UNTRUSTED if text.is_foreign else None,
    }


def lock_view(hold: LockHold) -> LockView:
    return LockView(
        session_id=shown_session(str(hold.lease.session_id)),
        acquired_at=hold.lease.acquired_at,
        lease_expires_at=hold.lease.lease_expires_at,
        fence=hold.lease.fence,
        note=None if is_said(str(hold.lease.session_id)) else _NO_SESSION,
    )


def previous_holder(hold: LockHold) -> Holder | None:
    return Holder.of(lock_view(hold), pid=0) if hold.is_held else None


def resumed_work(hold: LockHold) -> ResumedWork | None:
    return ResumedWork.of(hold.workflow, phase=hold.workflow.current_phase) if hold.workflow else None


def work_under(hold: LockHold) -> WorkflowItem:
    if hold.workflow is None:
        raise LookupError("nobody works under this lock")
    return hold.workflow


def shown(hold: LockHold, caller: Caller, now: datetime) -> WorkflowView:
    """Work under a lock, of a hold that has some."""
    work = work_under(hold)
    return WorkflowView.of(
        work,
        issue_number=work.number,
        lock_acquired_at=hold.lease.acquired_at,
        lock_duration=seconds_since(hold.lease.acquired_at, now),
        phase_history=[
            PhaseChange(from_=one.from_phase, to=one.to_phase, timestamp=one.at) for one in work.history
        ],
        is_locked=hold.is_live(now),
        locked_by_me=hold.is_by(caller),
    )


def not_locked(
    number: int, repository: str, *, hold: LockHold, caller: Caller, now: datetime
) -> BacklogRefusal:
    """The refusal of a session that does not hold the lock: who does, and what the caller can do."""
    lock = hold.lock
    if lock is None or not hold.is_live(now):
        return _not_locked(
            f"Nobody holds issue {number} of {repository}. get_workflow_status shows what you hold, and in "
            "which repository; select_next_issue takes the most urgent issue that is free, and force_claim "
            "goes on with work that somebody left."
        )
    whose = "another session of your key" if hold.lease.key_id == caller.key_id else "somebody else"
    until = sortable_time(lock.until)
    return _not_locked(
        f"Issue {number} of {repository} is held by {whose} until {until}. Take another one with "
        "select_next_issue; force_claim takes it over, if they are gone.",
        locked_by=lock.session_id,
        leaseExpiresAt=until,
    )


def taken_since(number: int) -> BacklogRefusal:
    return _not_locked(
        f"Your lock on issue {number} has expired, and it is not free any more: closed, moved, or "
        "somebody's. Take another one with select_next_issue.",
        isRenewable=False,
    )


def moved_away(number: int, repository: str, caller: Caller) -> BacklogRefusal:
    """The caller's session has the lock, and nothing is left to do under it."""
    return _not_locked(
        f"Issue {number} was moved out of {repository} while you held it, or deleted. End your lock with "
        "release_lock: the reason that you give is noted on the issue wherever it is now.",
        locked_by=session_of(caller),
        isInRepository=False,
    )


def _not_locked(error: str, *, locked_by: str | None = None, **more: object) -> BacklogRefusal:
    details = {"lockedBy": locked_by, **more}
    return refusal("NOT_LOCKED", error, reason="not_locked", details=details)


def no_such_issue(number: int) -> BacklogRefusal:
    return refusal(
        "ISSUE_NOT_FOUND", f"There is no open issue {number} in this repository. list_backlog shows them."
    )


def not_confirmed() -> BacklogRefusal:
    return refusal(
        "INVALID_CONFIRMATION", f'Nothing was claimed. To go on, send the confirmation "{CONFIRMATION}".'
    )


def cannot_advance(refused: Refusal, current: WorkPhase, target: WorkPhase) -> BacklogRefusal:
    texts = {
        Refusal.INVALID: f"Cannot advance from {current} to {target}: phases only go forward.",
        Refusal.UNJUSTIFIED: f"Going from {current} to {target} skips phases: say why in skipJustification.",
        Refusal.UNTESTED: "Tests must pass first: send testsPassed true, or skipJustification.",
    }
    details = {"from": current, "to": target}
    return refusal(refused.value, texts[refused], reason=_REASONS[refused], details=details)


def closed(number: int, current: WorkPhase, target: WorkPhase) -> BacklogRefusal:
    return refusal(
        Refusal.INVALID.value,
        f"Issue {number} was closed meanwhile. Give it back with release_lock.",
        reason="invalid_transition",
        details={"from": current, "to": target},
    )


def branch_exists(branch: str) -> BacklogRefusal:
    return refusal(
        "BRANCH_EXISTS",
        f"There is a branch {branch} already, and no work here made it. To go on in it, advance to "
        "implementation with a skipJustification; or have it deleted.",
        reason="api_error",
        details={"branch": branch},
    )


def seconds_since(moment: datetime | None, now: datetime) -> int:
    return max(0, int((now - moment).total_seconds())) if moment else 0
