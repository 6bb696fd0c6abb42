"""From rows of the log to the figures of their day: pure, on what was read besides."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from forge.contract.terms import EngagementMode
from forge.work.issues.issues import IssueItem
from forge.work.issues.runs.announcements import RUN
from forge.work.issues.runs.reports import RunVerdict
from forge.work.issues.runs.runs import RunItem, RunStatus
from forge.work.overviews.figures.days import (
    Flowed,
    FlowedItem,
    Spending,
    SpentBy,
    SpentItem,
    UsageCountedItem,
    place_in,
)
from forge.work.overviews.figures.spans import class_of
from forge.work.plans.requests.announcements import REQUEST
from forge.work.plans.requests.requests import RequestStatus
from forge.work.plans.rules import Verdict
from forge.work.record.log.kinds import ISSUE, EventKind
from forge.work.record.log.rows import LogItem
from forge.work.workspace.statuses import StatusCategory

USED = "record-usage"
GATE = "review-gate"
_STILL_ASKED = frozenset({RequestStatus.OPEN, RequestStatus.SNOOZED})
_TELLING = frozenset(
    {EventKind.EXECUTION_STEP_JUDGED, EventKind.ISSUE_CREATED, EventKind.ISSUE_STATUS_CHANGED}
)
_EXACT = 6
"""Digits behind the point: sums of floats must not drift."""


@dataclass(slots=True)
class Known:
    """What was read of the things that rows are about."""

    categories: Mapping[str, StatusCategory] = field(default_factory=dict)
    runs: dict[str, RunItem] = field(default_factory=dict)
    counted: dict[str, UsageCountedItem] = field(default_factory=dict)
    issues: dict[str, IssueItem] = field(default_factory=dict)
    asked_at: dict[str, datetime] = field(default_factory=dict)
    """When requests were made and gates opened."""
    begun_by_agents: dict[str, datetime] = field(default_factory=dict)
    """Issues that agents carried out, and since when."""
    goals: dict[str, str] = field(default_factory=dict)
    """Of runs that are for a plan's step."""
    models: dict[str, str] = field(default_factory=dict)
    """What each run's agent thinks with, as far as somebody said."""


@dataclass(slots=True)
class Day:
    """The rows of a day as they become, and what is counted of each run since."""

    spent: dict[SpentBy, SpentItem]
    flowed: FlowedItem
    counted: dict[str, UsageCountedItem] = field(default_factory=dict)

    def flow(self, name: str | None) -> Flowed:
        parts = self.flowed.parts
        return parts.setdefault(place_in(parts, name), Flowed())

    def spend(self, by: SpentBy, name: str | None) -> Spending:
        parts = self.spent[by].parts
        return parts.setdefault(place_in(parts, name), Spending())


def tells_something(row: LogItem) -> bool:
    """Whether it can change a figure at all."""
    return row.kind in _TELLING or is_of_run(row) or is_decision(row)


def is_of_run(row: LogItem) -> bool:
    """Whether it may have cost something more since."""
    ended = row.kind is EventKind.AGENT_RUN_COMPLETED
    return row.subject_type == RUN and (ended or row.action == USED)


def is_decision(row: LogItem) -> bool:
    """Whether a person decided what was waited for."""
    if row.actor_agent_id or not row.actor_user_id:
        return False
    if row.subject_type == GATE:
        return row.payload.get("decision") is not None
    told = row.payload
    is_settled = told.get("previousStatus") in _STILL_ASKED and told.get("status") not in _STILL_ASKED
    return row.subject_type == REQUEST and is_settled


def is_done(row: LogItem, categories: Mapping[str, StatusCategory]) -> bool:
    """Whether an issue that was not done came to be."""
    if row.subject_type != ISSUE or row.kind is not EventKind.ISSUE_STATUS_CHANGED:
        return False
    before, after = (categories.get(str(row.payload.get(one))) for one in ("from", "statusId"))
    return after is StatusCategory.DONE and before is not StatusCategory.DONE


def count(day: Day, rows: Iterable[LogItem], known: Known) -> None:
    """Add what these rows tell; each is counted once, by whoever moves on over it."""
    for row in rows:
        if is_of_run(row):
            _count_run(day, row, known)
        elif row.kind is EventKind.EXECUTION_STEP_JUDGED:
            _judge(day.flow(_project(row, known)), row.payload.get("verdict") == Verdict.PASS)
        elif is_decision(row):
            _count_answer(day, row, known)
        elif row.kind is EventKind.ISSUE_CREATED:
            day.flow(_project(row, known)).created += 1
        elif is_done(row, known.categories):
            _count_done(day, row, known)


def _count_run(day: Day, row: LogItem, known: Known) -> None:
    run = known.runs.get(row.subject_id)
    if run is None:
        return
    before = day.counted.get(run.id) or known.counted.get(run.id)
    before = before or UsageCountedItem(workspace_id=run.workspace_id, run_id=run.id)
    after = before.changed(
        usd=run.cost_usd or 0,
        tokens_in=run.tokens_in or 0,
        tokens_out=run.tokens_out or 0,
        is_completed=run.status is RunStatus.COMPLETED,
    )
    if after == before:
        return
    day.counted[run.id] = after
    issue = known.issues.get(run.issue_id)
    names = {
        SpentBy.AGENT: run.agent_id,
        SpentBy.MODEL: known.models.get(run.id),
        SpentBy.PROJECT: issue.project_id if issue else None,
        SpentBy.GOAL: known.goals.get(run.id),
    }
    for by, name in names.items():
        _spend(day.spend(by, name), before, after)
    verdict = (run.completion_meta or {}).get("verdict")
    is_review = run.engagement_mode is EngagementMode.REVIEW and run.execution_step_id is None
    if after.is_completed > before.is_completed and is_review and verdict:
        _judge(day.flow(names[SpentBy.PROJECT]), verdict == RunVerdict.APPROVE)


def _spend(part: Spending, before: UsageCountedItem, after: UsageCountedItem) -> None:
    part.usd = round(part.usd + after.usd - before.usd, _EXACT)
    part.tokens_in += after.tokens_in - before.tokens_in
    part.tokens_out += after.tokens_out - before.tokens_out
    part.runs += after.is_completed - before.is_completed


def _judge(part: Flowed, has_passed: bool) -> None:
    part.passed += has_passed
    part.failed += not has_passed


def _count_answer(day: Day, row: LogItem, known: Known) -> None:
    asked_at = known.asked_at.get(row.subject_id)
    if asked_at is None:
        return
    part, waited = day.flow(_project(row, known)), row.created_at - asked_at
    part.answered += 1
    part.waited_minutes += max(0, round(waited.total_seconds() / 60))
    part.waited[class_of(waited)] = part.waited.get(class_of(waited), 0) + 1


def _count_done(day: Day, row: LogItem, known: Known) -> None:
    part, issue = day.flow(_project(row, known)), known.issues.get(row.subject_id)
    part.done += 1
    begun_by_agent = known.begun_by_agents.get(row.subject_id)
    part.accepted += begun_by_agent is not None
    begun = min(filter(None, [issue.started_at if issue else None, begun_by_agent]), default=None)
    if begun and begun <= row.created_at:
        length = class_of(row.created_at - begun)
        part.cycle[length] = part.cycle.get(length, 0) + 1


def _project(row: LogItem, known: Known) -> str | None:
    issue = known.issues.get(row.about_issue or "")
    return issue.project_id if issue else None
