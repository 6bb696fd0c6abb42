"""A thing that can be stored, and the transactions to store it with: what the store's tests are about."""

from datetime import datetime

from forge.context import Caller, KeyKind
from forge.store.items import DerivedItem, Item
from forge.store.keys import At, Key, Partition
from forge.store.places import In
from forge.store.store import Store
from forge.store.transactions import MAX_WRITES, Origin, Transaction
from forge.testing.clock import NOON, FakeIds

WORKSPACE = "ws_1"


THINGS = Partition("WS#{workspace_id}#THINGS")
SHELF = Partition("WS#{workspace_id}#SHELF#{shelf}")


class ThingItem(Item):
    """One of everything that items have; on a shelf it also stands in the index `updated`."""

    stored = At(THINGS, "{id}")
    indexed = (In("updated", SHELF, "{id}"),)

    workspace_id: str = WORKSPACE
    id: str
    name: str = "a thing"
    count: int = 0
    weight: float | None = None
    tags: set[str] = set()
    seen_at: datetime | None = None
    shelf: str | None = None


class ThingRowItem(ThingItem, DerivedItem):
    """The same as a row that follows from something else."""


def thing_key(thing_id: str, *, workspace_id: str = WORKSPACE) -> Key:
    return ThingItem.at(workspace_id, thing_id)


def things(workspace_id: str = WORKSPACE) -> str:
    return THINGS(workspace_id)


def shelf(name: str, workspace_id: str = WORKSPACE) -> str:
    return SHELF(workspace_id, name)


def a_caller(
    *, key_id: str = "key_1", session_id: str = "session_1", workspace_id: str = WORKSPACE
) -> Caller:
    return Caller(key_id, workspace_id, KeyKind.AGENT, frozenset(), session_id)


def begin(store: Store, *, caller: Caller | None = None, now: datetime = NOON) -> Transaction:
    origin = Origin(caller or a_caller(), "things.change", "req_1", now, FakeIds())
    return Transaction(store.table.name, origin)


def put(store: Store, *items: Item) -> None:
    """Store them, however many."""
    for start in range(0, len(items), MAX_WRITES):
        tx = begin(store)
        for item in items[start : start + MAX_WRITES]:
            tx.create(item)
        store.commit(tx)


def find_thing(store: Store, thing_id: str) -> ThingItem | None:
    return store.table.find(ThingItem, thing_key(thing_id))


def numbered_things(number: int, **fields: object) -> list[ThingItem]:
    """Things whose ids sort in the order of their numbers."""
    return [
        ThingItem.model_validate({"id": f"{place:04}", "count": place, **fields}) for place in range(number)
    ]
