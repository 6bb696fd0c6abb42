"""One page of a list: things with their places, a bound on what is read for it, and a cursor to go on."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Generic, NamedTuple, Protocol, Self, TypeVar

from forge.store.cursors import Cursors
from forge.store.readings import Attributes, ItemT
from forge.store.table import Table
from forge.store.walks import FEW, MAX_READ, Listing, walk

ThingT = TypeVar("ThingT")
OtherT = TypeVar("OtherT")

Look = Callable[[Sequence[ItemT]], Sequence[bool]]
"""Which of some items belong on the page; fewer answers than items where it can't tell of more."""


class AskedPage(Protocol):
    """How much of a list is wanted, and after which page: the input of every tool that lists."""

    @property
    def limit(self) -> int: ...

    @property
    def cursor(self) -> str | None: ...


class Portion(NamedTuple):
    """The same, for who decides that by themselves."""

    limit: int
    cursor: str | None = None


class Placed(NamedTuple, Generic[ThingT]):
    """Something at its place in a list."""

    thing: ThingT
    place: str


@dataclass(frozen=True, slots=True)
class Found(Generic[ThingT]):
    """What a page can show, and where the list goes on after it.

    Things of one place stay together, because a cursor can't lead between them.
    """

    placed: Sequence[Placed[ThingT]]
    goes_on_after: str | None
    is_truncated: bool
    """The page ends before it is full, although there may be more."""
    cursor_of: Callable[[str], str]
    reason: str | None = None
    """Why it is cut short, where no cursor leads to the rest."""

    @property
    def items(self) -> list[ThingT]:
        return [one.thing for one in self.placed]

    @property
    def next_cursor(self) -> str | None:
        return self.cursor_of(self.goes_on_after) if self.goes_on_after is not None else None

    def first(self, size: int) -> Self:
        """A page that ends early: with so many things at most, unless the first place alone has more."""
        places = [one.place for one in self.placed]
        if size >= len(places):
            return self
        while size and places[size - 1] == places[size]:
            size -= 1
        size = size or places.count(places[0])
        if size == len(places):
            return self
        return replace(
            self, placed=self.placed[:size], goes_on_after=self.placed[size - 1].place, is_truncated=True
        )

    def cut_short(self, reason: str) -> Self:
        """A page of a list that ends before all that belongs to it was looked at."""
        return replace(self, is_truncated=True, reason=reason)

    def become(self, change: Callable[[ThingT], OtherT | None], *, full: int = 0) -> "Found[OtherT]":
        """Other things at the same places, or nothing; with fewer than `full` it says that it is short."""
        became = [(change(one.thing), one.place) for one in self.placed]
        placed = [Placed(thing, place) for thing, place in became if thing is not None]
        is_short = self.goes_on_after is not None and len(placed) < full
        return Found(placed, self.goes_on_after, self.is_truncated or is_short, self.cursor_of, self.reason)


def read_page(
    table: Table,
    kind: type[ItemT],
    listing: Listing,
    asked: AskedPage,
    *,
    accepts: Callable[[ItemT], bool] | None = None,
    look: Look[ItemT] | None = None,
) -> Found[ItemT]:
    """At most as many items as are asked for that a filter accepts and, of these, a look does not leave out.

    A filter decides by the item alone; a look may read what it needs, for all that it is given at once.
    """
    limit = asked.limit
    passed = listing.place_in(asked.cursor) if asked.cursor else ""
    is_filtered = accepts is not None or look is not None
    found: list[Placed[ItemT]] = []
    known_to: str | None = None
    for stretch in walk(table, listing, after=passed, limit=limit, is_filtered=is_filtered):
        last = found[-1].place if found else passed
        candidates = _accepted(stretch.rows, kind, accepts, last=last)
        if look is None:
            # What comes after the page is not worth decoding.
            found += islice(candidates, limit + 1 - len(found))
        else:
            fresh = list(candidates)
            verdicts = look([one.thing for one in fresh])
            found += [one for one, is_shown in zip(fresh, verdicts, strict=False) if is_shown]
            if len(verdicts) < len(fresh):
                known_to = fresh[len(verdicts) - 1].place if verdicts else known_to
                break
        known_to = stretch.goes_on_after
        if len(found) >= limit:
            break
    return _page(found, known_to, limit=limit, cursor_of=listing.cursors.after)


def page_among(
    things: Iterable[ThingT],
    place: Callable[[ThingT], str],
    asked: AskedPage,
    *,
    cursors: Cursors,
    is_descending: bool = False,
) -> Found[ThingT]:
    """A page of things that have all been read, for orders that no index gives."""
    placed = sorted(
        (Placed(thing, place(thing)) for thing in things), key=lambda one: one.place, reverse=is_descending
    )
    if asked.cursor:
        last = cursors.place_in(asked.cursor)
        placed = [one for one in placed if (one.place < last if is_descending else one.place > last)]
    return _page(placed, None, limit=asked.limit, cursor_of=cursors.after)


def read_moments(
    table: Table, kind: type[ItemT], listing: Listing, *, limit: int, is_shown: Callable[[ItemT], bool]
) -> Found[ItemT]:
    """A page of what is listed by time, newest first, where the cursor between two pages is a time.

    Things of one moment are never parted, so it may be a little longer than its limit. Some more than the
    page are read first, and more than these only where so many of them are not shown to anybody.
    """
    (source,) = listing.sources
    read: list[Placed[ItemT]] = []
    position, size = None, limit + max(limit // 2, FEW)
    while True:
        rows = table.query(
            source.partition, sort=listing.rest(source, ""), limit=size, is_descending=True, after=position
        )
        position = rows.next_position
        read += [Placed(kind.from_attributes(row), _moment(source.place_of(row))) for row in rows]
        # The last moment may go on, so it is left for the next page; it is read on only if there is no other.
        whole = [one for one in read if position is None or one.place != read[-1].place]
        kept = [one for one in whole if is_shown(one.thing)]
        # A megabyte is more than can be sent, so nothing is gained by reading on.
        is_all = len(read) >= MAX_READ or len(rows) < size
        if position is None or (whole and (len(kept) >= limit or is_all)):
            break
        size = max(MAX_READ - len(read), FEW)
    known_to = (kept if len(kept) >= limit else whole)[-1].place if position else None
    while limit < len(kept) and kept[limit].place == kept[limit - 1].place:
        limit += 1
    return _page(kept, known_to, limit=limit, cursor_of=str)


def _moment(place: str) -> str:
    """The time at a place of a list, written as answers show times."""
    return datetime.fromisoformat(place.partition("#")[0]).isoformat().replace("+00:00", "Z")


def _accepted(
    rows: Iterable[tuple[str, Attributes]],
    kind: type[ItemT],
    accepts: Callable[[ItemT], bool] | None,
    *,
    last: str,
) -> Iterator[Placed[ItemT]]:
    for place, row in rows:
        # Either the row that was passed, or one that was seen already on its way between two sources.
        if place == last:
            continue
        item = kind.from_attributes(row)
        if accepts is None or accepts(item):
            last = place
            yield Placed(item, place)


def _page(
    found: Sequence[Placed[ThingT]], known_to: str | None, *, limit: int, cursor_of: Callable[[str], str]
) -> Found[ThingT]:
    """Of what is known up to a place: it goes on after the page, or else from there."""
    shown = found[:limit]
    rest = shown[-1].place if len(found) > limit else known_to
    return Found(shown, rest, rest is not None and len(shown) < limit, cursor_of)
