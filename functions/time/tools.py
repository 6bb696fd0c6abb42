"""The time namespace's tools."""

from forge.auth.actors import identity_of
from forge.context import Context
from forge.contract.effects import FILTERED, Cost
from forge.contract.models import NoArguments, Page
from forge.contract.tools import Namespace
from forge.errors import InvalidInput
from forge.work.issues.pages.listing import Pager
from functions.time import rules
from functions.time.models import (
    Bucket,
    ListTime,
    LogTime,
    RunningTimer,
    StartTimer,
    StopTimer,
    SummarizeTime,
    Summary,
    TimedIssue,
    TimeEntryView,
)
from functions.time.repository import entries, sheets
from functions.time.repository.entries import TimeEntryItem

namespace = Namespace("time", "Record how long work takes, and see what it comes to.")


@namespace.writes(
    costs=Cost(reads=1, writes=1, items=4),
    asks=["start a timer", "begin tracking time", "clock in", "switch the stopwatch on"],
)
def start(request: StartTimer, ctx: Context) -> TimeEntryView:
    """Start your timer, on an issue or on none, and return its entry.

    You have one at a time: while it runs, another is a conflict; time.stop ends it. For work that is over use
    time.log. 422 where the workspace does not track time (`timeTrackingEnabled`).
    Example: {"issueId": "DEMO-1", "description": "Reproducing it", "billable": true, "hourlyRate": 90}
    """
    issue_id = sheets.open_target(ctx, request.issue_id)
    entry = entries.begun(ctx, issue_id, started_at=ctx.now(), **request.said)
    tx = ctx.plan()
    entries.start(tx, entry)
    return _view(entry)


@namespace.writes(
    costs=Cost(reads=2, writes=1, items=4),
    asks=["stop the timer", "clock out", "finish tracking time", "end the entry that runs"],
)
def stop(request: StopTimer, ctx: Context) -> TimeEntryView:
    """Stop your timer and return its entry, with minutes and amount.

    Without a running one it is a conflict, and so is an entry that was stopped already; somebody else's is
    not found. Example: {}
    """
    timer, entry, _ = sheets.get_running(ctx, request.entry_id)
    tx = ctx.plan()
    return _view(entries.stop(tx, timer, entry))


@namespace.writes(
    costs=Cost(reads=1, writes=1, items=3),
    asks=[
        "book hours",
        "enter time by hand",
        "record how long it took",
        "forgot to start the timer",
        "hours spent",
    ],
)
def log(request: LogTime, ctx: Context) -> TimeEntryView:
    """Record work that is over, and return its entry: durationMin minutes until now or from startedAt on.

    Or say startedAt and endedAt. An entry is 24 hours at most and never in the future; entries may overlap.
    To measure as you go, use time.start. Example: {"issueId": "DEMO-1", "durationMin": 45}
    """
    period = rules.period_of(
        started_at=request.started_at,
        ended_at=request.ended_at,
        minutes=request.duration_min,
        now=ctx.now(),
    )
    issue_id = sheets.open_target(ctx, request.issue_id)
    entry = entries.begun(ctx, issue_id, **request.said | period._asdict())
    tx = ctx.plan()
    entries.log(tx, entry)
    return _view(entry)


@namespace.reads(
    costs=Cost(reads=2).up_to(reads=7, because=FILTERED),
    asks=[
        "timesheet",
        "which hours were booked",
        "time entries of somebody",
        "logged time",
        "how time was spent on an issue",
    ],
)
def list(request: ListTime, ctx: Context) -> Page[TimeEntryView]:
    """List time entries, the one that began last first: of an issue everybody's, else yours or whose you say.

    Filter by when they began and by billable. Pass nextCursor as cursor for more; `truncated` means
    that more may follow although the page is short. time.summary adds them up.
    Example: {"issueId": "DEMO-1", "from": "2026-11-01"}
    """
    pager = Pager(Page[TimeEntryView], request.fields)
    if request.everybody and (request.user_id or request.agent_id):
        raise InvalidInput(
            "Everybody or somebody?", issues={"everybody": "Leave it out, or name neither person nor agent."}
        )
    # An issue belongs to all who work on it; who wants only their own says so.
    is_everybodys = request.everybody if request.everybody is not None else bool(request.issue_id)
    owner_id = None if is_everybodys else identity_of(ctx.caller)
    asked = sheets.understand(ctx, request, default_owner=owner_id)
    found = sheets.read_entries(ctx, asked.wanted, request)
    return pager.page(found, _view)


@namespace.reads(
    costs=Cost(reads=4).up_to(reads=9, because=FILTERED),
    asks=["how many hours in all", "what to invoice", "time by project or person", "total time this week"],
)
def summary(request: SummarizeTime, ctx: Context) -> Summary:
    """Add up finished entries, everybody's or one's, by day, issue, project, user or billable.

    Each entry counts with whole minutes and cents, on the day it began: days are those of your own time zone,
    UTC for agents. Buckets come with the most minutes first. It adds up 500 entries at most, the newest;
    `truncated` with nextCursor leads to older ones, whose sums you add.
    Example: {"from": "2026-11-01", "to": "2026-11-30", "groupBy": "project"}
    """
    asked = sheets.understand(ctx, request, default_owner=None, only_finished=True)
    read = sheets.read_entries(ctx, asked.wanted, request)
    found, key_of, labels = sheets.grouped(ctx, read, request.group_by, asked)
    totals = rules.summed(found.items, key_of)
    return Summary(
        total_minutes=totals.minutes,
        total_billable_amount=float(totals.amount),
        entries=len(found.items),
        timezone=str(asked.zone),
        buckets=[
            Bucket(
                key=one.key,
                label=labels.get(one.key),
                minutes=one.minutes,
                billable_amount=float(one.amount),
            )
            for one in totals.buckets
        ],
        next_cursor=found.next_cursor,
        truncated=found.next_cursor is not None or None,
    )


@namespace.reads(
    costs=Cost(reads=2),
    asks=["is the timer still on", "what am I tracking", "current time entry"],
)
def running(request: NoArguments, ctx: Context) -> RunningTimer | None:
    """Show your running timer with its issue, or null when none runs.

    time.stop ends it, and time.start begins one. Example: {}
    """
    found = sheets.find_running(ctx)
    if found is None:
        return None
    issue = found.reach.find(found.entry.issue_id) if found.entry.issue_id else None
    shown = TimedIssue.of(issue, identifier=found.reach.names.identifier(issue.number)) if issue else None
    return RunningTimer.of(found.entry, **_sums(found.entry), issue=shown)


def _view(entry: TimeEntryItem) -> TimeEntryView:
    return TimeEntryView.of(entry, **_sums(entry))


def _sums(entry: TimeEntryItem) -> dict[str, object]:
    """Of an entry that is over; the amount only where somebody pays."""
    if entry.ended_at is None:
        return {"duration_min": None, "billable_amount": None}
    amount = float(rules.amount_of(entry)) if entry.billable else None
    return {"duration_min": rules.minutes_of(entry), "billable_amount": amount}
