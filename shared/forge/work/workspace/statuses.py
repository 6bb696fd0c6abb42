"""Workflow statuses of a workspace."""

from collections.abc import Callable, Iterable
from enum import StrEnum

from forge.errors import NotFound
from forge.store.items import Item, Part
from forge.store.keys import At
from forge.store.table import Table
from forge.store.transactions import Transaction
from forge.work.workspace import taken_names

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
    stored = At("WS#{workspace_id}#STATUSES", "{id}")

    workspace_id: str
    id: str
    name: str
    category: StatusCategory
    color: str
    position: int
    is_default: bool = False

    @property
    def name_owner(self) -> taken_names.Owner:
        return taken_names.Owner(self.workspace_id, "STATUS", self.id, field="name")


class StatusCopy(Part):
    """A status as the workspace carries it, for whoever reads the settings anyway."""

    id: str
    name: str
    category: StatusCategory
    color: str
    position: int
    is_default: bool = False


def list_all(table: Table, workspace_id: str) -> list[StatusItem]:
    """Every status in the order of the board; one request, because their number is bounded."""
    rows = table.query_all(StatusItem.stored.partition(workspace_id), most=MAX_STATUSES)
    return sorted(rows.of(StatusItem), key=_place_on_board)


def copies(statuses: Iterable[StatusItem], earlier: Iterable[StatusCopy] = ()) -> list[StatusCopy]:
    """What the workspace keeps of these, in the order of the board; earlier copies are brought up to date."""
    known = {copy.id: copy for copy in earlier}
    copied = []
    for status in sorted(statuses, key=_place_on_board):
        values = {name: getattr(status, name) for name in StatusCopy.model_fields}
        copied.append(known.get(status.id, StatusCopy(**values)).model_copy(update=values))
    return copied


def get(statuses: list[StatusItem], status_id: str) -> StatusItem:
    for status in statuses:
        if status.id == status_id:
            return status
    raise NotFound(f"There is no status {status_id[:60]!r}.", hint="statuses.list shows them.")


def add(tx: Transaction, status: StatusItem) -> None:
    tx.create(status)
    taken_names.take(tx, status.name_owner, status.name)


def save(tx: Transaction, before: StatusItem, after: StatusItem) -> None:
    tx.replace(after)
    taken_names.move(tx, after.name_owner, old=before.name, new=after.name)


def end_default(tx: Transaction, others: Iterable[StatusItem]) -> list[StatusItem]:
    """Take the default from the status that has it; returns all given statuses as they became."""
    became = []
    for status in others:
        ended = status.changed(is_default=False)
        if status.is_default:
            tx.replace(ended)
        became.append(ended)
    return became


def first_ones(workspace_id: str, new_id: Callable[[str], str]) -> list[StatusItem]:
    """The statuses that a new workspace begins with; the first is the default."""
    return [
        StatusItem(
            workspace_id=workspace_id,
            id=new_id("sta"),
            name=name,
            category=category,
            color=color,
            position=position,
            is_default=position == 0,
        )
        for position, (name, category, color) in enumerate(SEED)
    ]


def _place_on_board(status: StatusItem) -> tuple[int, str]:
    return status.position, status.id
