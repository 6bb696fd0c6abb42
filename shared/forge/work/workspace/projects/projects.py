"""Projects: what issues are grouped by, and what initiatives are made of; and what is told of them."""

from datetime import datetime
from typing import Any

from forge.auth.narrowing import require_initiative
from forge.context import Caller
from forge.contract.effects import Emission, Told
from forge.contract.references import Kind
from forge.errors import NotFound
from forge.store.items import Item
from forge.store.keys import At, Partition, Shared
from forge.store.places import In
from forge.store.table import Table
from forge.store.transactions import Transaction
from forge.work.record.log import events
from forge.work.record.log.kinds import EventKind
from forge.work.workspace import taken_names
from forge.work.workspace.meanings import unknown


class ProjectCreated(Told):
    name: str
    key: str


class ProjectUpdated(Told):
    """The fields that changed."""

    name: str | None = None
    description: str | None = None
    icon: str | None = None
    color: str | None = None
    archived: bool | None = None
    start_date: str | None = None
    target_date: str | None = None
    initiative_id: str | None = None


class InitiativeUpdated(Told):
    """The fields of an initiative that changed; of a new initiative, all that are set."""

    name: str | None = None
    slug: str | None = None
    description: str | None = None
    target_date: str | None = None
    color: str | None = None
    status: str | None = None


PROJECT_CREATED = Emission(EventKind.PROJECT_CREATED, "project", ProjectCreated)
PROJECT_UPDATED = Emission(EventKind.PROJECT_UPDATED, "project", ProjectUpdated)
INITIATIVE_UPDATED = Emission(EventKind.PROJECT_UPDATED, "initiative", InitiativeUpdated)


_KIND = "PROJECT"

PROJECTS = Partition("WS#{workspace_id}#PROJECTS")
PROJECTS_LISTED = Partition("WS#{workspace_id}#UPDATED#PROJECT")
PROJECTS_OF_INITIATIVE = Partition("WS#{workspace_id}#INITIATIVE#{initiative_id}#PROJECTS")
CYCLES = Partition("WS#{workspace_id}#CYCLES")
CYCLE_COUNT = Shared(CYCLES, "COUNT#{cycle_id}")
"""Apart from the cycle, because issues change it and no edit of the cycle may undo that."""
INITIATIVES = Partition("WS#{workspace_id}#INITIATIVES")
PROJECT_COUNT = At(INITIATIVES, "COUNT#{initiative_id}")
"""Raised with every project that an initiative gets, which also proves that it exists."""


class ProjectItem(Item):
    stored = At(PROJECTS, "PROJECT#{id}")
    indexed = (
        In("updated", PROJECTS_LISTED, "{updated_at}#{id}"),
        In("subject", PROJECTS_OF_INITIATIVE, "{updated_at}#{id}"),
    )

    workspace_id: str
    id: str
    project_key: str
    """Called `key` on the wire; it never changes."""
    name: str
    description: str | None = None
    icon: str | None = None
    color: str | None = None
    archived: bool = False
    start_date: datetime | None = None
    target_date: datetime | None = None
    initiative_id: str | None = None
    created_by_id: str | None = None
    created_by_agent_id: str | None = None
    created_at: datetime
    updated_at: datetime


def get(table: Table, workspace_id: str, project_id: str) -> ProjectItem:
    missing = NotFound(
        f"There is no project {project_id[:60]!r}.",
        hint='projects.list {"includeArchived": true} shows them all.',
    )
    return table.get(ProjectItem, ProjectItem.at(workspace_id, project_id), missing=missing)


def list_all(table: Table, workspace_id: str, *, most: int = 1000) -> list[ProjectItem]:
    """Every project, archived ones too, the oldest first; of more than `most`, the newest are left out."""
    rows = table.query_all(PROJECTS(workspace_id), most=most, because="any may have the name")
    return rows.first_ones().of(ProjectItem)


def add(tx: Transaction, project: ProjectItem) -> None:
    """Store a new project under its key, count it with its initiative, and announce it."""
    if project.initiative_id is not None:
        require_initiative(tx.origin.caller, project.initiative_id)
    tx.create(project)
    _move(tx, project.workspace_id, old=None, new=project.initiative_id)
    owner = taken_names.Owner(project.workspace_id, _KIND, project.id, field="key")
    taken_names.take(tx, owner, project.project_key)
    told = ProjectCreated(name=project.name, key=project.project_key)
    events.record(tx, PROJECT_CREATED, told, subject_id=project.id, action="create", after=project)


def save(
    tx: Transaction, before: ProjectItem, changed: ProjectItem, *, action: str = "update"
) -> ProjectItem:
    """Store a changed project, move its initiatives' counts along, and announce what really changed.

    Returns it as stored: changed now. Whoever changed nothing has nothing to save.
    """
    _require_both_ends(tx.origin.caller, before, changed)
    after = changed.changed(updated_at=tx.origin.now)
    tx.replace(after)
    _move(tx, before.workspace_id, old=before.initiative_id, new=after.initiative_id)
    told = ProjectUpdated(**_patch(before, changed))
    events.record(tx, PROJECT_UPDATED, told, subject_id=before.id, action=action, before=before, after=after)
    return after


def _require_both_ends(caller: Caller, before: ProjectItem, after: ProjectItem) -> None:
    """Taking a project out of an initiative changes that initiative, too."""
    if after.initiative_id != before.initiative_id:
        for initiative_id in filter(None, (before.initiative_id, after.initiative_id)):
            require_initiative(caller, initiative_id)


def _move(tx: Transaction, workspace_id: str, *, old: str | None, new: str | None) -> None:
    """Out of one initiative's count and into another's, which also proves that the other exists."""
    if old == new:
        return
    if old is not None:
        tx.adjust(PROJECT_COUNT(workspace_id, old), add={"projects": -1})
    if new is not None:
        refusal = unknown(Kind.INITIATIVE, "initiativeId", new)
        tx.adjust(PROJECT_COUNT(workspace_id, new), add={"projects": 1}, refusal=refusal)


def _patch(before: ProjectItem, after: ProjectItem) -> dict[str, Any]:
    """The fields of a project that changed, as they are sent to callers."""
    old, new = before.model_dump(mode="json"), after.model_dump(mode="json")
    return {name: value for name, value in new.items() if value != old[name]}
