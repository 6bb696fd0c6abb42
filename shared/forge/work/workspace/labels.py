"""Labels of a workspace, each with a count of the issues that carry it."""

from forge.errors import NotFound, PreconditionFailed
from forge.store.items import Item
from forge.store.keys import At
from forge.store.table import Table
from forge.store.transactions import Refusal, Transaction
from forge.work.workspace import taken_names
from forge.work.workspace.people.authentication import LABEL, LABELS

MAX_LABELS = 500


class LabelItem(Item):
    stored = LABEL

    workspace_id: str
    id: str
    name: str
    color: str

    @property
    def name_owner(self) -> taken_names.Owner:
        return taken_names.Owner(self.workspace_id, "LABEL", self.id, field="name")


class LabelCountItem(Item):
    # Apart from the label, because every labelling changes it and no edit of the label may undo that.
    stored = At(LABELS, "COUNT#{label_id}")

    workspace_id: str
    label_id: str
    issue_count: int = 0


def list_all(table: Table, workspace_id: str) -> list[tuple[LabelItem, int]]:
    """Every label with its number of issues, by name; one request."""
    # Some more than there may be: two who add the last one at once both succeed.
    most = 2 * (MAX_LABELS + 100)
    rows = table.query_all(LABELS(workspace_id), most=most, because="each has its count")
    counts = {count.label_id: count.issue_count for count in rows.of(LabelCountItem)}
    labels = sorted(rows.of(LabelItem), key=lambda one: (one.name.casefold(), one.id))
    return [(label, counts.get(label.id, 0)) for label in labels]


def get(table: Table, workspace_id: str, label_id: str) -> tuple[LabelItem, int]:
    """One label with its number of issues, or NotFound; one request."""
    wanted = LabelItem.at(workspace_id, label_id)
    counted = LabelCountItem.at(workspace_id, label_id)
    known = table.read([wanted, counted])
    label, count = known.find(LabelItem, wanted), known.find(LabelCountItem, counted)
    if label is None:
        raise NotFound(f"There is no label {label_id[:60]!r}.", hint="labels.list shows them.")
    return label, count.issue_count if count else 0


def add(tx: Transaction, label: LabelItem, *, refusal: Refusal | None = None) -> None:
    """A name that is taken is a Conflict, unless another refusal is given."""
    tx.create(label)
    tx.create(LabelCountItem(workspace_id=label.workspace_id, label_id=label.id))
    taken_names.take(tx, label.name_owner, label.name, refusal=refusal)


def save(tx: Transaction, before: LabelItem, after: LabelItem) -> None:
    tx.replace(after)
    taken_names.move(tx, after.name_owner, old=before.name, new=after.name)


def remove(tx: Transaction, label: LabelItem) -> None:
    """The label and its name are free at once; issues that still carry its id no longer show it."""
    tx.delete(label)
    tx.delete(LabelCountItem(workspace_id=label.workspace_id, label_id=label.id))
    taken_names.free(tx, label.name_owner, label.name)


def require_room(number_of_labels: int) -> None:
    if number_of_labels >= MAX_LABELS:
        raise PreconditionFailed(
            f"A workspace has at most {MAX_LABELS} labels.", hint="Delete one that is not used any more."
        )
