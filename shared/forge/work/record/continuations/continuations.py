"""A continuation: written by the transaction that decides, and gone when everything that follows is done."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

from forge.errors import Conflict, NotFound, Unavailable
from forge.store.items import Item
from forge.store.keys import At
from forge.store.places import DueAt
from forge.store.ranges import SortRange
from forge.store.table import Table
from forge.store.transactions import Transaction, VersionMoved
from forge.work.record.log import events

LATECOMERS = timedelta(minutes=1)
"""After this, every call that had begun before the decision is over, and indexes know what it did."""


class ContinuationKind(StrEnum):
    AGENT_ARCHIVED = "AGENT_ARCHIVED"
    BACKLOG_PLACED = "BACKLOG_PLACED"
    CYCLE_ROLLED_OVER = "CYCLE_ROLLED_OVER"
    DEADLINES_MOVED = "DEADLINES_MOVED"
    KEY_REVOKED = "KEY_REVOKED"
    KEYS_FOLLOW = "KEYS_FOLLOW"
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
    """What is gone through one by one, for a kind that has no partition to walk through; for keys that
    follow, over how many shards the log is to be spread."""
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
    """With the user and the key, who decided it: the log names them for all that follows."""

    def further(self, position: str, *, settled: int, left: int) -> "ContinuationItem":
        """A chunk is done, and there are more."""
        return self.changed(position=position, settled=self.settled + settled, left=self.left + left)

    def walked(self, now: datetime, *, again_from: str, settled: int, left: int) -> "ContinuationItem | None":
        """A walk came to its end: as it goes on with another one, or None where everything is done."""
        is_complete = self.left + left == 0
        if is_complete and self.is_last_walk:
            return None
        next_look = max(now, self.begun_at + LATECOMERS) if is_complete else now + LATECOMERS
        return self.changed(
            position=again_from if is_complete else "",
            settled=self.settled + settled,
            left=0,
            due_at=next_look,
            look_began_at=next_look,
        )

    @property
    def is_last_walk(self) -> bool:
        """Whether the walk under way began after the latecomers; it is repeated if it leaves something."""
        return self.look_began_at >= self.begun_at + LATECOMERS

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


CHUNK = 20
"""Things that are changed before the place is written down."""
_MOST_READ = 100
_MOST_TRIES = 3
# The next of all texts: a walk goes on after what it has seen.
_NEXT = "\0"
_SEPARATOR = "|"

ItemT = TypeVar("ItemT", bound=Item)


class Stretch(NamedTuple, Generic[ItemT]):
    """One partition to walk through, and what each of its rows asks for."""

    kind: type[ItemT]
    partition: str
    settle: Callable[[ItemT], bool]
    """Does what is left to do about a row; whether that was anything. Repeating it does nothing."""
    concerns: Callable[[ItemT], bool] = lambda item: True
    prefix: str = ""
    index_name: str | None = None
    again_from: str = ""
    """Where another walk may begin, if all that can have moved during this one is after that."""


class Chunk(NamedTuple):
    position: str
    """Where the next one begins; after the last one, another walk."""
    is_last: bool
    settled: int
    left: int


def walk(table: Table, stretches: Sequence[Stretch[ItemT]], position: str) -> Chunk:
    """Settle the next few, from this position on."""
    number, _, after = position.partition(_SEPARATOR)
    place = int(number or 0)
    stretch = stretches[place]
    rows = table.query(
        stretch.partition,
        limit=_MOST_READ,
        sort=SortRange(stretch.prefix, first=after + _NEXT if after else ""),
        index=stretch.index_name,
    )
    is_cut, settled, left = rows.next_position is not None, 0, 0
    for sort, item in rows.placed(stretch.kind, index=stretch.index_name):
        after = sort
        if not stretch.concerns(item):
            continue
        outcome = _settle(stretch, item)
        settled, left = settled + (outcome is True), left + (outcome is None)
        if settled + left >= CHUNK:
            return Chunk(f"{place}{_SEPARATOR}{after}", is_last=False, settled=settled, left=left)
    if is_cut:
        return Chunk(f"{place}{_SEPARATOR}{after}", is_last=False, settled=settled, left=left)
    is_last = place + 1 == len(stretches)
    following = f"0{_SEPARATOR}{stretches[0].again_from}" if is_last else f"{place + 1}{_SEPARATOR}"
    return Chunk(following, is_last=is_last, settled=settled, left=left)


def _settle(stretch: Stretch[ItemT], item: ItemT) -> bool | None:
    """Whether there was anything to do; None where others were quicker each time."""
    for _ in range(_MOST_TRIES):
        try:
            return stretch.settle(item)
        except VersionMoved:
            continue
        except NotFound:
            return False
        except (Conflict, Unavailable):
            return None
    return None
