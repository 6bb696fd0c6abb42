"""Statuses as operators define them."""

from typing import Annotated

from pydantic import Field, StringConstraints

from forge.contract.fields import StatusSubject
from forge.contract.models import Model
from forge.work.workspace.statuses import StatusCategory

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60)]
Color = Annotated[str, StringConstraints(pattern=r"^#[0-9a-fA-F]{6}$")]
Position = Annotated[int, Field(ge=0, le=1000)]


class CreateStatus(Model):
    name: Annotated[Name, Field(description="Unique in the workspace, whatever the case.")]
    category: Annotated[StatusCategory, Field(description="What rules take it for.")]
    color: Annotated[Color, Field(description="As #RRGGBB.")] = "#64748b"
    position: Annotated[Position | None, Field(description="Place on the board; last by default.")] = None
    is_default: Annotated[bool, Field(description="New issues start here; the old default ends.")] = False


class UpdateStatus(Model):
    id: StatusSubject
    name: Annotated[Name | None, Field(description="A new name.")] = None
    color: Annotated[Color | None, Field(description="A new color, as #RRGGBB.")] = None
    position: Annotated[Position | None, Field(description="A new place on the board.")] = None
    is_default: Annotated[
        bool | None, Field(description="true makes it the default; there is always exactly one.")
    ] = None


class StatusDefinition(Model):
    id: str
    name: str
    category: StatusCategory
    color: str
    position: int
    is_default: bool
