"""The issue aggregate: its head and its long texts."""

from datetime import datetime, timedelta
from enum import StrEnum

from forge.context import Caller
from forge.contract.terms import EngagementMode
from forge.store.items import Item, Part
from forge.store.keys import At, Partition, by_age
from forge.store.places import DueAt, In
from forge.work.issues.auto_dispatch.reasons import DispatchReason
from forge.work.issues.inbox.rows import Duty, place_of
from forge.work.record.texts import KeptText
from forge.work.workspace.statuses import StatusCategory

MAX_LABELS = 20
MAX_BLOCKED = 20
MAX_LIVE_RUNS = 8
"""All of them end in the transaction that closes the issue, which holds only so much."""

CLOSED = frozenset({StatusCategory.DONE, StatusCategory.CANCELED})
OPEN = frozenset(StatusCategory) - CLOSED
NOT_STARTED = frozenset({StatusCategory.BACKLOG, StatusCategory.TODO})


class Priority(StrEnum):
    NONE = "NONE"
    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"
    URGENT = "URGENT"

    @property
    def rank(self) -> int:
        # A priority that only another build knows is no reason to hurry.
        return _RANKS.get(self, 0)


_RANKS = {priority: rank for rank, priority in enumerate(Priority)}
PRIORITIES = len(Priority)


class IssueKind(StrEnum):
    EPIC = "EPIC"
    ISSUE = "ISSUE"
    TASK = "TASK"


class Half(StrEnum):
    """Of the board, and of what is listed alike: what is done is the most, and seldom asked for."""

    LIVE = "LIVE"
    DONE = "DONE"


class LiveRun(Part):
    """A run that is neither finished nor stalled, as the issue knows it: enough to decide what is allowed."""

    run_id: str
    agent_id: str
    mode: EngagementMode
    started_at: datetime
    step_id: str | None = None
    plan_id: str | None = None
    """The plan that is to be made in it."""
    duty: Duty | None = None

    @property
    def place(self) -> str | None:
        return place_of(self.duty, step_id=self.step_id, plan_id=self.plan_id)


class BacklogPlace(Part):
    """Where an issue stands in the backlog of its repository; see `forge.work.issues.backlog_rows.places`."""

    repository_id: str
    type: str | None = None
    status: str
    is_blocking: bool = False
    is_blocked: bool = False


class IssueLock(Part):
    """Who has the issue in the backlog, as others see it; what counts is the lease."""

    session_id: str
    until: datetime
    fence: int


class ChecklistItem(Part):
    id: str | None = None
    label: str
    kind: str | None = None
    value: str | None = None
    done: bool = False


OF_ISSUE = Partition("WS#{workspace_id}#ISSUE#{issue_id}")
"""All of an issue. Comments sort before parts: a descending Query gives parts and newest comments."""
BOARD = Partition("WS#{workspace_id}#BOARD#{half}")
ISSUES_LISTED = Partition("WS#{workspace_id}#UPDATED#ISSUE")
ISSUES_OF_PROJECT = Partition("WS#{workspace_id}#PROJECT#{project_id}#{half}")
ISSUES_OF_AGENT = Partition("WS#{workspace_id}#AGENT#{assigned_agent_id}#{half}")
ISSUES_OF_CYCLE = Partition("WS#{workspace_id}#CYCLE#{cycle_id}#ISSUES")


