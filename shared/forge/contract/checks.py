"""An item of a checklist, as callers give it."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from forge.contract.fields import Id
from forge.contract.models import Model


class CheckKind(StrEnum):
    MANUAL = "manual"
    COMMAND = "command"
    ARTIFACT = "artifact"


class Check(Model, rare=["id", "kind", "value", "done"]):
    id: Annotated[Id | None, Field(description="To match it by.")] = None
    label: Annotated[str, Field(min_length=1, max_length=500, description="What must be true.")]
    kind: Annotated[CheckKind | None, Field(description="How.")] = None
    value: Annotated[str | None, Field(max_length=2000, description="Command or path.")] = None
    done: Annotated[bool, Field(description="Done.")] = False
