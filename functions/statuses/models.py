"""Statuses as they are shown."""

from typing import Annotated

from pydantic import Field

from forge.contract.models import Model
from forge.work.workspace.statuses import StatusCategory


class ListStatuses(Model, rare=["category"]):
    category: Annotated[StatusCategory | None, Field(description="Only statuses of this category.")] = None


class StatusView(Model):
    id: str
    name: str
    category: StatusCategory
    color: str
    position: int
    is_default: bool
