"""Labels as they come in and go out."""

from typing import Annotated

from pydantic import Field, StringConstraints

from forge.contract.fields import LabelSubject
from forge.contract.models import Model

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40)]
Color = Annotated[str, StringConstraints(pattern=r"^#[0-9a-fA-F]{6}$")]


class CreateLabel(Model):
    name: Annotated[Name, Field(description="Unique in the workspace, whatever the case.")]
    color: Annotated[Color, Field(description="As #RRGGBB.")] = "#64748b"


class UpdateLabel(Model):
    id: LabelSubject
    name: Annotated[Name | None, Field(description="A new name.")] = None
    color: Annotated[Color | None, Field(description="A new color, as #RRGGBB.")] = None


class DeleteLabel(Model):
    id: LabelSubject


class LabelView(Model):
    id: str
    name: str
    color: str
    issue_count: int