class IssueItem(Item):
    """The head: small, because every list reads it, and the only indexed item of an issue."""

    stored, is_sparse = At(OF_ISSUE, "X#META", issue_id="id"), True
    indexed = (
        In("board", BOARD, "{urgency}"),
        In("updated", ISSUES_LISTED, "{updated_at}#{id}"),
        In("project", ISSUES_OF_PROJECT, "{urgency}"),
        In("agent", ISSUES_OF_AGENT, "{urgency}"),
        In("subject", ISSUES_OF_CYCLE, "{urgency}"),
        DueAt("watch_at"),
    )

    workspace_id: str
    id: str
    number: int
    kind: IssueKind = IssueKind.ISSUE
    title: str
    status_id: str
    category: StatusCategory
    """The status's, which never changes; kept here because lists and the queue are made by it."""
    priority: Priority = Priority.NONE
    author_id: str | None = None
    author_agent_id: str | None = None
    project_id: str | None = None
    parent_id: str | None = None
    cycle_id: str | None = None
    cycle_since: datetime | None = None
    """When it came into its cycle."""
    due_date: datetime | None = None
    estimate: float | None = None
    sla_minutes: int | None = None
    label_ids: frozenset[str] = frozenset()
    assignee_ids: frozenset[str] = frozenset()
    queued: bool = False
    queued_from: datetime | None = None
    """Before that nobody is given it from the queue; None for at once. How often in a row it came back:"""
    times_given_back: int = 0
    claimed_at: datetime | None = None
    claimed_by_id: str | None = None
    claimed_by_agent_id: str | None = None
    claim_expires_at: datetime | None = None
    claim_minutes: int | None = None
    """For how long it was claimed; each sign of work gives that long again."""
    claim_session: str | None = None
    """The session of the agent that has it: what another writes is refused. None where none was named."""
    claim_runtime_id: str | None = None
    """The runtime of the agent when it claimed the issue."""
    assigned_agent_id: str | None = None
    assignment_mode: EngagementMode | None = None
    """What the agent was last assigned for."""
    dispatch_reason: DispatchReason | None = None
    """None while a person decided who has it."""
    live_runs: list[LiveRun] = []
    current_run_id: str | None = None
    """The latest run that was neither completed nor abandoned; a stalled run stays the current one."""
    blocks: list[str] = []
    open_blockers: int = 0
    blocker_numbers: frozenset[int] = frozenset()
    """The numbers of the open blockers."""
    backlog: BacklogPlace | None = None
    """None where no repository keeps its backlog with the issue's project, or the issue is closed."""
    lock: IssueLock | None = None
    artifact_required: bool = False
    created_at: datetime
    updated_at: datetime
    started_at: datetime | None = None
    completed_at: datetime | None = None
    canceled_at: datetime | None = None
    deleted_at: datetime | None = None
    stalled_at: datetime | None = None
    sla_breached_at: datetime | None = None
    """When that was last announced."""
    times_ignored: int = 0
    """How often in a row the sweep has given it out and nobody answered."""
    watch_at: datetime | None = None
    """When the sweep has to see whether it is neglected; None where no rule can hold."""

    @property
    def is_indexed(self) -> bool:
        return self.deleted_at is None

    @property
    def half(self) -> Half:
        return Half.DONE if self.category is StatusCategory.DONE else Half.LIVE

    @property
    def urgency(self) -> str:
        """The order of the board; read descending, the most urgent first, then the newest."""
        return f"{self.priority.rank}#{by_age(self.created_at, self.id)}"

    @property
    def precedence(self) -> str:
        """Read ascending: the most urgent first, then the oldest."""
        return f"{PRIORITIES - self.priority.rank}#{by_age(self.created_at, self.id)}"

    @property
    def is_open(self) -> bool:
        # Not `not in CLOSED`: what only another build knows is nothing to work on here.
        return self.category in OPEN and self.deleted_at is None

    def is_kept_back(self, now: datetime) -> bool:
        """Whether it is queued for later."""
        return self.queued_from is not None and self.queued_from > now

    @property
    def claimant_id(self) -> str | None:
        return self.claimed_by_id or self.claimed_by_agent_id

    def blocked_by(self, number: int, *, is_blocking: bool) -> "IssueItem":
        """As it is once that open issue stands in its way, or does no longer."""
        others = self.blocker_numbers - {number}
        return self.changed(
            open_blockers=max(0, self.open_blockers + (1 if is_blocking else -1)),
            blocker_numbers=others | {number} if is_blocking else others,
        )

    def live_runs_of(self, agent_id: str | None) -> list[LiveRun]:
        return [run for run in self.live_runs if run.agent_id == agent_id]

    def live_run_of(self, agent_id: str | None) -> LiveRun | None:
        """The agent's own run for the issue itself, not for a step of a plan."""
        return next((run for run in self.live_runs_of(agent_id) if run.place is None), None)

    def run_at_work_of(self, agent_id: str | None) -> LiveRun | None:
        """The run that what an agent says and hears here belongs to: its own, else the newest for a step.

        One in which it only judges or plans comes last.
        """
        newest = [*reversed(self.live_runs_of(agent_id))]
        return self.live_run_of(agent_id) or min(newest, key=lambda run: run.duty is not None, default=None)

    def engagements_of(self, agent_id: str | None) -> list[LiveRun]:
        """The runs that say what an agent may do here: one who judges or plans may be at work besides."""
        live = self.live_runs_of(agent_id)
        return [run for run in live if run.duty is None] or live

    def is_locked(self, now: datetime) -> bool:
        """Whether a session of a backlog has it; a lock that has expired keeps nobody out."""
        return self.lock is not None and self.lock.until > now

    def is_claimed(self, now: datetime) -> bool:
        """Whether somebody holds it; a claim that has expired is free to take."""
        if self.is_locked(now):
            return True
        return self.claimant_id is not None and (self.claim_expires_at is None or self.claim_expires_at > now)

    def is_claimed_by(self, caller: Caller) -> bool:
        """An agent's key is the agent, and never the person who owns it."""
        if caller.agent_id:
            return self.claimed_by_agent_id == caller.agent_id
        return self.claimed_by_id is not None and self.claimed_by_id == caller.user_id

    @property
    def has_room(self) -> bool:
        return len(self.live_runs) < MAX_LIVE_RUNS

    def with_claim_kept_up(self, caller: Caller, now: datetime) -> "IssueItem":
        """A claim lives as long as the work: whoever has it and writes keeps it.

        Only once less than half of its time is left, so that most writes need not touch the head.
        """
        until, minutes = self.claim_expires_at, self.claim_minutes
        if until is None or minutes is None or until <= now or not self.is_claimed_by(caller):
            return self
        whole = timedelta(minutes=minutes)
        return self.changed(claim_expires_at=now + whole) if until - now < whole / 2 else self


_CLAIM = ("claimed_at", "claimed_by_id", "claimed_by_agent_id", "claim_expires_at", "claim_minutes")
NO_CLAIM: dict[str, None] = dict.fromkeys((*_CLAIM, "claim_session", "claim_runtime_id"))


class BodyItem(Item):
    """What is long: apart from the head, so that no list reads it."""

    stored = At(OF_ISSUE, "X#BODY")

    workspace_id: str
    issue_id: str
    description: KeptText | None = None
    expected_output: KeptText | None = None
    verification_checklist: list[ChecklistItem] = []
