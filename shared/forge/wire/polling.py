"""Who asks again and again whether something has happened: its key is read, and neither counted nor stamped.

Key and thing are read in one request, for one unit. What is asked more often than once a second counts like
any other call, so that the window of the key holds here, too.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Any, NamedTuple

from forge.auth import rates
from forge.auth.entrance import KeyCheck
from forge.context import Caller, Door
from forge.store.items import Item
from forge.store.keys import Key
from forge.wire.modern import as_sent
from forge.work.issues.claims.sleepers import SleeperItem
from forge.work.issues.runs.runs import RunItem
from forge.work.plans.gateway.tasks import TaskItem
from forge.work.plans.requests.requests import RequestItem

_RPC = Door.RPC
UNCOUNTED = 60
"""Times a minute that a process lets a key look for nothing."""
_MOST_KEYS = 10_000
"""A bound on what is kept, because whoever has no key can make one up."""
_KINDS: Mapping[str, type[Item]] = {"slp": SleeperItem, "ar": RequestItem, "run": RunItem, "task": TaskItem}
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
_TASK_ID = re.compile(r"(([a-z]+)_[0-9A-Za-z]{1,40})\.([0-9]{1,14})\.(ws_[0-9A-Za-z]{1,40})")


class TaskId(NamedTuple):
    """What is waited for, since when, and where: the call that is repeated has the same."""

    item_id: str
    since: datetime
    workspace_id: str
    kind: type[Item]

    @property
    def place(self) -> Key:
        return self.kind.at(self.workspace_id, self.item_id)

    def __str__(self) -> str:
        return _written(self.item_id, self.since, self.workspace_id)


class Glanced(NamedTuple):
    caller: Caller
    row: Mapping[str, Any] | None
    entrance: KeyCheck
    """Counts the call after all, where it comes to one."""


def read_id(text: object) -> TaskId | None:
    found = _TASK_ID.fullmatch(text) if isinstance(text, str) else None
    if found is None or found[2] not in _KINDS:
        return None
    since = _BEGINNING + int(found[3]) * timedelta(milliseconds=1)
    return TaskId(found[1], since, found[4], _KINDS[found[2]])


def id_of(item_id: str, since: datetime, workspace_id: str) -> TaskId | None:
    return read_id(_written(item_id, since, workspace_id))


def _written(item_id: str, since: datetime, workspace_id: str) -> str:
    return f"{item_id}.{(since - _BEGINNING) // timedelta(milliseconds=1)}.{workspace_id}"


def glance(headers: Mapping[str, str], entrance: KeyCheck, now: datetime) -> Glanced | None:
    """None where the call has to be counted, or asks for nothing that could be there."""
    task = read_id(as_sent(headers.get("mcp-name", "")))
    if task is None or not _looks.may_look(entrance.key_hash_of(headers, now), now):
        return None
    caller, row = entrance.glance(headers, _RPC, now, beside=task.place)
    return Glanced(caller, row, entrance)


class _Looks:
    """How often each key has looked in this minute, as far as this process knows."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._window = 0
        self._counts: dict[str, int] = {}

    def may_look(self, key: str, now: datetime) -> bool:
        window = rates.window_of(now)
        with self._lock:
            if window != self._window:
                self._window, self._counts = window, {}
            count = self._counts.get(key, 0)
            if count >= UNCOUNTED or len(self._counts) >= _MOST_KEYS:
                return False
            self._counts[key] = count + 1
            return True


_looks = _Looks()
