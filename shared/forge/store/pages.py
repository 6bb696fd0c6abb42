"""One page of a list: one request, a bound on what it reads, filters in memory, a cursor to go on."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic

from forge.store.cursors import decode_cursor, encode_cursor
from forge.store.keys import Key
from forge.store.physical import INDEX_BY_NAME, PARTITION, SORT
from forge.store.readings import ItemT
from forge.store.table import EVERYTHING, SortRange, Table

MAX_READ = 500


@dataclass(frozen=True, slots=True)
class Listing:
    """Which rows a list runs over, and in which order."""

    workspace_prefix: str
    partition: str
    index: str | None = None
    sort: SortRange = EVERYTHING
    is_descending: bool = False


@dataclass(frozen=True, slots=True)
class Found(Generic[ItemT]):
    items: list[ItemT]
    next_cursor: str | None
    is_truncated: bool
    """The bound on reading was hit before the page was full: there may be more."""
    positions: Mapping[Key, Mapping[str, str]]
    """Where each item stands in its list; by key, so that items may be left out or put into another order."""

    def cursor_after(self, place: int) -> str:
        """For a page that shows less than what was found: goes on right after the item at this place."""
        return encode_cursor(self.positions[self.items[place].key])


def read_page(
    table: Table,
    kind: type[ItemT],
    listing: Listing,
    *,
    limit: int,
    cursor: str | None = None,
    accepts: Callable[[ItemT], bool] | None = None,
) -> Found[ItemT]:
    """At most `limit` accepted items. With a filter more rows are read, but never above MAX_READ."""
    names = _key_names(listing)
    answer = table.query(
        listing.partition,
        index=listing.index,
        sort=listing.sort,
        is_descending=listing.is_descending,
        # One more than wanted tells whether there are more.
        limit=MAX_READ if accepts else limit + 1,
        after=_position(cursor, listing, names) if cursor else None,
    )
    items: list[ItemT] = []
    positions: dict[Key, Mapping[str, str]] = {}
    for place, row in enumerate(answer.rows):
        item = kind.from_attributes(row)
        if accepts is not None and not accepts(item):
            continue
        items.append(item)
        position = positions[item.key] = {name: row[name]["S"] for name in names}
        if len(items) == limit:
            has_more = place + 1 < len(answer.rows) or answer.next_position is not None
            return Found(items, encode_cursor(position) if has_more else None, False, positions)
    rest = encode_cursor(answer.next_position) if answer.next_position else None
    return Found(items, rest, rest is not None, positions)


def _key_names(listing: Listing) -> tuple[str, ...]:
    if listing.index is None:
        return (PARTITION, SORT)
    index = INDEX_BY_NAME[listing.index]
    return (PARTITION, SORT, index.partition, index.sort)


def _position(cursor: str, listing: Listing, names: tuple[str, ...]) -> Mapping[str, str]:
    partition_name, sort_name = names[-2:]

    def is_of_this_list(position: Mapping[str, str]) -> bool:
        return (
            set(position) == set(names)
            and position[PARTITION].startswith(listing.workspace_prefix)
            and position[partition_name] == listing.partition
            and listing.sort.includes(position[sort_name])
            and all(position.values())
        )

    return decode_cursor(cursor, is_of_this_list)
