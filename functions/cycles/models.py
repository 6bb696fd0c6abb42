"""Cycles as they come in and go out, with the issues that are put into them and rolled over."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from forge.contract.fields import CycleRef, CycleSubject, IssueId, Limit, Paged, PagedRows, up_to
from forge.contract.models import Model, Omittable, Page, Time
from forge.work.content.cycles.cycles import CycleStatus
from forge.work.issues.views import Failure, IssueRow

MAX_NAME = 80


Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_NAME)]


class ListCycles(PagedRows):
    status: Annotated[CycleStatus | None, Field(description="Only those of this status.")] = None
    limit: Limit = 20


class GetCycle(Paged):
    id: CycleSubject
    limit: Annotated[int, up_to(100, "of its issues")] = 50


class CreateCycle(Model):
    name: Annotated[Name, Field(description="Unique in the workspace, whatever the case.")]
    starts_at: Annotated[Time | None, Field(description="When it begins; now, unless given.")] = None
    ends_at: Annotated[Time | None, Field(description="When it ends; lengthDays after it began.")] = None
    length_days: Annotated[int | None, Field(ge=1, le=365, description="Default: the workspace's.")] = None
    cooldown_days: Annotated[
        int | None, Field(ge=0, le=90, description="Days between it and the next; default the workspace's.")
    ] = None


class UpdateCycle(Model):
    id: CycleSubject
    name: Annotated[Name | None, Field(description="A new name.")] = None
    starts_at: Annotated[Time | None, Field(description="When it begins.")] = None
    ends_at: Annotated[Time | None, Field(description="When it ends; after it began.")] = None
    status: Annotated[CycleStatus | None, Field(description="Only one cycle is ACTIVE.")] = None


class CycleView(Model):
    id: str
    name: str
    status: CycleStatus
    starts_at: datetime
    ends_at: datetime
    length_days: int
    cooldown_days: int
    issue_count: int
    created_by_id: str | None
    created_by_agent_id: str | None
    created_at: datetime
    updated_at: datetime


class CycleWithIssues(CycleView, Page[IssueRow]):
    """A cycle, and a page of its issues under the name that they have there."""

    data: Annotated[list[IssueRow], Field(alias="issues")]


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


class RollOver(Model):
    from_cycle_id: Annotated[
        CycleSubject | None, Field(description="The cycle to empty; default the current one.")
    ] = None
    target_cycle_id: Annotated[
        CycleRef | None, Field(description="Where to; default the next PLANNED one, made if there is none.")
    ] = None
    complete_source: Annotated[bool, Field(description="Whether that cycle is COMPLETED with it.")] = False
    activate_target: Annotated[
        bool, Field(description="Whether the target becomes ACTIVE, which completes the other.")
    ] = False


class RolledOver(Model):
    """`rolled` counts all that this rollover has moved, `remaining` at least how many are still to move."""

    rolled: int
    target_cycle_id: str
    source_completed: bool
    target_activated: bool
    remaining: Omittable[int] = None
