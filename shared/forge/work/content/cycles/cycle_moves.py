"""Issues come into cycles and leave them; which of them a rollover takes along."""

from datetime import datetime

from forge.work.issues.announcements import ISSUE_EDITED, IssueEdited
from forge.work.issues.changes import IssueChange
from forge.work.issues.issues import IssueItem


def put(change: IssueChange, cycle_id: str | None, *, action: str, is_quiet: bool = False) -> None:
    """Into a cycle, or out of its own. Quiet where many are moved: planning is no reason to wake agents."""
    change.set(cycle_id=cycle_id)
    change.announce(ISSUE_EDITED, IssueEdited(cycle_id=cycle_id), action=action, is_quiet=is_quiet)


def is_taken_along(issue: IssueItem, *, source_id: str, decided_at: datetime) -> bool:
    """Whatever is not over, and was in the cycle when it was decided to roll it over."""
    was_there = issue.cycle_since is None or issue.cycle_since <= decided_at
    return issue.cycle_id == source_id and issue.is_open and was_there
