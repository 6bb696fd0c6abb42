"""Capacity units by the documented rules, from the sizes of items: emulators report other numbers."""

from collections.abc import Iterable, Mapping
from math import ceil
from typing import Any

from forge.store.physical import INDEXES, PARTITION, SORT, Index

Attributes = Mapping[str, Mapping[str, Any]]

_READ_UNIT = 4096
_WRITE_UNIT = 1024


def item_bytes(item: Attributes) -> int:
    return sum(len(name.encode()) + _value_bytes(value) for name, value in item.items())


def read_units(items: Iterable[Attributes], *, is_strong: bool, is_query: bool) -> float:
    """A query is charged for its sum, other reads for each item, an empty answer for one unit."""
    sizes = [item_bytes(item) for item in items] or [0]
    charged = [sum(sizes)] if is_query else sizes
    units = sum(max(1, ceil(size / _READ_UNIT)) for size in charged)
    return units if is_strong else units / 2


def write_units(items: Iterable[Attributes], *, is_transaction: bool) -> int:
    units = sum(_units(item) for item in items)
    return units * 2 if is_transaction else units


def index_units(before: Attributes | None, after: Attributes | None) -> dict[str, int]:
    """What a write of an item costs in each index that it moves: indexes are never transactional."""
    found = {index.name: _moved(_entry(index, before), _entry(index, after), index) for index in INDEXES}
    return {name: units for name, units in found.items() if units}


def _moved(old: Attributes | None, new: Attributes | None, index: Index) -> int:
    """Nothing where the entry stays as it is; twice, where it moves to another place."""
    if old == new:
        return 0
    if old and new and all(old[name] == new[name] for name in (index.partition, index.sort)):
        return max(_units(old), _units(new))
    return sum(_units(one) for one in (old, new) if one)


def _entry(index: Index, item: Attributes | None) -> Attributes | None:
    """What an index holds of an item."""
    keys = {index.partition, index.sort}
    if item is None or not keys <= item.keys():
        return None
    return item if index.projects_all else {name: item[name] for name in (PARTITION, SORT, *sorted(keys))}


def _units(item: Attributes) -> int:
    return max(1, ceil(item_bytes(item) / _WRITE_UNIT))


def _value_bytes(value: Mapping[str, Any]) -> int:
    ((kind, content),) = value.items()
    match kind:
        case "S":
            return len(content.encode())
        case "N":
            return len(content) // 2 + 1
        case "BOOL" | "NULL":
            return 1
        case "SS":
            return sum(len(member.encode()) for member in content)
        case "L":
            return 3 + sum(1 + _value_bytes(member) for member in content)
        case "M":
            return 3 + sum(1 + len(name.encode()) + _value_bytes(member) for name, member in content.items())
        case _:
            return len(content)
