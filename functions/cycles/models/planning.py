"""Putting issues into cycles, and taking them out."""

from typing import Annotated

from pydantic import Field

from forge.contract.fields import CycleRef, CycleSubject, IssueId
from forge.contract.models import Model, Omittable
from forge.work.issues.views import Failure, IssueRow

MAX_PLANNED = 500


IssueIds = Annotated[list[IssueId], Field(max_length=MAX_PLANNED)]


class PlanCycle(Model):
    cycle_id: CycleSubject
    issue_ids: Annotated[IssueIds, Field(description="Issues to put into it, whatever cycle has them.")] = []
    remove_issue_ids: Annotated[IssueIds, Field(description="Issues to take out of it.")] = []


class AddIssue(Model):
    cycle_id: Annotated[CycleRef, Field(description="The cycle: its id, name or current.")]
    issue_id: IssueId


class RemoveIssue(Model):
    issue_id: IssueId
    cycle_id: Annotated[CycleRef | None, Field(description="Only if it is in this one.")] = None


class IssueInCycle(IssueRow):
    cycle_id: str | None


class Planned(Model):
    """How many really came in and went out; `failed` are those that somebody else changed at that moment."""

    planned: int
    removed: Omittable[int] = None
    cycle_id: str
    failed: list[Failure]
