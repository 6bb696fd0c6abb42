"""What was read: items by key, and rows of a query. What is not known never looks like what is not there."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeVar

from forge.store.keys import Key
from forge.store.physical import INDEX_BY_NAME, PARTITION, SORT

if TYPE_CHECKING:
    # Only their types: the router reads with a Table, and starts without pydantic.
    from forge.store.items import Item
    from forge.store.table import Table
    from forge.store.transactions import Transaction

Attributes = Mapping[str, Mapping[str, Any]]
ItemT = TypeVar("ItemT", bound="Item")


class NeverRead(LookupError):
    """Somebody looks for what nobody read: our own mistake, which must not pass for absence."""


class CutInSilence(LookupError):
    """Somebody takes the first rows for all of them: our own mistake, too."""


class Unbounded(ValueError):
    """A read beyond the ceiling for which no reason (`because`) was given."""


def key_of(row: Attributes) -> Key:
    return Key(row[PARTITION]["S"], row[SORT]["S"])


class Rows:
    """What a query read, as stored. Where more follow, nobody gets at these who did not look for that."""

    __slots__ = ("_is_known_cut", "_next_position", "_rows")

    def __init__(self, rows: Sequence[Attributes], next_position: Mapping[str, str] | None = None) -> None:
        self._rows = rows
        self._next_position = next_position
        self._is_known_cut = next_position is None

    @property
    def next_position(self) -> Mapping[str, str] | None:
        """Where the next query would begin; None where nothing follows."""
        self._is_known_cut = True
        return self._next_position

    def first_ones(self) -> Self:
        """For who wants no more than these, whether or not more follow."""
        self._is_known_cut = True
        return self

    @property
    def rows(self) -> Sequence[Attributes]:
        if not self._is_known_cut:
            raise CutInSilence(f"more rows follow these {len(self._rows)}; look at `next_position` first")
        return self._rows

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Attributes]:
        return iter(self.rows)

    @property
    def keys(self) -> list[Key]:
        return [key_of(row) for row in self.rows]

    def places_in(self, index: str) -> list[tuple[Key, str]]:
        """Where each row is stored, and its place in the order of the index that was asked."""
        sort = INDEX_BY_NAME[index].sort
        return [(key_of(row), row[sort]["S"]) for row in self.rows]

    def of(self, kind: type[ItemT], *, sort_prefix: str | None = None) -> list[ItemT]:
        """The items of one kind, where the partition holds several: by how its sort keys begin."""
        if sort_prefix is None:
            begins: str | tuple[str, ...] = tuple(at.prefix() for at in (kind.stored, *kind.instead))
        else:
            begins = sort_prefix
        return [kind.from_attributes(row) for row in self.rows if row[SORT]["S"].startswith(begins)]

    def placed(self, kind: type[ItemT], *, index: str | None = None) -> list[tuple[str, ItemT]]:
        """The items with their sort keys, those in an index where it was queried."""
        name = INDEX_BY_NAME[index].sort if index else SORT
        return [(row[name]["S"], kind.from_attributes(row)) for row in self.rows]


class Readings:
    """Items that were read strongly by their keys, of whatever kinds.

    It remembers what was asked for: what is not there is None, and what was never asked for raises.
    """

    __slots__ = ("_items", "_rows", "_table")

    def __init__(self, table: "Table | None" = None) -> None:
        """Without a table it holds only what it is given."""
        self._table = table
        self._rows: dict[Key, Attributes | None] = {}
        self._items: dict[tuple[type[Item], Key], Item] = {}

    def fetch(self, wanted: Iterable[Key]) -> None:
        """Read what was not asked for yet: one request for a hundred keys, none where nothing is missing."""
        missing = [key for key in dict.fromkeys(wanted) if key not in self._rows]
        if not missing:
            return
        if self._table is None:
            raise NeverRead(f"there is no table to read {missing[0]} from")
        found = self._table.find_rows(missing)
        self._rows |= {key: found.get(key) for key in missing}

    def find(self, kind: type[ItemT], key: Key) -> ItemT | None:
        known = self._items.get((kind, key))
        if known is None:
            row = self._row(key)
            if row is None:
                return None
            known = self._items[kind, key] = kind.from_attributes(row)
        return known  # type: ignore[return-value]  # it was made of this very kind

    def find_named(self, kind: type[ItemT], key: Key) -> ItemT | None:
        """What stands under a name that a caller gives: what is of another kind is not there."""
        row = self._row(key)
        return self.find(kind, key) if row is not None and kind.is_in(row) else None

    def get(self, kind: type[ItemT], key: Key) -> ItemT:
        """What must be there, because it comes into being together with something that is."""
        found = self.find(kind, key)
        if found is None:
            raise LookupError(f"{key} must exist")
        return found

    def has(self, key: Key) -> bool:
        return self._row(key) is not None

    def number(self, key: Key, name: str) -> int:
        """A number that is only ever added to: 0 before the first time."""
        row = self._row(key)
        return int(row[name]["N"]) if row and name in row else 0

    def hold(self, rows: Iterable[Attributes]) -> None:
        """Take over what a query brought."""
        self._rows |= {key_of(row): row for row in rows}

    def hold_items(self, items: Iterable["Item"]) -> None:
        self._rows |= {item.key: item.attributes() for item in items}

    def hold_absent(self, keys: Iterable[Key]) -> None:
        """Know that these keys were read elsewhere, and that nothing is there."""
        self._rows |= dict.fromkeys(keys)

    def take_over(self, tx: "Transaction") -> None:
        """What a transaction has stored is what a later one of the same call goes on with."""
        written = tx.stored()
        self._rows |= written
        self._items = {place: item for place, item in self._items.items() if place[1] not in written}

    def _row(self, key: Key) -> Attributes | None:
        try:
            return self._rows[key]
        except KeyError:
            raise NeverRead(f"{key} was never read") from None
