"""Initiatives as they come in and go out."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from forge.contract.clearing import Changes, Clearable
from forge.contract.fields import (
    InitiativeRef,
    InitiativeSubject,
    Name,
    PagedRows,
    ProjectRef,
    ProjectSubject,
)
from forge.contract.models import Model, Omittable, Time
from forge.work.content.cycles.initiatives import MAX_SLUG, InitiativeStatus

Description = Annotated[str, Field(max_length=10_000)]
Color = Annotated[str, StringConstraints(pattern=r"^#[0-9a-fA-F]{6}$", to_lower=True)]


class ListInitiatives(PagedRows):
    status: Annotated[InitiativeStatus | None, Field(description="Only those in this status.")] = None


class GetInitiative(Model):
    id: InitiativeSubject


class CreateInitiative(Model):
    name: Annotated[Name, Field(description="What people call it.")]
    slug: Annotated[
        str | None,
        Field(
            min_length=2,
            max_length=MAX_SLUG,
            pattern=r"^[a-z0-9-]+$",
            description="Unique short name of a-z, 0-9 and dashes, for good; made from the name by default.",
        ),
    ] = None
    description: Annotated[Description | None, Field(description="What it is for, as Markdown.")] = None
    target_date: Annotated[Time | None, Field(description="When it shall be reached.")] = None
    color: Annotated[Color | None, Field(description="As #RRGGBB.")] = None


class UpdateInitiative(Changes):
    id: InitiativeSubject
    name: Annotated[Name | None, Field(description="A new name; the slug stays.")] = None
    description: Annotated[Description | None, Clearable(), Field(description="What it is for.")] = None
    target_date: Annotated[Time | None, Clearable(), Field(description="When it shall be reached.")] = None
    color: Annotated[Color | None, Clearable(), Field(description="As #RRGGBB.")] = None
    status: Annotated[InitiativeStatus | None, Field(description="How it stands.")] = None


class LinkProject(Model):
    initiative_id: InitiativeSubject
    project_id: Annotated[ProjectRef, Field(description="The project that shall serve it.")]


class UnlinkProject(Model):
    project_id: ProjectSubject
    initiative_id: Annotated[InitiativeRef | None, Field(description="Only if it serves this one.")] = None


class InitiativeRow(Model):
    id: str
    slug: str
    name: str
    status: InitiativeStatus
    position: int
    target_date: datetime | None
    color: str | None
    project_count: int
    created_at: datetime
    updated_at: datetime


class InitiativeView(InitiativeRow):
    description: str | None
    created_by_id: str | None


class ProjectOfInitiative(Model):
    id: str
    key: str
    name: str
    archived: bool
    start_date: datetime | None
    target_date: datetime | None
    updated_at: datetime


class InitiativeWithProjects(InitiativeView):
    """`projectsTruncated`: there are more of them than were looked at."""

    projects: list[ProjectOfInitiative]
    projects_truncated: Omittable[bool] = None
