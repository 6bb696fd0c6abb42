"""Names that are taken: unique in a workspace, each an item, because no query can promise that."""

from dataclasses import dataclass
from hashlib import sha256

from forge.errors import Conflict
from forge.store.folding import folded
from forge.store.items import Item
from forge.store.keys import At, Key
from forge.store.transactions import Refusal, Transaction

_LONGEST_NAME = 200


class NameItem(Item):
    stored = At("WS#{workspace_id}#UNIQUE#{kind}#{shown}", "GUARD")

    workspace_id: str
    kind: str
    value: str
    owner_id: str

    @property
    def shown(self) -> str:
        return _shown(self.value)

    @classmethod
    def of_name(cls, workspace_id: str, kind: str, value: str) -> Key:
        """Where it stands who has this name, in whatever case and encoding it is written."""
        return cls.at(workspace_id, kind, _shown(value))


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
    tx.create(_item(owner, value), refusal=refusal or taken)


def free(tx: Transaction, owner: Owner, value: str) -> None:
    """Give a name back. It never changes, so the first version is the one to delete."""
    tx.delete(_item(owner, value))


def move(tx: Transaction, owner: Owner, *, old: str | None, new: str | None) -> None:
    """Swap one name for another, either of which may be none; one that only looks other stays as it is."""
    if old and new and folded(old) == folded(new):
        return
    if old:
        free(tx, owner, old)
    if new:
        take(tx, owner, new)


def _shown(value: str) -> str:
    name = folded(value)
    # A partition key ends at 2,048 bytes, and some names are URLs.
    return name if len(name.encode()) <= _LONGEST_NAME else sha256(name.encode()).hexdigest()


def _item(owner: Owner, value: str) -> NameItem:
    return NameItem(workspace_id=owner.workspace_id, kind=owner.kind, value=value, owner_id=owner.id)
