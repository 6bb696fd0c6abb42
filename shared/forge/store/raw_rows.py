"""Rows as they are stored, put back whole: for operators who bring a table back, whatever is in it."""

from collections.abc import Iterable

from forge.store.expressions import Expression
from forge.store.keys import Key
from forge.store.physical import PARTITION, SORT
from forge.store.readings import Attributes
from forge.store.table import Table
from forge.store.transactions import Transaction

_VERSION = "version"


def found(table: Table, keys: Iterable[Key]) -> dict[Key, Attributes]:
    """Those that are there, a hundred in each request."""
    return table.find_rows(keys)


def put(tx: Transaction, row: Attributes, *, seen: Attributes | None) -> None:
    """Where nothing was seen nothing may be, and where something was seen it must still be so."""
    is_new = {"ConditionExpression": f"attribute_not_exists({PARTITION})"}
    tx.append("Put", {"Item": row, **(is_new if seen is None else _as_seen(seen))})


def remove(tx: Transaction, seen: Attributes) -> None:
    tx.append("Delete", {"Key": {PARTITION: seen[PARTITION], SORT: seen[SORT]}, **_as_seen(seen)})


def _as_seen(seen: Attributes) -> dict[str, object]:
    """By its version; what has none is as small as a count, and compared whole."""
    names = [_VERSION] if _VERSION in seen else [name for name in seen if name not in (PARTITION, SORT)]
    writer = Expression()
    terms = [f"{writer.name(name)} = {writer.stored(seen[name])}" for name in names]
    condition = " AND ".join(terms) or f"attribute_exists({PARTITION})"
    return {"ConditionExpression": condition, **writer.placeholders()}
