"""How far an issue is escalated, and who hears of it."""

from forge.errors import Conflict
from forge.work.issues.announcements import ISSUE_PRIORITIZED, PriorityChanged
from forge.work.issues.changes import IssueChange
from forge.work.issues.issues import Priority


def escalated(priority: Priority, *, to_the_top: bool) -> Priority:
    """The priority after this one; there is nothing beyond URGENT."""
    if priority is Priority.URGENT:
        raise Conflict("This issue is URGENT already.", hint="Say in a comment why that is not enough.")
    ladder = list(Priority)
    return Priority.URGENT if to_the_top else ladder[ladder.index(priority) + 1]


def escalate(change: IssueChange, *, to_the_top: bool) -> None:
    before = change.issue.priority
    change.set(priority=escalated(before, to_the_top=to_the_top))
    told = PriorityChanged(from_=before, to=change.issue.priority)
    change.announce(ISSUE_PRIORITIZED, told, action="escalate")
