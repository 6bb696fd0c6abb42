"""Putting issues into cycles: whoever only reads cycles imports none of it."""

from forge.work.issues.announcements import ISSUE_EDITED, IssueEdited
from forge.work.issues.changes import IssueChange


def put(change: IssueChange, cycle_id: str | None, *, action: str, is_quiet: bool = False) -> None:
    """Into a cycle, or out of its own. Quiet where many are moved: planning is no reason to wake agents."""
    change.set(cycle_id=cycle_id)
    change.announce(ISSUE_EDITED, IssueEdited(cycle_id=cycle_id), action=action, is_quiet=is_quiet)
