"""Exports as they are asked for and shown."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from forge.contract.models import Model, Omittable
from forge.work.overviews.exports.orders import ExportStatus


class GetExport(Model):
    export_id: Annotated[str, Field(min_length=1, max_length=40, description="As export answered.")]
    part: Annotated[int, Field(ge=1, description="Which of its parts the url is for.")] = 1


class OrderedExport(Model):
    export_id: str
    status: ExportStatus
    hint: str = "Ask exports.get with this exportId until it is DONE: then it has a url for the lines."


class ExportView(Model):
    export_id: str
    status: ExportStatus
    created_at: datetime
    finished_at: Omittable[datetime] = None
    items: Omittable[int] = None
    bytes: Omittable[int] = None
    parts: Omittable[int] = None
    error: Omittable[str] = None
    url: Omittable[str] = None
    expires_in_seconds: Omittable[int] = None


class FileView(Model):
    name: str
    size: int
    url: str
