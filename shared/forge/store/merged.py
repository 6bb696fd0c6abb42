"""One list over several index partitions: read each, merge them in one order, go on by one cursor."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from heapq import merge
from typing import NamedTuple

from forge.store.cursors import decode_cursor, encode_cursor
from forge.store.keys import Key
from forge.store.pages import MAX_READ, Found
from forge.store.physical import INDEX_BY_NAME
from forge.store.readings import Attributes, ItemT, Rows
from forge.store.table import HIGHEST, SortRange, Table


@dataclass(frozen=True, slots=True)
class Source:
    """Rows of an index partition whose sort keys begin with the prefix. What follows it is their order key.

    Order keys end in the id of the item, so equal ones are one item, seen on its way between two sources.
    """

    partition: str
    index: str
    prefix: str = ""


class _Order(NamedTuple):
    """An order that a list can have, and how its cursors are written.

    They name nothing but the order and a place in it, so there is no partition that one could point into.
    """

    name: str
    is_descending: bool

    def position(self, order_key: str) -> Mapping[str, str]:
        return {"order": self.name, self._bound: order_key}

    def order_key(self, cursor: str) -> str:
        def is_of_this_order(position: Mapping[str, str]) -> bool:
            order_key = position.get(self._bound, "")
            return position == self.position(order_key) and "" < order_key < HIGHEST

        return decode_cursor(cursor, is_of_this_order)[self._bound]

    @property
    def _bound(self) -> str:
        return "before" if self.is_descending else "after"


class _Place(NamedTuple):
    """A row at its place in the order, or how far a source was read that goes on."""

    order_key: str
    row: Attributes | None


def read_merged(
    table: Table,
    kind: type[ItemT],
    sources: Sequence[Source],
    *,
    order: str,
    is_descending: bool,
    limit: int,
    cursor: str | None,
    accepts: Callable[[ItemT], bool] | None = None,
) -> Found[ItemT]:
    """At most `limit` accepted items: one Query for each source, and never more than MAX_READ rows in all."""
    how = _Order(order, is_descending)
    passed = how.order_key(cursor) if cursor else ""
    # One more than wanted tells whether there are more; another may be the very row that was passed.
    enough = MAX_READ if accepts else limit + (2 if passed else 1)
    streams = _read(table, sources, passed=passed, is_descending=is_descending, enough=enough)
    items: list[ItemT] = []
    positions: dict[Key, Mapping[str, str]] = {}
    last = passed
    for order_key, row in merge(*streams, key=lambda place: place.order_key, reverse=is_descending):
        if order_key == last and row is not None:
            continue
        if len(items) == limit:
            return Found(items, encode_cursor(how.position(last)), False, positions)
        if row is None:
            return Found(items, encode_cursor(how.position(order_key)), True, positions)
        item = kind.from_attributes(row)
        if accepts is None or accepts(item):
            items.append(item)
            positions[item.key] = how.position(order_key)
            last = order_key
    return Found(items, None, False, positions)


def _read(
    table: Table, sources: Sequence[Source], *, passed: str, is_descending: bool, enough: int
) -> list[list[_Place]]:
    """One request for each source. What one of them leaves of its share is for those after it."""
    streams: list[list[_Place]] = []
    left = MAX_READ
    for source in sources:
        answer = table.query(
            source.partition,
            index=source.index,
            sort=_rest(source.prefix, passed, is_descending=is_descending),
            is_descending=is_descending,
            limit=min(enough, left // (len(sources) - len(streams))),
        )
        left -= len(answer.rows)
        streams.append(_places(source, answer))
    return streams


def _places(source: Source, answer: Rows) -> list[_Place]:
    sort_name = INDEX_BY_NAME[source.index].sort
    places = [_Place(row[sort_name]["S"].removeprefix(source.prefix), row) for row in answer.rows]
    if answer.next_position is not None:
        places.append(_Place(answer.next_position[sort_name].removeprefix(source.prefix), None))
    return places


def _rest(prefix: str, passed: str, *, is_descending: bool) -> SortRange:
    """What follows the place that was passed, and this itself: within a prefix every bound is included."""
    if not passed:
        return SortRange(prefix)
    return SortRange(prefix, last=prefix + passed) if is_descending else SortRange(prefix, prefix + passed)
