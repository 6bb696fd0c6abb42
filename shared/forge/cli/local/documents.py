"""What is kept of the embedded AWS: documents under paths, and changes to them.

An item of a table is a document, and so is a table, a queue, a message. A change says what a document has
become, never how: applying it again, or a year later, gives the same.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from forge.store.codec import decode_value

Path = tuple[str, ...]
Documents = dict[Path, Any]

ITEM, TABLE, TTL, TOKEN, QUEUE, MESSAGE, BUCKET = (
    "item",
    "table",
    "ttl",
    "token",
    "queue",
    "message",
    "bucket",
)
"""What the first part of a path says."""

_TOKEN_LASTS = timedelta(minutes=10)
_LONGEST_RETENTION = timedelta(days=14)


class Change(NamedTuple):
    path: Path
    document: Any
    """Nothing where it was removed."""


@dataclass(frozen=True, slots=True)
class Step:
    """What one request did: how to write it down, and how to take it back."""

    changes: list[Change]
    undo: Callable[[], None]


def apply(changes: Iterable[Change], to: Documents) -> None:
    for path, document in changes:
        if document is None:
            to.pop(path, None)
        else:
            to[path] = document


def without_outlived(documents: Mapping[Path, Any], now: datetime) -> Documents:
    """What still means something: AWS forgets tokens, messages and items by itself, without a request."""
    by_table = {path[1]: setting for path, setting in documents.items() if path[0] == TTL}
    expiring = {
        table: setting["AttributeName"]
        for table, setting in by_table.items()
        if setting.get("TimeToLiveStatus") == "ENABLED"
    }
    seconds = now.timestamp()
    return {
        path: document
        for path, document in documents.items()
        if not _is_outlived(path, document, expiring, seconds)
    }


def _is_outlived(path: Path, document: Any, expiring: Mapping[str, str], now: float) -> bool:
    kind = path[0]
    if kind == TOKEN:
        return bool(document["completed_at"] < now - _TOKEN_LASTS.total_seconds())
    if kind == MESSAGE:
        return bool(document["message"]["sent_at"] < now - _LONGEST_RETENTION.total_seconds())
    if kind == ITEM and path[1] in expiring:
        return _has_expired(document.get(expiring[path[1]]), now)
    return False


def _has_expired(moment: Any, now: float) -> bool:
    try:
        return isinstance(moment, Mapping) and float(decode_value(moment)) <= now
    except (KeyError, TypeError, ValueError):
        return False
