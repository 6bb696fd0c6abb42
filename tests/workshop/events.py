"""Issues and events for keys that see only some of them."""

from forge.testing.builders import an_issue
from forge.work.record.log.events import EventKind, LogItem
from tests.workshop.office import Body, Office, ids_in


def a_stored_issue(office: Office, issue_id: str, **fields: object) -> str:
    office.put(an_issue(**office.here_and_now, id=issue_id, **fields))
    return issue_id


def a_row(
    office: Office,
    issue_id: str | None,
    *,
    subject: tuple[str, str] | None = None,
    actor_user_id: str | None = None,
    kind: EventKind | None = EventKind.ISSUE_UPDATED,
) -> LogItem:
    """A row that is about an issue, or none; its subject is the issue, unless another is given."""
    subject_type, subject_id = subject or ("issue", issue_id or "iss_none")
    return LogItem(
        workspace_id=office.workspace.id,
        id=office.world.ids("evt"),
        kind=kind,
        subject_type=subject_type,
        subject_id=subject_id,
        action="update",
        tool="issues.update",
        actor_user_id=actor_user_id,
        key_id="key_1",
        request_id="req_1",
        issue_id=issue_id,
        created_at=office.world.clock(),
    )


def happened(office: Office, *issue_ids: str | None) -> list[str]:
    """One event about each, oldest first."""
    rows = [a_row(office, issue_id) for issue_id in issue_ids]
    office.put(*rows)
    return [row.id for row in rows]


def told(office: Office, key: str, **arguments: object) -> list[str]:
    return ids_in(office.call("events.recent", arguments, key=key))


def pages(office: Office, key: str, **arguments: object) -> list[Body]:
    return office.pages("events.recent", arguments, key=key)
