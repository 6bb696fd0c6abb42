"""A continuation: written by the transaction that decides, and gone when everything that follows is done."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum

from forge.store.items import Item
from forge.store.keys import At
from forge.store.places import DueAt
from forge.store.transactions import Transaction
from forge.work.record.log import events

LATECOMERS = timedelta(minutes=1)
"""After this, every call that had begun before the decision is over, and indexes know what it did."""


class ContinuationKind(StrEnum):
    AGENT_ARCHIVED = "AGENT_ARCHIVED"
    BACKLOG_PLACED = "BACKLOG_PLACED"
    CYCLE_ROLLED_OVER = "CYCLE_ROLLED_OVER"
    DEADLINES_MOVED = "DEADLINES_MOVED"
    LABEL_DELETED = "LABEL_DELETED"
    MANY_MENTIONED = "MANY_MENTIONED"
    MEMBER_REMOVED = "MEMBER_REMOVED"
    PLAN_GOES_ON = "PLAN_GOES_ON"
    PLANS_CANCELED = "PLANS_CANCELED"


class ContinuationItem(Item):
    stored = At("WS#{workspace_id}#CONTINUATIONS", "{id}")
    indexed = (DueAt("due_at"),)

    workspace_id: str
    id: str
    kind: ContinuationKind
    subject_id: str
    target_id: str | None = None
    """Where the subject's things go, for a kind that moves them."""
    words: list[str] = []
    """What is gone through one by one, for a kind that has no partition to walk through."""
    begun_at: datetime
    due_at: datetime
    look_began_at: datetime
    """When the walk began that is under way: the last one begins after the latecomers."""
    position: str = ""
    """Where the walk goes on; nothing at its beginning."""
    settled: int = 0
    left: int = 0
    """What could not be settled in this walk, because others were changing it: another walk finds it."""
    tool: str
    request_id: str
    key_id: str
    user_id: str | None = None
    agent_id: str | None = None
    """Who decided it: the log names them for all that follows."""

    def further(self, position: str, *, settled: int, left: int) -> "ContinuationItem":
        """A chunk is done, and there are more."""
        return self.changed(position=position, settled=self.settled + settled, left=self.left + left)

    def walked(self, now: datetime, *, again_from: str, settled: int, left: int) -> "ContinuationItem | None":
        """A walk came to its end: as it goes on with another one, or None where everything is done."""
        is_complete = self.left + left == 0
        if is_complete and self.look_began_at >= self.begun_at + LATECOMERS:
            return None
        next_look = max(now, self.begun_at + LATECOMERS) if is_complete else now + LATECOMERS
        return self.changed(
            position=again_from if is_complete else "",
            settled=self.settled + settled,
            left=0,
            due_at=next_look,
            look_began_at=next_look,
        )

    def anew(self, now: datetime) -> "ContinuationItem":
        """Decided once more while it is under way: it looks at everything again."""
        return self.changed(begun_at=now, due_at=now, look_began_at=now, position="", left=0)


def begin(tx: Transaction, kind: ContinuationKind, subject_id: str, *, words: Sequence[str] = ()) -> None:
    """Leave the rest of a decision to the sweep, in the transaction that makes it."""
    tx.create(new(tx, kind, subject_id).changed(words=list(words)))


def new(tx: Transaction, kind: ContinuationKind, subject_id: str) -> ContinuationItem:
    """What will follow from the decision of a transaction, before anything is done about it."""
    origin = tx.origin
    return ContinuationItem(
        workspace_id=origin.caller.workspace_id,
        id=origin.new_id("cont"),
        kind=kind,
        subject_id=subject_id,
        begun_at=origin.now,
        due_at=origin.now,
        look_began_at=origin.now,
        tool=origin.tool,
        request_id=origin.request_id,
        key_id=origin.caller.key_id,
        user_id=origin.caller.user_id,
        agent_id=origin.caller.agent_id,
    )


def finish(tx: Transaction, item: ContinuationItem) -> None:
    """Everything is done."""
    tx.delete(item)
    events.record_change(tx, "continuation", item.id, action="finish", before=item)
