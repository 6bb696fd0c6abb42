"""Walking through all that a continuation may concern: a chunk at a time, each of its things by itself."""

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

from forge.errors import Conflict, NotFound, Unavailable
from forge.store.items import Item
from forge.store.table import SortRange, Table
from forge.store.transactions import VersionMoved

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
