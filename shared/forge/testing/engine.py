"""The emulator's engine without what takes it most of its time, and what nobody here asks for.

It copies items as if they might hold anything, measures each item several times for one write, and reckons
what the write costs in each index, whether or not anybody wants to know.
"""

import copy
import marshal
from collections.abc import Mapping
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any

from ministack.services import dynamodb

from forge.testing.expressions import read_each_once

_KEPT = 4_096
_measured: Any = dynamodb._attribute_value_size  # noqa: SLF001 - the engine offers no other way
_canonical: Any = dynamodb._ddb_canonicalize_number  # noqa: SLF001 - as above
_known_canonical: Any = lru_cache(maxsize=_KEPT)(_canonical)
_digits: Any = lru_cache(maxsize=_KEPT)(dynamodb._number_size_bytes)  # noqa: SLF001 - as above


@cache
def lighten() -> None:
    """For the whole process."""
    read_each_once()
    dynamodb._attribute_value_size = value_bytes  # noqa: SLF001 - as above
    dynamodb._ddb_canonicalize_number = canonical_number  # noqa: SLF001 - as above
    # Whoever wants to know what is consumed reckons it from the items: see `forge.testing.capacity`.
    dynamodb._index_write_units = lambda *_: 0.0  # noqa: SLF001 - as above
    dynamodb.copy = SimpleNamespace(deepcopy=copied)


def forget_tenant(table_name: str, workspace_id: str) -> None:
    """As if it had never been: what it left would slow down all that looks through a table, like a sweep."""
    table = dynamodb._tables[table_name]  # noqa: SLF001 - as above
    prefix = f"WS#{workspace_id}#"
    for partition in [one for one in table["items"] if one.startswith(prefix)]:
        for sort in list(table["items"][partition]):
            dynamodb._remove_item(table, partition, sort)  # noqa: SLF001 - as above
    # Nobody reads the stream, and it keeps every version of every item.
    dynamodb._stream_records.pop(table_name, None)  # noqa: SLF001 - as above


def copied(value: Any) -> Any:
    """Items are plain: texts, numbers, lists and objects of them."""
    try:
        return marshal.loads(marshal.dumps(value))  # noqa: S302 - what was written a moment ago
    except ValueError:
        return copy.deepcopy(value)


def canonical_number(text: Any) -> str | None:
    """The same as the engine's, once for each of the few that are written most: versions and counts."""
    found: str | None = (_known_canonical if isinstance(text, str) else _canonical)(text)
    return found


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
