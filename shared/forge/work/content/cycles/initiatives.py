"""Initiatives of a workspace: what several projects are for, in an order of their own."""

import re
from collections.abc import Collection, Iterable
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple
from unicodedata import normalize

from forge.errors import NotFound
from forge.store.items import Item
from forge.store.keys import At, Partition
from forge.store.places import In
from forge.store.ranges import SortRange
from forge.store.readings import Readings
from forge.store.table import Table
from forge.store.transactions import Transaction, overtaken
from forge.work.record.log import events
from forge.work.workspace import taken_names
from forge.work.workspace.projects.projects import (
    INITIATIVE_UPDATED,
    INITIATIVES,
    PROJECT_COUNT,
    InitiativeUpdated,
)
from forge.work.workspace.taken_names import NameItem

MAX_SLUG = 48

_KIND = "INITIATIVE"
_FALLBACK_SLUG = "initiative"
_MOST_NUMBERED = 20
_TOLD = ("name", "slug", "description", "target_date", "color", "status")


class InitiativeStatus(StrEnum):
    PLANNED = "PLANNED"
    ACTIVE = "ACTIVE"
    COMPLETED = "COMPLETED"
    CANCELED = "CANCELED"


INITIATIVES_LISTED = Partition("WS#{workspace_id}#UPDATED#INITIATIVE")


class InitiativeItem(Item):
    stored = At(INITIATIVES, "INITIATIVE#{id}")
    indexed = (In("updated", INITIATIVES_LISTED, "{position:010}#{created_at}#{id}"),)

    workspace_id: str
    id: str
    name: str
    slug: str
    """Unique in the workspace; it never changes."""
    description: str | None = None
    target_date: datetime | None = None
    color: str | None = None
    status: InitiativeStatus = InitiativeStatus.PLANNED
    position: int
    created_by_id: str | None = None
    created_by_agent_id: str | None = None
    created_at: datetime
    updated_at: datetime


class ProjectCountItem(Item):
    """How many projects an initiative has, archived ones too; projects move it."""

    stored = PROJECT_COUNT

    workspace_id: str
    initiative_id: str
    projects: int = 0


class LastPositionItem(Item):
    """The place of the newest initiative: of two that are made at once, each gets its own."""

    stored = At(INITIATIVES, "LAST")

    workspace_id: str
    position: int


def derived_slug(name: str) -> str:
    """The name in lower-case letters, digits and dashes; what leaves nothing of use is `initiative`."""
    plain = normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:MAX_SLUG].rstrip("-")
    return slug if len(slug) > 1 else _FALLBACK_SLUG


def candidates(slug: str) -> list[str]:
    """A slug, and the numbered ones to try where it is taken."""
    return [slug, *(_numbered(slug, number) for number in range(2, _MOST_NUMBERED + 1))]


def first_free(slug: str, taken: Collection[str], *, otherwise: int) -> str:
    """The first candidate that nobody has; beyond these, a number that no other initiative gets."""
    return next((one for one in candidates(slug) if one not in taken), _numbered(slug, otherwise))


def _numbered(slug: str, number: int) -> str:
    ending = f"-{number}"
    return slug[: MAX_SLUG - len(ending)].rstrip("-") + ending


def get(table: Table, workspace_id: str, initiative_id: str) -> tuple[InitiativeItem, int]:
    """One initiative with its number of projects, or NotFound; one request."""
    wanted = InitiativeItem.at(workspace_id, initiative_id)
    counted = PROJECT_COUNT(workspace_id, initiative_id)
    return found_in(table.read([wanted, counted]), workspace_id, initiative_id)


def found_in(readings: Readings, workspace_id: str, initiative_id: str) -> tuple[InitiativeItem, int]:
    """An initiative and how many projects it has, from what was read already."""
    found = readings.find(InitiativeItem, InitiativeItem.at(workspace_id, initiative_id))
    if found is None:
        raise NotFound(
            f"There is no initiative {initiative_id[:60]!r}.", hint="initiatives.list shows them all."
        )
    return found, counts_in(readings, [found])[found.id]


def counts_in(readings: Readings, initiatives: Iterable[InitiativeItem]) -> dict[str, int]:
    """The number of projects of each, made together with it."""
    return {
        one.id: readings.get(ProjectCountItem, PROJECT_COUNT(one.workspace_id, one.id)).projects
        for one in initiatives
    }


def list_all(table: Table, workspace_id: str, *, most: int = 1000) -> list[InitiativeItem]:
    """Every initiative, the oldest first; of more than `most`, the newest are left out."""
    initiatives = InitiativeItem.at(workspace_id, "")
    among = SortRange(prefix=initiatives.sort)
    rows = table.query_all(initiatives.partition, most=most, sort=among, because="any may have the name")
    return rows.first_ones().of(InitiativeItem)


class Room(NamedTuple):
    """Where the next initiative belongs, and which slugs it can't have."""

    last: LastPositionItem | None
    taken: frozenset[str]

    @property
    def position(self) -> int:
        return self.last.position + 1 if self.last else 0


def find_room(table: Table, workspace_id: str, slug: str) -> Room:
    """The last position in the list, and which slugs like this one are taken; one request."""
    guarded = {one: NameItem.of_name(workspace_id, _KIND, one) for one in candidates(slug)}
    place = LastPositionItem.at(workspace_id)
    known = table.read([place, *guarded.values()])
    taken = frozenset(one for one, place in guarded.items() if known.has(place))
    return Room(known.find(LastPositionItem, place), taken)


def add(tx: Transaction, initiative: InitiativeItem, room: Room, *, is_derived: bool) -> None:
    """Store a new initiative behind the last one, under its slug, and announce it.

    A slug that was derived and is taken meanwhile is nobody's mistake: another one is derived then.
    """
    tx.create(initiative)
    tx.create(ProjectCountItem(workspace_id=initiative.workspace_id, initiative_id=initiative.id))
    _move_last(tx, room.last, initiative)
    owner = taken_names.Owner(initiative.workspace_id, _KIND, initiative.id, field="slug")
    taken_names.take(tx, owner, initiative.slug, refusal=overtaken if is_derived else None)
    _announce(tx, None, initiative, action="create")


def save(tx: Transaction, before: InitiativeItem, changed: InitiativeItem) -> InitiativeItem:
    """Store a changed initiative and announce what really changed; returns it as stored: changed now."""
    after = changed.changed(updated_at=tx.origin.now)
    tx.replace(after)
    _announce(tx, before, after, action="update")
    return after


def _move_last(tx: Transaction, last: LastPositionItem | None, initiative: InitiativeItem) -> None:
    if last is not None:
        tx.replace(last.changed(position=initiative.position))
        return
    first = LastPositionItem(workspace_id=initiative.workspace_id, position=initiative.position)
    tx.create(first, refusal=overtaken)


def _announce(tx: Transaction, before: InitiativeItem | None, after: InitiativeItem, *, action: str) -> None:
    new = after.model_dump(mode="json")
    old = before.model_dump(mode="json") if before else {}
    told = InitiativeUpdated(**{name: new[name] for name in _TOLD if new[name] != old.get(name)})
    events.record(
        tx, INITIATIVE_UPDATED, told, subject_id=after.id, action=action, before=before, after=after
    )
