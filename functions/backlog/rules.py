"""What the backlog decides without looking anything up: which types are meant, and how it says no."""

from collections.abc import Sequence
from datetime import datetime

from forge.work.backlog.places import IssueType
from forge.work.backlog.refusals import BacklogRefusal, refusal
from forge.work.tracking.trackers import Supply, Types
from forge.work.workflows.phases import Phase, Refusal
from functions.backlog.models import Selection

CONFIRMATION = "I understand this may cause conflicts"

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
    if supply.locked == 0:
        return Selection(
            success=False,
            error="No issue matches. Create one with create_issue, or ask for other types.",
            code="NO_ISSUES_AVAILABLE",
            reason="no_issues",
        )
    return Selection(
        success=False,
        error="All matching issues are locked. get_workflow_status shows which you hold yourself; others "
        "come free later.",
        code="ALL_ISSUES_LOCKED",
        reason="all_locked",
        details={
            "totalIssues": supply.total,
            "matchingFilter": supply.locked,
            "locked": supply.locked,
        },
    )


def not_locked(number: int) -> BacklogRefusal:
    return refusal(
        "NOT_LOCKED",
        f"Your session does not hold issue {number}. If your lock expired, renew_lock gets it back unless "
        "somebody took it; get_workflow_status shows what you hold.",
        reason="not_locked",
    )


def no_such_issue(number: int) -> BacklogRefusal:
    return refusal(
        "ISSUE_NOT_FOUND", f"There is no open issue {number} in this repository. list_backlog shows them."
    )


def not_confirmed() -> BacklogRefusal:
    return refusal(
        "INVALID_CONFIRMATION", f'Nothing was claimed. To go on, send the confirmation "{CONFIRMATION}".'
    )


def cannot_advance(refused: Refusal, current: Phase, target: Phase) -> BacklogRefusal:
    texts = {
        Refusal.INVALID: f"Cannot advance from {current} to {target}: phases only go forward.",
        Refusal.UNJUSTIFIED: f"Going from {current} to {target} skips phases: say why in skipJustification.",
        Refusal.UNTESTED: "Tests must pass first: send testsPassed true, or skipJustification.",
    }
    details = {"from": current, "to": target}
    return refusal(refused.value, texts[refused], reason=_REASONS[refused], details=details)


def closed(number: int, current: Phase, target: Phase) -> BacklogRefusal:
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
