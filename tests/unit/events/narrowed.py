"""Issues and events for keys that see only some of them."""

from collections.abc import Iterable

from forge.store import keys
from forge.store.items import Item
from forge.store.keys import Key
from forge.work.issues import issue_keys
from forge.work.log.events import EventKind, LogItem
from tests.unit.office import Body, Office


class Head(Item):
    """As much of an issue as a narrowed key is decided by."""

    workspace_id: str
    id: str
    project_id: str | None = None
    label_ids: frozenset[str] = frozenset()

    @property
    def key(self) -> Key:
        return issue_keys.head(self.workspace_id, self.id)


class Reference(Item):
    workspace_id: str
    number: str
    issue_id: str

    @property
    def key(self) -> Key:
        return keys.reference(self.workspace_id, self.number)


def an_issue(
    office: Office, issue_id: str, *, project_id: str | None = None, label_ids: Iterable[str] = ()
) -> str:
    office.put(
        Head(
            workspace_id=office.workspace.id,
            id=issue_id,
            project_id=project_id,
            label_ids=frozenset(label_ids),
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
