"""Keys and workspaces in memory, with the promises of the real store: atomic, strict, immediate."""

from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any

from forge.auth import rates
from forge.auth.entrance import Touch
from forge.auth.keys import KeyOrder, KeyRecord, mint
from forge.context import Door
from forge.errors import NotFound
from forge.store.blobs import Blobs
from forge.store.queues import Queues
from forge.store.store import Store
from forge.store.table import Table
from forge.work.workspace.workspaces import WorkspaceItem


@dataclass(slots=True)
class _Window:
    start: int = 0
    count: int = 0


class MemoryKeys:
    def __init__(self) -> None:
        self._records: dict[str, KeyRecord] = {}
        self._windows: dict[tuple[str, Door], _Window] = {}
        self._places: dict[tuple[str, int], datetime] = {}
        self._lock = Lock()

    def touch(self, key_hash: str, door: Door, now: datetime) -> Touch:
        with self._lock:
            record = self._records.get(key_hash)
            if record is None or not _is_live(record, now):
                return record, False
            window = self._windows.setdefault((key_hash, door), _Window())
            if window.start < rates.window_of(now):
                window.start, window.count = rates.window_of(now), 0
            if window.count >= rates.LIMITS[door]:
                return record, False
            window.count += 1
            record = self._records[key_hash] = record.replaced(last_used_at=now)
            return record, True

    def glance(
        self, key_hash: str, door: Door, now: datetime, *, beside: tuple[str, str]
    ) -> tuple[Touch, None]:
        """There is no table here, so nothing stands beside a key."""
        with self._lock:
            record = self._records.get(key_hash)
            window = self._windows.get((key_hash, door), _Window())
            is_used_up = window.start >= rates.window_of(now) and window.count >= rates.LIMITS[door]
            return (record, record is not None and _is_live(record, now) and not is_used_up), None

    def take_place(self, key_hash: str, number: int, *, now: datetime, until: datetime) -> bool:
        with self._lock:
            if self._places.get((key_hash, number), now) > now:
                return False
            self._places[key_hash, number] = until
            return True

    def leave_place(self, key_hash: str, number: int, *, until: datetime) -> None:
        with self._lock:
            if self._places.get((key_hash, number)) == until:
                del self._places[key_hash, number]

    def add(self, record: KeyRecord) -> None:
        with self._lock:
            self._records[record.key_hash] = record

    def mint(self, order: KeyOrder, *, key_id: str, now: datetime) -> str:
        """Make a key, keep its record, and return the raw key."""
        minted = mint(order, key_id=key_id, now=now)
        self.add(minted.record)
        return minted.raw

    def of_hash(self, key_hash: str) -> KeyRecord:
        return self._records[key_hash]

    def get(self, key_id: str) -> KeyRecord:
        with self._lock:
            found = [record for record in self._records.values() if record.id == key_id]
        if found:
            return found[0]
        raise NotFound(f"There is no key {key_id}.")

    def revoke(self, key_id: str, now: datetime) -> None:
        self.add(self.get(key_id).replaced(revoked_at=now))


class MemoryWorkspaces:
    def __init__(self) -> None:
        self._workspaces: dict[str, WorkspaceItem] = {}

    def get(self, workspace_id: str) -> WorkspaceItem:
        if workspace_id not in self._workspaces:
            raise NotFound("This workspace does not exist any more.")
        return self._workspaces[workspace_id]

    def add(self, workspace: WorkspaceItem) -> None:
        self._workspaces[workspace.id] = workspace


def no_store() -> Store:
    """For worlds whose tools touch no table; one that does fails with the reason."""

    def refuse() -> Any:
        raise LookupError("this world has no AWS; use forge.testing.mocked instead")

    return Store(Table("none", refuse), Blobs("none", refuse), Queues({}, refuse))


def _is_live(record: KeyRecord, now: datetime) -> bool:
    is_expired = record.expires_at is not None and record.expires_at <= now
    return record.revoked_at is None and not is_expired
