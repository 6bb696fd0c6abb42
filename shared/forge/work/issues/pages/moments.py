"""Pages of what is ordered by time and read back in time, where the cursor between two pages is a time.

Things of one moment are never parted, so a page may be a little longer than its limit.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from forge.store import keys
from forge.store.pages import Found, Placed
from forge.store.readings import ItemT
from forge.store.table import SortRange, Table
from forge.store.walks import FEW, MAX_READ


class Strip(NamedTuple):
    """Rows of a partition whose sort keys are this prefix, a time, and an id."""

    partition: str
    prefix: str

    def before(self, moment: datetime | None) -> SortRange:
        """Up to the last one that is older: each is a time and an id, so it comes after its time alone."""
        last = f"{self.prefix}{keys.sortable_time(moment)}" if moment else ""
        return SortRange(prefix=self.prefix, last=last)

    def moment_of(self, item: ItemT) -> str:
        return item.key.sort.removeprefix(self.prefix).partition("#")[0]


def shown_time(moment: datetime) -> str:
    """As answers show times, so that whoever compares one with a cursor finds them the same."""
    return moment.isoformat().replace("+00:00", "Z")


def read_newest(
    table: Table,
    kind: type[ItemT],
    strip: Strip,
    *,
    before: datetime | None,
    limit: int,
    is_shown: Callable[[ItemT], bool],
) -> Found[ItemT]:
    """The newest first: all of each moment, without what is not shown to anybody."""
    whole, has_older = _whole_moments(table, kind, strip, before=before, limit=limit, is_shown=is_shown)
    moments = [(item, strip.moment_of(item)) for item in whole]
    kept = [Placed(item, _place(moment)) for item, moment in moments if is_shown(item)]
    placed = kept[: _end_of_moment(kept, limit)]
    if len(placed) < len(kept):
        return Found(placed, placed[-1].place, is_truncated=False, cursor_of=str)
    if not has_older:
        return Found(placed, None, is_truncated=False, cursor_of=str)
    is_full = len(placed) >= limit
    rest = placed[-1].place if is_full else _place(moments[-1][1])
    return Found(placed, rest, is_truncated=not is_full, cursor_of=str)


def _whole_moments(
    table: Table,
    kind: type[ItemT],
    strip: Strip,
    *,
    before: datetime | None,
    limit: int,
    is_shown: Callable[[ItemT], bool],
) -> tuple[list[ItemT], bool]:
    """Items up to where the oldest moment among them is complete, and whether there are older ones.

    Some more than the page are read first, and more than these only where so many of them are not shown.
    """
    read: list[ItemT] = []
    among, after, size = strip.before(before), None, limit + max(limit // 2, FEW)
    while True:
        answer = table.query(strip.partition, sort=among, limit=size, is_descending=True, after=after)
        after = answer.next_position
        read += answer.of(kind)
        if after is None:
            return read, False
        # The last moment may go on, so it is left for the next page; it is read on only if there is no other.
        last = strip.moment_of(read[-1])
        whole = [item for item in read if strip.moment_of(item) != last]
        is_full = sum(map(is_shown, whole)) >= limit
        # A megabyte is more than can be sent, so nothing is gained by reading on.
        is_all = len(read) >= MAX_READ or len(answer) < size
        if whole and (is_full or is_all):
            return whole, True
        size = max(MAX_READ - len(read), FEW)


def _end_of_moment(placed: Sequence[Placed[ItemT]], end: int) -> int:
    while 0 < end < len(placed) and placed[end].place == placed[end - 1].place:
        end += 1
    return end


def _place(moment: str) -> str:
    return shown_time(datetime.fromisoformat(moment))
