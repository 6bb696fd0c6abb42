"""Erasures: of a person in a workspace, or of all of it; ordered by people, carried out by a worker."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum

from forge.store.keys import At
from forge.store.places import KeptFor
from forge.store.table import Table
from forge.store.transactions import Transaction, overtaken
from forge.work.workspace.jobs import LeasedJob

KEPT = timedelta(days=400)
"""As long as the log: that something was erased, when, and by whom. Not what."""


class ErasureStatus(StrEnum):
    PENDING = "PENDING"
    RUNNING = "RUNNING"
    DONE = "DONE"


class ErasureItem(LeasedJob):
    """Its id is that of the person, or of the workspace; all that stays of one that was deleted."""

    stored = At("WS#{workspace_id}#ERASURE#{id}", "ERASURE")
    kept = KeptFor(KEPT, since="finished_at")
    queue, named, lease = "erasures", "erasureId", timedelta(minutes=20)

    status: ErasureStatus = ErasureStatus.PENDING
    ordered_by: str | None = None
    created_at: datetime
    begins_at: datetime
    """Not before: who acts at the moment of the order is over by then, or somebody may undo it until then."""
    finished_at: datetime | None = None
    step: int = 0
    """How many steps are done."""
    position: dict[str, str] | None = None
    """Where the step that is under way goes on."""
    look_began_at: datetime | None = None
    """When somebody began to look who of these people is a member elsewhere."""
    leaving: set[str] = set()
    staying: set[str] = set()
    rows: int = 0
    objects: int = 0
    """How many were removed."""

    @property
    def is_of_workspace(self) -> bool:
        return self.id == self.workspace_id

    @property
    def is_over(self) -> bool:
        return self.status is ErasureStatus.DONE

    def is_free(self, now: datetime) -> bool:
        """Whether a worker may take it: it is time, and nobody else is at it."""
        return not self.is_over and self.begins_at <= now and not self.is_leased(now)

    def taken(self, now: datetime) -> "ErasureItem":
        return self.leased(now, status=ErasureStatus.RUNNING)

    def given_back(self, look_at: datetime) -> "ErasureItem":
        return self.changed(leased_until=None, look_at=look_at)

    def further(self, position: dict[str, str] | None, *, rows: int = 0, objects: int = 0) -> "ErasureItem":
        """A part of a step is done; without a position, all of it."""
        return self.changed(
            step=self.step + (position is None),
            position=position,
            rows=self.rows + rows,
            objects=self.objects + objects,
        )

    def again(self, *, rows: int = 0, objects: int = 0) -> "ErasureItem":
        """The same for a step that begins anew each time, until it finds nothing any more."""
        return self.changed(rows=self.rows + rows, objects=self.objects + objects)

    def done(self, now: datetime) -> "ErasureItem":
        return self.changed(
            status=ErasureStatus.DONE,
            finished_at=now,
            leased_until=None,
            look_at=None,
            leaving=set(),
            staying=set(),
        )


def find(table: Table, workspace_id: str, erasure_id: str) -> ErasureItem | None:
    return table.find(ErasureItem, ErasureItem.at(workspace_id, erasure_id))


def order(
    tx: Transaction,
    erasure_id: str,
    *,
    begins_at: datetime,
    leaving: Iterable[str] = (),
    before: ErasureItem | None = None,
) -> ErasureItem:
    """Whoever orders the same twice at once finds the first one's when they look again.

    `before` is one that is over: somebody was erased, and came back.
    """
    caller, now = tx.origin.caller, tx.origin.now
    made = ErasureItem(
        workspace_id=caller.workspace_id,
        id=erasure_id,
        ordered_by=caller.user_id,
        created_at=now,
        begins_at=begins_at,
        look_at=begins_at,
        leaving=set(leaving),
    )
    if before is None:
        tx.create(made, refusal=overtaken)
    else:
        tx.replace(made.changed(version=before.version))
    return made
