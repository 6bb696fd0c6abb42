"""Work that is given back, and what becomes of it."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from forge.contract.models import Model, Omittable
from forge.work.issues.runs.runs import RunStatus
from functions.runs.models.reporting import RunId

_A_WEEK = 7 * 24 * 60


class GiveBack(Model):
    run_id: RunId
    reason: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=5000),
        Field(description="Why, for whoever takes it next: it becomes a comment."),
    ]
    after_minutes: Annotated[
        int | None, Field(ge=0, le=_A_WEEK, description="How long it is kept from the queue's takers.")
    ] = None


class GivenBack(Model):
    """`requestId`: people are asked what shall become of it, and it is not queued."""

    id: str
    status: RunStatus
    finished_at: datetime
    comment_id: str
    queued: bool
    queued_from: Omittable[datetime] = None
    request_id: Omittable[str] = None
