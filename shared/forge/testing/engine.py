"""The emulator's engine without what takes it most of its time, and what nobody here asks for.

It copies items as if they might hold anything, measures each item several times for one write, looks up the
indexes of a table for each of them, and reckons what the write costs, whether or not anybody wants to know.
"""

import copy
import marshal
from collections.abc import Mapping
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any, NamedTuple

from ministack.services import dynamodb

from forge.testing.expressions import read_each_once

Table = dict[str, Any]
Item = Mapping[str, Any]

_KEPT = 4_096
_PLAIN = frozenset({"S", "BOOL", "NULL"})
_measured: Any = dynamodb._attribute_value_size  # noqa: SLF001 - the engine offers no other way
_digits: Any = lru_cache(maxsize=_KEPT)(dynamodb._number_size_bytes)  # noqa: SLF001 - as above
_bytes_of: Any = lru_cache(maxsize=_KEPT)(lambda name: len(name.encode()))
_checked: Any = dynamodb._validate_attribute_value  # noqa: SLF001 - as above
_faulty: Any = dynamodb._attribute_value_error  # noqa: SLF001 - as above
_told: Any = dynamodb._emit_stream_event  # noqa: SLF001 - as above
_mistyped: Any = dynamodb._index_key_type_reason  # noqa: SLF001 - as above
_empty: Any = dynamodb._index_key_empty_reason  # noqa: SLF001 - as above
_NO_INDEXES: list[Any] = []
_quiet: set[str] = set()


class _Index(NamedTuple):
    name: str
    hashes: list[str]
    ranges: list[str]


@cache
def lighten() -> None:
    """For the whole process."""
    read_each_once()
    dynamodb._attribute_value_size = value_bytes  # noqa: SLF001 - as above
    dynamodb._item_size_bytes = item_bytes  # noqa: SLF001 - as above
    dynamodb._validate_attribute_value = value_refusal  # noqa: SLF001 - as above
    dynamodb._attribute_value_error = value_fault  # noqa: SLF001 - as above
    dynamodb._index_key_schemas = indexes_of  # noqa: SLF001 - as above
    dynamodb._index_key_type_reason = mistyped_index_key  # noqa: SLF001 - as above
    dynamodb._index_key_empty_reason = empty_index_key  # noqa: SLF001 - as above
    # Whoever wants to know what is consumed reckons it from the items: see `forge.testing.capacity`.
    dynamodb._index_write_units = lambda *_: 0.0  # noqa: SLF001 - as above
    dynamodb._emit_stream_event = _tell  # noqa: SLF001 - as above
    dynamodb.copy = SimpleNamespace(deepcopy=copied)


def keep_quiet(table_name: str) -> None:
    """Nobody can read the stream of a table in this process: it would keep all versions of all items."""
    _quiet.add(table_name)


def _tell(table_name: str, *change: object, **options: object) -> None:
    if table_name not in _quiet:
        _told(table_name, *change, **options)


def forget_tenant(table_name: str, workspace_id: str) -> None:
    """As if it had never been: what it left would slow down all that looks through a table, like a sweep."""
    table = dynamodb._tables[table_name]  # noqa: SLF001 - as above
    prefix = f"WS#{workspace_id}#"
    for partition in [one for one in table["items"] if one.startswith(prefix)]:
        for sort in list(table["items"][partition]):
            dynamodb._remove_item(table, partition, sort)  # noqa: SLF001 - as above


def copied(value: Any) -> Any:
    """Items are plain: texts, numbers, lists and objects of them."""
    try:
        return marshal.loads(marshal.dumps(value))  # noqa: S302 - what was written a moment ago
    except ValueError:
        return copy.deepcopy(value)


def value_bytes(value: Mapping[str, Any]) -> int:
    """The same as the engine's, sooner for what items hold most."""
    ((kind, content),) = value.items()
    match kind:
        case "S":
            return len(content) if content.isascii() else len(content.encode())
        case "N":
            return int(_digits(content))
        case _:
            return int(_measured(value))


def item_bytes(item: Item) -> int:
    return sum(_bytes_of(name) + value_bytes(value) for name, value in item.items())


def value_refusal(name: str, value: dict[str, Any], _depth: int = 1) -> Any:
    """The same as the engine's, sooner for texts."""
    if isinstance(value, dict) and len(value) == 1 and isinstance(value.get("S"), str):
        return None
    return _checked(name, value, _depth)


def value_fault(value: Mapping[str, Any]) -> Any:
    """The same as the engine's, which looks at numbers, sets and what holds them."""
    is_plain = isinstance(value, dict) and len(value) == 1 and next(iter(value)) in _PLAIN
    return None if is_plain else _faulty(value)


def indexes_of(table: Table) -> list[_Index]:
    return _index_keys(table)[0]


def mistyped_index_key(table: Table, item: Item) -> str | None:
    return _mistyped(table, item) if _is_odd(table, item) else None


def empty_index_key(table: Table, item: Item, update_expr: bool = False) -> str | None:
    return _empty(table, item, update_expr) if _is_odd(table, item) else None


def _is_odd(table: Table, item: Item) -> bool:
    """Whether a key of an index is anything but a text."""
    return any(not item[name].get("S") for name in _index_keys(table)[1] & item.keys())


_known: dict[int, tuple[list[Any], int, tuple[list[_Index], frozenset[str]]]] = {}


def _index_keys(table: Table) -> tuple[list[_Index], frozenset[str]]:
    """The indexes of a table, and every attribute that is a key of one."""
    defined: list[Any] = table.get("GlobalSecondaryIndexes", _NO_INDEXES)
    known = _known.get(id(defined))
    if known and known[0] is defined and known[1] == len(defined):
        return known[2]
    indexes = [
        _Index(index["IndexName"], *dynamodb._index_key_lists(index))  # noqa: SLF001 - as above
        for index in defined
    ]
    names = frozenset(name for index in indexes for name in (*index.hashes, *index.ranges))
    _known[id(defined)] = (defined, len(defined), (indexes, names))
    return indexes, names
