"""Capacity units by the documented rules, from the sizes of items: emulators report other numbers."""

from collections.abc import Iterable, Mapping
from math import ceil
from typing import Any

_READ_UNIT = 4096
_WRITE_UNIT = 1024


def item_bytes(item: Mapping[str, Mapping[str, Any]]) -> int:
    return sum(len(name.encode()) + _value_bytes(value) for name, value in item.items())


def read_units(items: Iterable[Mapping[str, Any]], *, is_strong: bool, is_query: bool) -> float:
    """A query is charged for its sum, other reads for each item, an empty answer for one unit."""
    sizes = [item_bytes(item) for item in items] or [0]
    charged = [sum(sizes)] if is_query else sizes
    units = sum(max(1, ceil(size / _READ_UNIT)) for size in charged)
    return units if is_strong else units / 2


def write_units(items: Iterable[Mapping[str, Any]], *, is_transaction: bool) -> int:
    units = sum(max(1, ceil(item_bytes(item) / _WRITE_UNIT)) for item in items)
    return units * 2 if is_transaction else units


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
