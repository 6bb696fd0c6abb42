"""Cycles of a workspace: stretches of time that issues are planned for, one of which may be current."""

from datetime import datetime
from enum import StrEnum

from forge.errors import Conflict, NotFound
from forge.store.items import Item
from forge.store.keys import At, Key, Partition
from forge.store.places import In
from forge.store.ranges import SortRange
from forge.store.readings import Readings
from forge.store.table import Table
from forge.store.transactions import Refusal, Transaction
from forge.work.issues.issues import IssueItem
from forge.work.record.log import events
from forge.work.workspace import taken_names
from forge.work.workspace.projects.projects import CYCLE_COUNT, CYCLES
from forge.work.workspace.taken_names import NameItem

KIND = "CYCLE"
CURRENT = "current"
"""What the ACTIVE cycle is called besides its name, and so no cycle's name: who has that name is the one."""
MOST_RECENT = 500


class CycleStatus(StrEnum):
    PLANNED = "PLANNED"
    ACTIVE = "ACTIVE"
    COMPLETED = "COMPLETED"
    CANCELED = "CANCELED"


CYCLES_LISTED = Partition("WS#{workspace_id}#UPDATED#CYCLE")


class CycleItem(Item):
    stored = At(CYCLES, "CYCLE#{id}")
    indexed = (In("updated", CYCLES_LISTED, "{starts_at}#{id}"),)

    workspace_id: str
    id: str
    name: str
    starts_at: datetime
    ends_at: datetime
    length_days: int
    cooldown_days: int = 0
    status: CycleStatus = CycleStatus.PLANNED
    emptied_by: str | None = None
    """The continuation that rolls it over, or rolled it over last: it is under way as long as it exists."""
    filled_by: str | None = None
    """The continuation that rolls another cycle over into this one."""
    created_by_id: str | None = None
    created_by_agent_id: str | None = None
    created_at: datetime
    updated_at: datetime

    @property
    def name_owner(self) -> taken_names.Owner:
        return taken_names.Owner(self.workspace_id, KIND, self.id, field="name")


def get(readings: Readings, workspace_id: str, cycle_id: str) -> CycleItem:
    """A cycle among what was read, or NotFound."""
    found = readings.find(CycleItem, CycleItem.at(workspace_id, cycle_id))
    if found is None:
        raise NotFound(f"There is no cycle {cycle_id[:60]!r}.", hint="cycles.list shows them all.")
    return found


def active_key(workspace_id: str) -> Key:
    return NameItem.of_name(workspace_id, KIND, CURRENT)


def count_in(readings: Readings, cycle: CycleItem) -> int:
    """How many issues it has, where its count was read. It changes with the issues' heads alone."""
    return readings.number(CYCLE_COUNT(cycle.workspace_id, cycle.id), "issue_count")


def newest(table: Table, workspace_id: str) -> list[CycleItem]:
    """Those that were made last, read strongly; older ones are over."""
    rows = table.query_all(
        CYCLES(workspace_id),
        most=MOST_RECENT,
        sort=SortRange(prefix=CycleItem.stored.prefix()),
        is_descending=True,
    )
    return rows.first_ones().of(CycleItem)


def add(tx: Transaction, cycle: CycleItem, *, name_taken: Refusal | None = None) -> None:
    tx.create(cycle)
    taken_names.take(tx, cycle.name_owner, cycle.name, refusal=name_taken)
    events.record_change(tx, "cycle", cycle.id, action="create", after=cycle)


def save(tx: Transaction, before: CycleItem, changed: CycleItem, *, action: str = "update") -> CycleItem:
    """Store what changed, if anything did; the cycle as it became."""
    if changed == before:
        return before
    after = changed.changed(updated_at=tx.origin.now)
    tx.replace(after)
    taken_names.move(tx, after.name_owner, old=before.name, new=after.name)
    events.record_change(tx, "cycle", after.id, action=action, before=before, after=after)
    return after


def save_active(tx: Transaction, workspace_id: str, active: NameItem | None, cycle_id: str | None) -> None:
    """Say which cycle is current, if that is another one than before."""
    if active is None and cycle_id is not None:
        one = NameItem(workspace_id=workspace_id, kind=KIND, value=CURRENT, owner_id=cycle_id)
        tx.create(one, refusal=another_is_active())
    elif active is not None and cycle_id is None:
        tx.delete(active)
    elif active is not None and cycle_id != active.owner_id:
        tx.replace(active.changed(owner_id=cycle_id))


def another_is_active() -> Conflict:
    return Conflict(
        "Another cycle is ACTIVE, and only one can be.",
        hint="cycles.current shows it; complete it with cycles.update or cycles.rollover first.",
    )


def is_taken_along(issue: IssueItem, *, source_id: str, decided_at: datetime) -> bool:
    """Whatever is not over, and was in the cycle when it was decided to roll it over."""
    was_there = issue.cycle_since is None or issue.cycle_since <= decided_at
    return issue.cycle_id == source_id and issue.is_open and was_there
