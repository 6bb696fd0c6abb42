"""How often a workspace may call in a minute, with all of its keys together: taken in portions before use.

So it is never exceeded; what a key took and did not use is lost to the others until the minute is over.
"""

from typing import Any

from forge.store.codec import decode_item
from forge.store.failures import ConditionFailed
from forge.store.keys import At, Key
from forge.store.physical import PARTITION
from forge.store.table import Table

CALLS = At("WS#{workspace_id}#CALLS", "MINUTE")
"""What was taken in a minute, and in which."""

_NAMES = {"#minute": "minute", "#taken": "taken"}
NAMED = frozenset(_NAMES.values())


def take(table: Table, workspace_id: str, *, window: int, wanted: int, ceiling: int) -> int:
    """So many calls of this minute, or what is left of them."""
    place = CALLS(workspace_id)
    while wanted > 0:
        before = _taken(table, place, window=window, wanted=wanted, ceiling=ceiling)
        if before is None:
            return wanted
        if int(before.get("minute", 0)) >= window:
            wanted = min(wanted, ceiling - int(before["taken"]))
        elif _is_first(table, place, window=window, wanted=wanted):
            return wanted
    return 0


def _taken(table: Table, place: Key, *, window: int, wanted: int, ceiling: int) -> dict[str, Any] | None:
    """None if it could be taken, else how things stand."""
    values = {":window": window, ":wanted": wanted, ":most": ceiling - wanted}
    condition = "#minute >= :window AND #taken <= :most"
    try:
        table.update(place, "ADD #taken :wanted", names=_NAMES, values=values, condition=condition)
    except ConditionFailed as failed:
        return decode_item(failed.old_item or {})
    return None


def _is_first(table: Table, place: Key, *, window: int, wanted: int) -> bool:
    """Whether nobody else has begun to count this minute meanwhile."""
    expression = "SET #minute = :window, #taken = :wanted"
    condition = f"attribute_not_exists({PARTITION}) OR #minute < :window"
    values = {":window": window, ":wanted": wanted}
    try:
        table.update(place, expression, names=_NAMES, values=values, condition=condition)
    except ConditionFailed:
        return False
    return True
