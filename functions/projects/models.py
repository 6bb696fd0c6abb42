"""Projects as they come in and go out."""

from typing import Annotated

from pydantic import Field, StringConstraints

from forge.contract.clearing import Changes, Clearable
from forge.contract.fields import InitiativeRef, Name, PagedRows, ProjectSubject
from forge.contract.models import Model, Time
from forge.contract.questions import Confirm

Description = Annotated[str, Field(max_length=4000)]
Icon = Annotated[str, Field(min_length=1, max_length=8)]
Color = Annotated[str, StringConstraints(pattern=r"^#[0-9a-fA-F]{6}$", to_lower=True)]


class ListProjects(PagedRows):
    include_archived: Annotated[bool, Field(description="Whether archived ones are shown too.")] = False


class CreateProject(Model):
    key: Annotated[
        str,
        Field(
            pattern=r"^[A-Z0-9]{2,8}$",
            description="Unique short name of 2-8 characters A-Z and 0-9, e.g. SITE; it stays for good.",
        ),
    ]
    name: Annotated[Name, Field(description="What people call it.")]
    description: Annotated[Description | None, Field(description="What it is for.")] = None
    icon: Annotated[Icon | None, Field(description="An emoji.")] = None
    color: Annotated[Color | None, Field(description="As #RRGGBB.")] = None
    start_date: Annotated[Time | None, Field(description="When work begins.")] = None
    target_date: Annotated[Time | None, Field(description="When it shall be done; not before startDate.")] = (
        None
    )
    initiative_id: Annotated[InitiativeRef | None, Field(description="The initiative it serves.")] = None


class UpdateProject(Changes):
    id: ProjectSubject
    name: Annotated[Name | None, Field(description="A new name.")] = None
    description: Annotated[Description | None, Clearable(), Field(description="What it is for.")] = None
    icon: Annotated[Icon | None, Clearable(), Field(description="An emoji.")] = None
    color: Annotated[Color | None, Clearable(), Field(description="As #RRGGBB.")] = None
    archived: Annotated[bool | None, Field(description="False brings an archived project back.")] = None
    start_date: Annotated[Time | None, Clearable(), Field(description="When work begins.")] = None
    target_date: Annotated[Time | None, Clearable(), Field(description="When it shall be done.")] = None
    initiative_id: Annotated[
        InitiativeRef | None,
        Clearable(),
        Field(description="The initiative it serves."),
    ] = None


class ArchiveProject(Model, rare=["confirm"]):
    id: ProjectSubject
    confirm: Confirm = False
