"""How far a workspace's log was read into the figures of its days."""

from datetime import datetime, timedelta

from forge.store.items import Item
from forge.store.keys import At, Partition
from forge.store.places import DueAt
from forge.store.transactions import Transaction

FIGURES = Partition("WS#{workspace_id}#FIGURES")
AGAIN, AGAIN_WHERE_QUIET = timedelta(minutes=5), timedelta(minutes=30)
"""After a look, and after one that found nothing."""


class ReadUpToItem(Item):
    """Whoever counts a stretch of the log moves it in the same transaction: nothing is counted twice."""

    stored = At(FIGURES, "UPTO")
    indexed = (DueAt("look_at"),)

    workspace_id: str
    places: dict[str, str] = {}
    """The last row that was counted of each shard of the log."""
    until: datetime | None = None
    """All that happened before is counted."""
    look_at: datetime


def begin(tx: Transaction, workspace_id: str) -> None:
    """The log of a workspace is counted from its first row on."""
    tx.create(ReadUpToItem(workspace_id=workspace_id, look_at=tx.origin.now + AGAIN))
