"""Time entries as they come in and go out."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, Field, StringConstraints, WithJsonSchema

from forge.contract.days import DayOrTime
from forge.contract.fields import AgentRef, Id, IssueId, Paged, PagedRows, PersonRef, up_to
from forge.contract.models import Model, Omittable, Time

LONGEST_ENTRY_MIN = 24 * 60
MOST_ENTRIES = 500
"""What a list or a summary reads of entries, however many there are."""


Description = Annotated[str, StringConstraints(strip_whitespace=True, max_length=1000)]
Rate = Annotated[float, Field(ge=0, le=10_000), AfterValidator(lambda rate: round(rate, 4))]


class EntryOrder(Model):
    """What is said of an entry, however it is made."""

    issue_id: Annotated[
        IssueId | None, Field(description="The issue worked on: its id, or e.g. DEMO-12.")
    ] = None
    description: Annotated[Description | None, Field(description="What was done.")] = None
    billable: Annotated[bool, Field(description="Whether somebody pays for it.")] = False
    hourly_rate: Annotated[Rate | None, Field(description="Price of an hour.")] = None

    @property
    def said(self) -> dict[str, Any]:
        """As it is stored: what is blank says nothing."""
        return {
            "description": self.description or None,
            "billable": self.billable,
            "hourly_rate": self.hourly_rate,
        }


class StartTimer(EntryOrder):
    pass


class StopTimer(Model):
    entry_id: Annotated[
        Id | None, Field(description="The entry that runs; left out, whichever of yours does.")
    ] = None


class LogTime(EntryOrder):
    duration_min: Annotated[
        int | None, Field(ge=1, le=LONGEST_ENTRY_MIN, description="Minutes; or give endedAt.")
    ] = None
    started_at: Annotated[
        Time | None, Field(description="When it began; left out, durationMin before now.")
    ] = None
    ended_at: Annotated[Time | None, Field(description="When it ended; needs startedAt.")] = None


_DAY_OR_TIME = "a date such as 2026-11-17 is that whole day in your time zone."


class Whose(Model):
    """Whose entries and which of them: what a list and a summary have in common."""

    user_id: Annotated[PersonRef | None, Field(description="Only this person's: id, handle or me.")] = None
    agent_id: Annotated[AgentRef | None, Field(description="Only this agent's: id, profileKey or me.")] = None
    issue_id: Annotated[IssueId | None, Field(description="Only on this issue: id, or e.g. DEMO-12.")] = None
    from_: Annotated[
        DayOrTime | None,
        WithJsonSchema({"type": "string", "description": f"Only what began then or later; {_DAY_OR_TIME}"}),
        Field(alias="from"),
    ] = None
    to: Annotated[
        DayOrTime | None,
        WithJsonSchema({"type": "string", "description": f"Only what began then or before; {_DAY_OR_TIME}"}),
    ] = None
    billable: Annotated[bool | None, Field(description="Only billable ones, or only others.")] = None


class ListTime(Whose, PagedRows, rare=["fields"]):
    everybody: Annotated[
        bool | None,
        Field(description="Everybody's, or only yours; default everybody's of an issue, else yours."),
    ] = None
    limit: Annotated[int, up_to(MOST_ENTRIES)] = 100


class GroupBy(StrEnum):
    DAY = "day"
    ISSUE = "issue"
    PROJECT = "project"
    USER = "user"
    BILLABLE = "billable"


class SummarizeTime(Whose, Paged):
    group_by: Annotated[GroupBy, Field(description="What each bucket adds up.")] = GroupBy.DAY
    limit: Annotated[int, up_to(MOST_ENTRIES, "entries to add up")] = MOST_ENTRIES


class TimeEntryView(Model):
    """`durationMin` and `billableAmount` once it has ended; the amount only where somebody pays."""

    id: str
    user_id: str | None
    agent_id: str | None
    issue_id: str | None
    description: str | None
    started_at: datetime
    ended_at: datetime | None
    duration_min: Omittable[int] = None
    billable: bool
    hourly_rate: float | None
    billable_amount: Omittable[float] = None


class TimedIssue(Model):
    id: str
    identifier: str
    number: int
    title: str
    project_id: str | None


class RunningTimer(TimeEntryView):
    issue: TimedIssue | None


class Bucket(Model):
    """`key` is a day, an id, or `unassigned`; `label` is what people call it."""

    key: str
    label: Omittable[str] = None
    minutes: int
    billable_amount: float


class Summary(Model):
    """Of a part of the entries, where it says `truncated`: the sums of all parts add up."""

    total_minutes: int
    total_billable_amount: float
    entries: Annotated[int, Field(description="How many entries were added up.")]
    timezone: Annotated[str, Field(description="Whose days these are.")]
    buckets: list[Bucket]
    next_cursor: Omittable[str] = None
    truncated: Omittable[bool] = None
