"""Runs: an agent's engagement with an issue, from being woken or beginning by itself until it is finished."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from forge.context import Caller
from forge.contract.terms import EngagementMode
from forge.errors import Conflict, Forbidden, NotFound
from forge.store.items import Item, Part
from forge.store.keys import At, Partition
from forge.store.places import DueAt, In
from forge.store.transactions import Transaction, overtaken
from forge.work.issues.inbox.rows import OF_AGENT, Duty, place_of
from forge.work.issues.issues import LiveRun
from forge.work.issues.runs.announcements import RUN_ENDED, RUN_STARTED, RunEnded, RunStarted
from forge.work.record.log.events import record
from forge.work.workspace.people.authentication import AUTHENTICATION

CONTRACT_VERSION = "2026-06-06.2"
TOLD_OF_SUMMARY = 500
"""Characters of a summary that its event carries: all of it could be more than a message may hold."""


class RunStatus(StrEnum):
    ACTIVE = "ACTIVE"
    WAITING = "WAITING"
    COMPLETED = "COMPLETED"
    ABANDONED = "ABANDONED"
    STALLED = "STALLED"


LIVE = frozenset({RunStatus.ACTIVE, RunStatus.WAITING})


class EngagementSource(StrEnum):
    EXPLICIT = "EXPLICIT"
    SURFACE_DEFAULT = "SURFACE_DEFAULT"
    POLICY_INFER = "POLICY_INFER"
    POLICY_FIXED = "POLICY_FIXED"
    POLICY_REQUIRE_MARKER = "POLICY_REQUIRE_MARKER"
    STICKY_ACTIVE_RUN = "STICKY_ACTIVE_RUN"
    AGENT_REQUEST = "AGENT_REQUEST"


OF_RUN = Partition("WS#{workspace_id}#RUN#{run_id}")
RUNS_OF_AGENT = Partition("WS#{workspace_id}#AGENT#{agent_id}#RUNS")
RUNS_OF_ISSUE = Partition("WS#{workspace_id}#ISSUE#{issue_id}#RUNS")
RUNS_LISTED = Partition("WS#{workspace_id}#UPDATED#RUN")
RUNS_FOR_PEOPLE = Partition("WS#{workspace_id}#RUNS#PEOPLE")
"""Those that get on only if a person does something."""
_AGE = "{started_at}#{id}"
NO_PLACE = "-"  # In the place of the one live run that an agent has for the issue itself.


class Resume(Part):
    agent: str
    session_id: str
    runtime_id: str | None = None


class RunItem(Item):
    stored = At(OF_RUN, "META", run_id="id")
    is_sparse = True
    indexed = (
        In("agent", RUNS_OF_AGENT, _AGE),
        In("subject", RUNS_OF_ISSUE, _AGE),
        In("updated", RUNS_LISTED, _AGE),
        In("board", RUNS_FOR_PEOPLE, _AGE, when="needs_person"),
        DueAt("due_at"),
    )

    workspace_id: str
    id: str
    issue_id: str
    agent_id: str
    execution_step_id: str | None = None
    plan_id: str | None = None
    duty: Duty | None = None
    status: RunStatus = RunStatus.ACTIVE
    engagement_mode: EngagementMode = EngagementMode.EXECUTE
    engagement_source: EngagementSource = EngagementSource.SURFACE_DEFAULT
    trigger_event_id: str | None = None
    trigger_kind: str | None = None
    called_at: datetime | None = None
    """When its agent was called, until it is heard of."""
    assignment_event_id: str | None = None
    assigned_at: datetime | None = None
    """When the issue was assigned; what the agent did before does not acknowledge that."""
    unacknowledged_event_id: str | None = None
    """The assignment that was reported as not acknowledged: that happens once."""
    current_step: str | None = None
    is_blocking: bool = False
    """Whether nothing can go on until what it waits for is there."""
    request_id: str | None = None
    """The request whose answer a parked run waits for; meanwhile its agent need give no sign."""
    resume: Resume | None = None
    waiting_since: datetime | None = None
    """Of one whose client comes back for the end of its waiting: since when it waits."""
    asks_client: bool = False
    """Whether the client's people may be asked what it waits for."""
    started_at: datetime
    last_event_at: datetime
    """When the agent itself was last heard of, or was given the issue anew."""
    watch_at: datetime | None = None
    """When the sweep has to see whether it has stalled or, once it has, whether to give it up."""
    awaiting_approval_at: datetime | None = None
    """While a person has to approve before it may go on: since when."""
    finished_at: datetime | None = None
    summary: str | None = None
    """How it ended, in short; the whole report is kept apart."""
    completed_at: datetime | None = None
    acknowledged_at: datetime | None = None
    output_started_at: datetime | None = None
    last_wake_at: datetime | None = None
    """When its agent was last called by webhook, whether or not it could be reached."""
    wake_attempts: int = 0
    last_wake_delivery_id: str | None = None
    ack_due_at: datetime | None = None
    """By when the agent must have shown a sign: counted from when it was told of its assignment."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int | None = None
    cost_usd: float | None = None
    turns: int | None = None
    model: str | None = None
    key_hash: str | None = None
    key_ends_at: datetime | None = None
    reported_under: str | None = None
    """The session that had the claim then; what another one of its agent still says comes too late."""
    produced_artifact_ids: list[str] = []
    completion_meta: dict[str, Any] | None = None

    @property
    def needs_person(self) -> bool:
        """Whether it gets on only if somebody answers, or sees what became of its agent."""
        return self.status is RunStatus.STALLED or (self.status is RunStatus.WAITING and self.is_blocking)

    @property
    def due_at(self) -> datetime | None:
        """The earliest of its deadlines. One that waits for somebody has none."""
        if self.status is RunStatus.STALLED or self.is_parked:
            return self.watch_at
        moments = (self.watch_at, self.ack_due_at) if self.status is RunStatus.ACTIVE else ()
        return min(filter(None, moments), default=None)

    @property
    def is_parked(self) -> bool:
        return self.status is RunStatus.WAITING and self.request_id is not None

    @property
    def is_live(self) -> bool:
        return self.status in LIVE

    @property
    def has_begun(self) -> bool:
        """Whether the agent ever gave a sign of work."""
        return self.acknowledged_at is not None or self.output_started_at is not None

    @property
    def as_live(self) -> LiveRun:
        return LiveRun(
            run_id=self.id,
            agent_id=self.agent_id,
            mode=self.engagement_mode,
            started_at=self.started_at,
            step_id=self.execution_step_id,
            plan_id=self.plan_id,
            duty=self.duty,
        )

    def heard_of(self, now: datetime, *, current_step: str | None = None) -> "RunItem":
        """The agent did something: that is output, and ends its waiting."""
        return self.resumed(now, current_step=current_step).changed(
            output_started_at=self.output_started_at or now
        )

    def resumed(self, now: datetime, *, current_step: str | None = None) -> "RunItem":
        """The agent works on; what it waited for is no step of its work, and is over."""
        last = None if self.status is RunStatus.WAITING else self.current_step
        return self.changed(
            status=RunStatus.ACTIVE,
            last_event_at=now,
            called_at=None,
            is_blocking=False,
            request_id=None,
            waiting_since=None,
            asks_client=False,
            current_step=current_step or last,
        )

    def over(self, status: RunStatus, now: datetime, *, summary: str | None) -> "RunItem":
        """How it ended, in short."""
        return self.changed(
            status=status,
            finished_at=now,
            summary=summary[:TOLD_OF_SUMMARY] if summary else None,
            completed_at=now if status is RunStatus.COMPLETED else None,
        )


class LiveRunItem(Item):
    """There is one live run for an agent on an issue or step, and this is its place."""

    stored = At(OF_AGENT, "LIVE#{issue_id}#{place}")

    workspace_id: str
    agent_id: str
    issue_id: str
    step_id: str | None = None
    plan_id: str | None = None
    duty: Duty | None = None
    run_id: str
    mode: EngagementMode

    @property
    def place(self) -> str:
        return place_of(self.duty, step_id=self.step_id, plan_id=self.plan_id) or NO_PLACE

    @classmethod
    def of_run(cls, run: RunItem) -> "LiveRunItem":
        return cls.of(run, step_id=run.execution_step_id, run_id=run.id, mode=run.engagement_mode)


class RunEventItem(Item):
    """A sign of life: what the agent did, and when."""

    stored = At(OF_RUN, "E#{created_at}#{id}")

    workspace_id: str
    run_id: str
    id: str
    kind: str
    payload: dict[str, Any] = {}
    created_at: datetime


def note(tx: Transaction, run: RunItem, kind: str, payload: dict[str, Any]) -> None:
    """Keep what happened in a run."""
    event = RunEventItem(
        workspace_id=run.workspace_id,
        run_id=run.id,
        id=tx.origin.new_id("rev"),
        kind=kind,
        payload=payload,
        created_at=tx.origin.now,
    )
    tx.create(event)


def identity(run: RunItem) -> dict[str, str]:
    """The ids that every event about a run carries."""
    return {"run_id": run.id, "issue_id": run.issue_id, "agent_id": run.agent_id}


def start(tx: Transaction, run: RunItem) -> None:
    """Store a new run, which is live, and announce it. The issue's head must take it up, too."""
    tx.create(run)
    # Somebody opened it at the same moment: decided again, it is only touched.
    tx.create(LiveRunItem.of_run(run), refusal=overtaken)
    told = RunStarted(**identity(run), assignment_event_id=run.assignment_event_id)
    record(tx, RUN_STARTED, told, subject_id=run.id, action="start", issue_id=run.issue_id)


