"""Whose an issue is among people: all of them at once, as one list."""

from collections.abc import Iterable

from forge.work.issues.announcements import BY_REQUEST, PEOPLE_ASSIGNED, PeopleAssigned
from forge.work.issues.changes import IssueChange


def assign_people(change: IssueChange, user_ids: Iterable[str], *, by_request_id: str | None = None) -> None:
    """These are its people now, and nobody else; nothing happens where they were before."""
    before, after = change.issue.assignee_ids, frozenset(user_ids)
    if before == after:
        return
    change.set(assignee_ids=after)
    via = {"via": BY_REQUEST, "action_request_id": by_request_id} if by_request_id else {}
    told = PeopleAssigned(assignee_ids=sorted(after), previous_assignee_ids=sorted(before), **via)
    change.announce(PEOPLE_ASSIGNED, told, action="assign-people")
