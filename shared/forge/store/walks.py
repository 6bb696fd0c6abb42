"""Reading a list in its order, over one partition or several: a few rows first, more only when asked on."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import merge
from typing import NamedTuple

from forge.store.cursors import Cursors, bad_cursor
from forge.store.physical import INDEX_BY_NAME, SORT
from forge.store.ranges import HIGHEST, SortRange
from forge.store.readings import Attributes
from forge.store.table import CEILING, Table

MAX_READ = CEILING
"""Rows that one call reads of one list, whatever its filters refuse."""

FEW = 20
"""Rows that are read first, however short the page: a filter may refuse some, and asking again costs more."""

_GROWTH = 5


@dataclass(frozen=True, slots=True)
class Source:
    """Rows of a partition, of the table or an index, whose sort keys begin with the prefix.

    What follows it is their place in the list. Places end in the id of the item, so equal ones are one item,
    seen on its way between two sources.
    """

    partition: str
    index: str | None = None
    prefix: str = ""

    def place(self, key: Mapping[str, str]) -> str:
        return key[self._sort_name].removeprefix(self.prefix)

    def place_of(self, row: Attributes) -> str:
        sort: str = row[self._sort_name]["S"]
        return sort.removeprefix(self.prefix)

    @property
    def _sort_name(self) -> str:
        return INDEX_BY_NAME[self.index].sort if self.index else SORT


@dataclass(frozen=True, slots=True)
class Listing:
    """Which rows a list runs over and in which order, from its `start` to its `end` where it has them."""

    sources: Sequence[Source]
    cursors: Cursors
    is_descending: bool = False
    start: str = ""
    end: str = ""

    def place_in(self, cursor: str) -> str:
        """Where this list goes on; a place before its start or after its end is none of its own."""
        place = self.cursors.place_in(cursor)
        has_begun = not self.start or self.is_reached(self.start, by=place)
        has_ended = bool(self.end) and not self.is_reached(place, by=self.end)
        if not has_begun or has_ended or place >= HIGHEST:
            raise bad_cursor()
        return place

    def is_reached(self, place: str, *, by: str) -> bool:
        return by <= place if self.is_descending else by >= place

    def rest(self, source: Source, after: str) -> SortRange:
        """What follows a place, and this itself: within a prefix every bound is included."""
        prefix = source.prefix
        bounds = [place and prefix + place for place in (after or self.start, self.end)]
        first, last = reversed(bounds) if self.is_descending else bounds
        return SortRange(prefix, first, last)


def one_partition(
    partition: str,
    index: str | None = None,
    *,
    prefix: str = "",
    start: str = "",
    end: str = "",
    is_descending: bool = False,
    shards: Sequence[str] = (),
) -> Listing:
    """A list that is ordered as its rows are; the partition names the workspace.

    One that is spread over `shards` is merged of them all, and goes on wherever it was when there were fewer.
    """
    cursors = Cursors(partition, index or "", prefix, "down" if is_descending else "up")
    sources = [Source(one, index, prefix) for one in shards or (partition,)]
    return Listing(sources, cursors, is_descending, start, end)


class RowStretch(NamedTuple):
    """Rows with their places, in order; and where the list goes on, unless this was its end."""

    rows: Sequence[tuple[str, Attributes]]
    goes_on_after: str | None


def walk(
    table: Table, listing: Listing, *, after: str, limit: int, is_filtered: bool
) -> Iterator[RowStretch]:
    """The list, stretch by stretch, as long as somebody asks on; never more than MAX_READ rows in all.

    Without a filter one request for each source is enough. With one, about twice the page is read first, at
    most three times where sources share it, and whichever of them is in the way reads on: at most two times,
    and only once where there are many.
    """
    plan = _Plan(listing, limit=limit, is_resumed=bool(after), is_filtered=is_filtered)
    streams = [_Stream(source) for source in listing.sources]
    for place, stream in enumerate(streams):
        plan.begin(table, stream, after=after, others=len(streams) - place - 1)
    while True:
        behind = _behind(streams, is_descending=listing.is_descending)
        end = behind.end if behind else None
        parts = [stream.take(listing, end) for stream in streams]
        rows = merge(*parts, key=lambda placed: placed[0], reverse=listing.is_descending)
        yield RowStretch(list(rows), end)
        if behind is None or not plan.read_on(table, behind, streams, after=after):
            return


@dataclass(slots=True)
class _Stream:
    """A source as far as it was read, and what of it nobody has taken yet."""

    source: Source
    pending: list[tuple[str, Attributes]] = field(default_factory=list)
    next_position: Mapping[str, str] | None = None
    requests: int = 0

    @property
    def end(self) -> str | None:
        """The place up to which it is known; None when that is all of it."""
        return self.source.place(self.next_position) if self.next_position else None

    def take(self, listing: Listing, end: str | None) -> list[tuple[str, Attributes]]:
        """The rows up to this place, before which nothing that is read later can come."""
        size = len(self.pending)
        if end is not None:
            size = sum(listing.is_reached(placed[0], by=end) for placed in self.pending)
        taken, self.pending = self.pending[:size], self.pending[size:]
        return taken


class _Plan:
    """How much to read of what: the bound is for all sources together."""

    def __init__(self, listing: Listing, *, limit: int, is_resumed: bool, is_filtered: bool) -> None:
        self._listing = listing
        self._left = MAX_READ
        # One more than wanted tells whether there are more; another may be the very row that was passed.
        self._first = (max(2 * limit, FEW) if is_filtered else limit) + (2 if is_resumed else 1)
        self._first_of_all = min(3 * max(limit, FEW // 2), MAX_READ) if is_filtered else MAX_READ
        self._most_requests = (3 if len(listing.sources) <= 2 else 2) if is_filtered else 1

    def begin(self, table: Table, stream: _Stream, *, after: str, others: int) -> None:
        """A first few; what a source leaves of its share is for those after it."""
        size = min(self._first, self._first_of_all // (others + 1))
        self._read(table, stream, after=after, size=size)
        self._first_of_all -= len(stream.pending)

    def read_on(self, table: Table, stream: _Stream, streams: Sequence[_Stream], *, after: str) -> bool:
        """More of this one, whose share is what all that can go on would have; False when it may not."""
        share = self._left // max(sum(self._may_go_on(one) for one in streams), 1)
        if not self._may_go_on(stream) or not share:
            return False
        is_last = stream.requests + 1 == self._most_requests
        size = share if is_last else min(share, _GROWTH * self._first)
        self._read(table, stream, after=after, size=size)
        return True

    def _read(self, table: Table, stream: _Stream, *, after: str, size: int) -> None:
        source = stream.source
        answer = table.query(
            source.partition,
            index=source.index,
            sort=self._listing.rest(source, after),
            is_descending=self._listing.is_descending,
            limit=size,
            after=stream.next_position,
        )
        stream.next_position = answer.next_position
        self._left -= len(answer)
        stream.requests += 1
        stream.pending += [(source.place_of(row), row) for row in answer]

    def _may_go_on(self, stream: _Stream) -> bool:
        return stream.next_position is not None and stream.requests < self._most_requests


def _behind(streams: Sequence[_Stream], *, is_descending: bool) -> _Stream | None:
    """The one that is known the least far, which all others have to wait for."""
    unfinished = [stream for stream in streams if stream.end is not None]
    if not unfinished:
        return None
    furthest = max if is_descending else min
    return furthest(unfinished, key=lambda stream: str(stream.end))
