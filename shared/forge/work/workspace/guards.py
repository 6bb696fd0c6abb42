"""Guards: names that must be unique in a workspace. An item of its own, because no query can promise it."""

from dataclasses import dataclass

from forge.errors import Conflict
from forge.store.folding import folded
from forge.store.items import Item
from forge.store.keys import Key
from forge.store.transactions import Refusal, Transaction
from forge.work.workspace import workspace_keys


class GuardItem(Item):
    workspace_id: str
    kind: str
    value: str
    owner_id: str

    @property
    def key(self) -> Key:
        return workspace_keys.guard(self.workspace_id, self.kind, self.value)


@dataclass(frozen=True, slots=True)
class Owner:
    """Who a name belongs to, and as which field of it callers know the name."""

    workspace_id: str
    kind: str
    id: str
    field: str


def take(tx: Transaction, owner: Owner, value: str, *, refusal: Refusal | None = None) -> None:
    """Claim a name; if another has it, a Conflict that names the field, unless another refusal is given."""
    field = owner.field
    taken = Conflict(
        f"The {field} {value!r} is taken in this workspace.",
        hint="Choose another, or use the one that exists.",
        issues={field: "Already taken."},
    )
    tx.create(_guard(owner, value), refusal=refusal or taken)


def free(tx: Transaction, owner: Owner, value: str) -> None:
    """Give a name back. Guards never change, so the first version is the one to delete."""
    tx.delete(_guard(owner, value))


def move(tx: Transaction, owner: Owner, *, old: str | None, new: str | None) -> None:
    """Swap one name for another, either of which may be none; one that only looks other keeps its guard."""
    if old and new and folded(old) == folded(new):
        return
    if old:
        free(tx, owner, old)
    if new:
        take(tx, owner, new)


def _guard(owner: Owner, value: str) -> GuardItem:
    return GuardItem(workspace_id=owner.workspace_id, kind=owner.kind, value=value, owner_id=owner.id)
