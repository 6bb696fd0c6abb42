"""What is told of projects and initiatives."""

from forge.contract.effects import Emission, Told
from forge.work.record.log.events import EventKind


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
    """The fields that changed; of a new one, those that it has."""

    name: str | None = None
    slug: str | None = None
    description: str | None = None
    target_date: str | None = None
    color: str | None = None
    status: str | None = None


PROJECT_CREATED = Emission(EventKind.PROJECT_CREATED, "project", ProjectCreated)
PROJECT_UPDATED = Emission(EventKind.PROJECT_UPDATED, "project", ProjectUpdated)
INITIATIVE_UPDATED = Emission(EventKind.PROJECT_UPDATED, "initiative", InitiativeUpdated)