def finish(tx: Transaction, over: RunItem) -> None:
    """Store a run that is over, and end its key. The issue's head must let go of it, too."""
    tx.replace(over)
    end_key(tx, over)
    tx.delete(LiveRunItem.of_run(over))
    tell_end(tx, over)


def end_key(tx: Transaction, run: RunItem) -> None:
    """Nobody calls with the key of the run any more; one that has expired may be gone."""
    if run.key_hash and run.key_ends_at and run.key_ends_at > tx.origin.now:
        tx.adjust(AUTHENTICATION(run.key_hash), assign={"revoked_at": tx.origin.now})


def tell_end(tx: Transaction, over: RunItem) -> None:
    told = RunEnded(**identity(over), final_status=over.status, summary=over.summary)
    record(tx, RUN_ENDED, told, subject_id=over.id, action="finish", issue_id=over.issue_id)


def require_own(run: RunItem, caller: Caller) -> None:
    if caller.run_id not in (None, run.id):
        raise Forbidden("This key is for another run.", hint=f"It is for {caller.run_id} alone.")
    if run.agent_id != caller.agent_id:
        raise Forbidden("This run is another agent's.", hint='runs.list {"agentId": "me"} shows your own.')


def require_live(run: RunItem) -> None:
    if not run.is_live:
        raise Conflict(
            f"This run is {run.status}: only an ACTIVE or WAITING run can change.",
            hint="A comment or comments.upsertStatus on the issue begins a new run.",
        )


def no_such_run(run_id: str) -> NotFound:
    return NotFound(f"There is no run {run_id[:60]!r}.", hint="runs.list shows them.")
