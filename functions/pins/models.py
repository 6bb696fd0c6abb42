"""Pins as they come in and go out."""

from typing import Annotated

from pydantic import Field

from forge.contract.fields import IssueId
from forge.contract.models import Model
from forge.work.issues.issues import Priority
from forge.work.issues.views import IssueBrief


class SetPins(Model):
    issue_ids: Annotated[
        list[IssueId],
        Field(max_length=20, description="The issues to keep, in order; at most 3. None empties the set."),
    ]


class PinnedIssues(Model):
    pinned_issue_ids: list[str]


class WorkspaceBrief(Model):
    id: str
    slug: str
    key: str
    name: str


class PinnedIssue(IssueBrief):
    priority: Priority
    workspace: WorkspaceBrief
