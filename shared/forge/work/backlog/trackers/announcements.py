"""What is told of issues that are kept elsewhere."""

from typing import Annotated

from pydantic import Field

from forge.contract.effects import Emission, Told
from forge.work.issues.backlog_rows.places import BacklogStatus
from forge.work.record.log.kinds import EventKind

SUBJECT = "github-issue"
"""Named by repository and number: acme/app#12."""


class ElsewhereChanged(Told):
    """What the backlog decided, before it is done there."""

    repository: str
    number: int
    status: Annotated[BacklogStatus | None, Field(description="Its label from now on.")] = None
    closed: Annotated[bool | None, Field(description="True where it is done.")] = None
    comment: Annotated[str | None, Field(description="What is said about it there.")] = None


class ElsewhereCreated(Told):
    repository: str
    number: int
    title: str
    url: str


ELSEWHERE_CHANGED = Emission(EventKind.ISSUE_UPDATED, SUBJECT, ElsewhereChanged)
ELSEWHERE_CREATED = Emission(EventKind.ISSUE_CREATED, SUBJECT, ElsewhereCreated)
