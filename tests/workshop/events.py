"""Issues and events for keys that see only some of them."""

from collections.abc import Iterable

from forge.work.issues.issues import IssueItem
from forge.work.record.log.events import EventKind, LogItem
from forge.work.workspace.statuses import StatusCategory
from tests.workshop.office import Body, Office


def a_stored_issue(
    office: Office, issue_id: str, *, project_id: str | None = None, label_ids: Iterable[str] = ()
) -> str:
    office.put(
        IssueItem(
            workspace_id=office.workspace.id,
            id=issue_id,
            number=1,
            title="An issue",
            status_id="sta_1",
            category=StatusCategory.TODO,
            project_id=project_id,
            label_ids=frozenset(label_ids),
            created_at=office.world.clock(),
            updated_at=office.world.clock(),
        )
    )
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
    return [row["id"] for row in office.rows("events.recent", arguments, key=key)]


def pages(office: Office, key: str, **arguments: object) -> list[Body]:
    """Every page until there is no next one."""
    found: list[Body] = []
    cursor = None
    while not found or cursor is not None:
        found.append(office.call("events.recent", {**arguments, "cursor": cursor}, key=key))
        cursor = found[-1].get("nextCursor")
    return found


def ids_in(page: Body) -> list[str]:
    return [row["id"] for row in page["data"]]
