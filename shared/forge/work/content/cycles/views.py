"""Projects as every namespace shows them."""

from datetime import datetime

from forge.contract.models import Model
from forge.work.workspace.projects.projects import ProjectItem


class ProjectView(Model):
    id: str
    key: str
    name: str
    description: str | None
    icon: str | None
    color: str | None
    archived: bool
    start_date: datetime | None
    target_date: datetime | None
    initiative_id: str | None
    created_by_id: str | None
    created_at: datetime
    updated_at: datetime


def project_view(project: ProjectItem) -> ProjectView:
    return ProjectView.of(project, key=project.project_key)
