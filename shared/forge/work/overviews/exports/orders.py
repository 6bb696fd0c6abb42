"""Orders of exports: asked for by an operator, carried out by a worker, and kept as long as what it wrote."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum

from forge.errors import NotFound
from forge.store.items import Item
from forge.store.keys import At
from forge.store.physical import EXPORT_DAYS, EXPORTS
from forge.store.places import KeptFor
from forge.store.table import Table
from forge.store.transactions import Transaction, overtaken
from forge.work.record.log.events import UNSENT_AFTER
from forge.work.workspace.jobs import LeasedJob

CONTENT_TYPE = "application/x-ndjson"
KEPT = timedelta(days=EXPORT_DAYS)
MOST_TRIES = 3


class ExportStatus(StrEnum):
    PENDING = "PENDING"
    RUNNING = "RUNNING"
    DONE = "DONE"
    FAILED = "FAILED"


class ExportItem(LeasedJob):
    stored = At("WS#{workspace_id}#EXPORT#{id}", "EXPORT")
    kept = KeptFor(KEPT, since="created_at")
    queue, named, lease = "exports", "exportId", timedelta(minutes=20)

    status: ExportStatus = ExportStatus.PENDING
    ordered_by: str | None = None
    created_at: datetime
    tries: int = 0
    """Since something was written."""
    finished_at: datetime | None = None
    position: dict[str, str] | None = None
    """Where in the table it goes on; nothing at the beginning and at the end."""
    parts: list[int] = []
    """What is written: for each part the version that this had when a worker wrote it."""
    items: int | None = None
    bytes: int | None = None
    error: str | None = None

    @property
    def blobs(self) -> list[str]:
        """The parts that together are the export, in their order. An earlier build wrote all as one."""
        whole = f"{EXPORTS}{self.workspace_id}/{self.id}"
        parts = (f"{whole}/{number:05}-{version}.jsonl" for number, version in enumerate(self.parts, 1))
        return [*parts] or [f"{whole}.jsonl"]

    @property
    def is_over(self) -> bool:
        return self.status in (ExportStatus.DONE, ExportStatus.FAILED)

    def is_free(self, now: datetime) -> bool:
        """Whether a worker may take it: nobody else is at it."""
        return not self.is_over and not self.is_leased(now)

    def taken(self, now: datetime) -> "ExportItem":
        return self.leased(now, status=ExportStatus.RUNNING, tries=self.tries + 1)

    def given_back(self, now: datetime) -> "ExportItem":
        """What failed for now is tried again soon."""
        return self.changed(leased_until=None, look_at=now + UNSENT_AFTER)

    def put_down(self, now: datetime) -> "ExportItem":
        """A worker's time is over: the next sweep sends for another, who goes on from here."""
        return self.changed(leased_until=None, look_at=now)

    def with_part(self, items: int, size: int, position: Mapping[str, str] | None) -> "ExportItem":
        """So much more is written, by whoever holds this version: nobody else's part can take its place."""
        return self.changed(
            parts=[*self.parts, *([self.version] if size else [])],
            items=(self.items or 0) + items,
            bytes=(self.bytes or 0) + size,
            position=dict(position) if position else None,
            tries=0,
        )

    def done(self, now: datetime) -> "ExportItem":
        return self._over(now, ExportStatus.DONE)

    def failed(self, now: datetime, error: str) -> "ExportItem":
        return self._over(now, ExportStatus.FAILED).changed(error=error)

    def _over(self, now: datetime, status: ExportStatus) -> "ExportItem":
        return self.changed(status=status, finished_at=now, leased_until=None, look_at=None)


class LatestItem(Item):
    """Which order is the workspace's last, so that there is one at a time."""

    # One place for each workspace, so that whoever orders a second one finds the first.
    stored = At("WS#{workspace_id}#EXPORTS", "LATEST")

    workspace_id: str
    export_id: str


def find(table: Table, workspace_id: str, export_id: str) -> ExportItem | None:
    return table.find(ExportItem, ExportItem.at(workspace_id, export_id))


def get(table: Table, workspace_id: str, export_id: str, *, now: datetime) -> ExportItem:
    missing = NotFound(
        f"There is no export {export_id[:60]!r}, or it is older than {EXPORT_DAYS} days.",
        hint="export makes another one.",
    )
    found = table.get(ExportItem, ExportItem.at(workspace_id, export_id), missing=missing)
    if found.created_at + KEPT <= now:
        raise missing
    return found


def find_latest(table: Table, workspace_id: str) -> LatestItem | None:
    return table.find(LatestItem, LatestItem.at(workspace_id))


def add(tx: Transaction, order: ExportItem, *, after: LatestItem | None) -> None:
    """Of two who order at once, the second finds the first one's when it looks again."""
    tx.create(order)
    if after is None:
        first = LatestItem(workspace_id=order.workspace_id, export_id=order.id)
        tx.create(first, refusal=overtaken)
    else:
        tx.replace(after.changed(export_id=order.id))
