"""Workflow statuses of a workspace."""

from enum import StrEnum

from forge.errors import NotFound
from forge.store import keys
from forge.store.items import Item
from forge.store.keys import Key
from forge.store.table import Table
from forge.store.transactions import Transaction
from forge.work import guards

MAX_STATUSES = 50


class StatusCategory(StrEnum):
    BACKLOG = "BACKLOG"
    TODO = "TODO"
    IN_PROGRESS = "IN_PROGRESS"
    IN_REVIEW = "IN_REVIEW"
    DONE = "DONE"
    CANCELED = "CANCELED"


SEED = (
    ("Backlog", StatusCategory.BACKLOG, "#94a3b8"),
    ("Todo", StatusCategory.TODO, "#64748b"),
    ("In Progress", StatusCategory.IN_PROGRESS, "#2563eb"),
    ("In Review", StatusCategory.IN_REVIEW, "#7c3aed"),
    ("Done", StatusCategory.DONE, "#16a34a"),
    ("Canceled", StatusCategory.CANCELED, "#dc2626"),
)


class StatusItem(Item):
    workspace_id: str
    id: str
    name: str
    category: StatusCategory
    color: str
    position: int
    is_default: bool = False

    @property
    def key(self) -> Key:
        return keys.status(self.workspace_id, self.id)

    @property
    def name_owner(self) -> guards.Owner:
        return guards.Owner(self.workspace_id, "STATUS", self.id, field="name")


def list_all(table: Table, workspace_id: str) -> list[StatusItem]:
    """Every status in the order of the board; one request, because their number is bounded."""
    # Some more than there may be: two who add the last one at once both succeed.
    rows = table.query_all(keys.statuses(workspace_id), most=MAX_STATUSES + 20)
    return sorted((StatusItem.from_attributes(row) for row in rows), key=lambda one: (one.position, one.id))


def get(statuses: list[StatusItem], status_id: str) -> StatusItem:
    for status in statuses:
        if status.id == status_id:
            return status
    raise NotFound(f"There is no status {status_id[:60]!r}.", hint="statuses.list shows them.")


def add(tx: Transaction, status: StatusItem) -> None:
    tx.create(status)
    guards.take(tx, status.name_owner, status.name)


def save(tx: Transaction, before: StatusItem, after: StatusItem) -> None:
    tx.replace(after)
    guards.move(tx, after.name_owner, old=before.name, new=after.name)


def end_default(tx: Transaction, known: list[StatusItem], new_default_id: str) -> None:
    """There is exactly one default: whatever was it before is not any more."""
    for status in known:
        if status.is_default and status.id != new_default_id:
            tx.replace(status.changed(is_default=False))


def seed(tx: Transaction, workspace_id: str) -> None:
    """The statuses that a new workspace begins with; the first is the default."""
    for position, (name, category, color) in enumerate(SEED):
        status = StatusItem(
            workspace_id=workspace_id,
            id=tx.origin.new_id("sta"),
            name=name,
            category=category,
            color=color,
            position=position,
            is_default=position == 0,
        )
        add(tx, status)
