"""What the sweep could not settle: tried again later and later, and in the end left to an operator."""

from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from forge.errors import NotFound
from forge.store.items import Item
from forge.store.keys import At, Key, Partition
from forge.store.physical import INDEX_BY_NAME
from forge.store.places import KeptFor, due_attributes
from forge.store.table import Table
from forge.store.transactions import Transaction, overtaken

MOST_TRIES = 12
FIRST_WAIT, LONGEST_WAIT = timedelta(minutes=1), timedelta(hours=1)

_DUE = INDEX_BY_NAME["due"]
_AGAIN = "#again"
"""Behind the time of what failed before: so the sweep knows of it without reading more."""
_MOST_OF_ERROR = 500
_FORGOTTEN_AFTER, _DEAD_KEPT = timedelta(days=1), timedelta(days=400)


class TimerState(StrEnum):
    RETRYING = "RETRYING"
    DEAD = "DEAD"


class Due(NamedTuple):
    """Something that is due: where it is stored, and its place in the order of what is."""

    key: Key
    place: str

    @property
    def workspace_id(self) -> str:
        """Whose it is; nothing for what lies outside every workspace."""
        prefix, _, rest = self.key.partition.partition("#")
        return rest.partition("#")[0] if prefix == "WS" else ""

    @property
    def kind(self) -> str:
        """What its partition is of: `RUN` of `WS#{workspace}#RUN#{run}`."""
        parts = self.key.partition.split("#")
        return parts[2] if len(parts) > 2 else ""

    @property
    def has_failed(self) -> bool:
        return self.place.endswith(_AGAIN)


TIMERS = Partition("WS#{workspace_id}#TIMERS")


class TimerItem(Item):
    """Something due that could not be settled: how often, why, and since when."""

    stored = At(TIMERS, "{id}")
    kept = KeptFor(since="forgotten_at")

    workspace_id: str
    id: str
    subject_partition: str
    subject_sort: str
    state: TimerState
    tries: int
    last_error: str
    failing_since: datetime
    last_failed_at: datetime
    next_try_at: datetime | None = None

    @property
    def forgotten_at(self) -> datetime:
        """When this row expires: soon after its next try; long after it was given up, for operators."""
        return self.next_try_at + _FORGOTTEN_AFTER if self.next_try_at else self.failing_since + _DEAD_KEPT

    @property
    def subject(self) -> Key:
        return Key(self.subject_partition, self.subject_sort)


def timer_id(subject: Key) -> str:
    """The id of a thing's timer, derived from its key, so that two sweeps at once write one row."""
    return f"tmr_{sha256(f'{subject.partition}|{subject.sort}'.encode()).hexdigest()[:24]}"


def wait_before(tries: int, chance: float) -> timedelta:
    """How long to leave something alone that failed so often: any part of a time that doubles to a limit."""
    doubled: timedelta = FIRST_WAIT * 2 ** (min(tries, MOST_TRIES) - 1)
    return min(doubled, LONGEST_WAIT) * chance


def failed(
    known: TimerItem | None, due: Due, reason: BaseException, *, now: datetime, chance: float
) -> TimerItem:
    """What is known of something due after it failed once more; the last time that it may is the end."""
    tries = known.tries + 1 if known else 1
    is_over = tries >= MOST_TRIES
    return TimerItem(
        workspace_id=due.workspace_id,
        id=timer_id(due.key),
        subject_partition=due.key.partition,
        subject_sort=due.key.sort,
        state=TimerState.DEAD if is_over else TimerState.RETRYING,
        tries=tries,
        last_error=f"{type(reason).__name__}: {reason}"[:_MOST_OF_ERROR],
        failing_since=known.failing_since if known else now,
        last_failed_at=now,
        next_try_at=None if is_over else now + wait_before(tries, chance),
        version=known.version if known else 1,
    )


def put_off(tx: Transaction, known: TimerItem | None, timer: TimerItem, due: Due) -> None:
    """Keep what is known, and have the thing due later or not at all, unless somebody moved it meanwhile."""
    if known is None:
        tx.create(timer, refusal=overtaken)
    else:
        tx.replace(timer)
    place = due_attributes(timer.subject, timer.next_try_at)
    if timer.next_try_at:
        place[_DUE.sort] = f"{place[_DUE.sort]}{_AGAIN}"
    tx.adjust(timer.subject, assign=place, equal={_DUE.sort: due.place})


def retry(tx: Transaction, timer: TimerItem, *, is_there: bool) -> None:
    """Have the thing due now, as if it had never failed; what is gone meanwhile needs nothing more."""
    tx.delete(timer)
    if is_there:
        tx.adjust(timer.subject, assign=due_attributes(timer.subject, tx.origin.now))


def find(table: Table, workspace_id: str, subject: Key) -> TimerItem | None:
    return table.find(TimerItem, TimerItem.at(workspace_id, timer_id(subject)))


def get(table: Table, workspace_id: str, given: str) -> TimerItem:
    missing = NotFound(f"There is no timer {given[:60]!r}.", hint="timers.list shows them.")
    return table.get(TimerItem, TimerItem.at(workspace_id, given), missing=missing)
