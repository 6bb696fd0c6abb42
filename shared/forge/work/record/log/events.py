"""The log: one row per mutation, which is its event, its audit entry and its outbox in one."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from forge.contract.effects import Emission, Told
from forge.store.items import Item, Part
from forge.store.keys import At, Partition
from forge.store.places import DueAt, In, KeptFor
from forge.store.transactions import Transaction
from forge.work.record.log.attempts import Attempt

KEPT = timedelta(days=400)
UNSENT_AFTER = timedelta(minutes=2)

ISSUE = "issue"

Digest = dict[str, Any]

# Secrets, what only the store and the sweep mind, and copies of what has rows of its own.
_NEVER_LOGGED = frozenset(
    {
        "version",
        "watch_at",
        "webhook_secret",
        "next_secret",
        "secret",
        "key_hash",
        "live_keys",
        "statuses",
        "steps",
        "look_at",
        "stalled_at",
        "called_at",
    }
)


class EventKind(StrEnum):
    ISSUE_CREATED = "ISSUE_CREATED"
    ISSUE_UPDATED = "ISSUE_UPDATED"
    ISSUE_DELETED = "ISSUE_DELETED"
    ISSUE_ASSIGNED = "ISSUE_ASSIGNED"
    ISSUE_STATUS_CHANGED = "ISSUE_STATUS_CHANGED"
    ISSUE_PRIORITY_CHANGED = "ISSUE_PRIORITY_CHANGED"
    ISSUE_QUEUED = "ISSUE_QUEUED"
    ISSUE_STALLED = "ISSUE_STALLED"
    ISSUE_SLA_BREACH = "ISSUE_SLA_BREACH"
    COMMENT_CREATED = "COMMENT_CREATED"
    COMMENT_UPDATED = "COMMENT_UPDATED"
    PROJECT_CREATED = "PROJECT_CREATED"
    PROJECT_UPDATED = "PROJECT_UPDATED"
    AGENT_ASSIGNED = "AGENT_ASSIGNED"
    AGENT_NOACK = "AGENT_NOACK"
    CHAT_MESSAGE_POSTED = "CHAT_MESSAGE_POSTED"
    AGENT_RUN_STARTED = "AGENT_RUN_STARTED"
    AGENT_RUN_BLOCKED = "AGENT_RUN_BLOCKED"
    AGENT_RUN_COMPLETED = "AGENT_RUN_COMPLETED"
    AGENT_RUN_KICKED = "AGENT_RUN_KICKED"
    AGENT_RUN_STALLED = "AGENT_RUN_STALLED"
    AGENT_CREATED = "AGENT_CREATED"
    AGENT_DELETED = "AGENT_DELETED"
    AGENT_STATUS_CHANGED = "AGENT_STATUS_CHANGED"
    AGENT_UPDATED = "AGENT_UPDATED"
    MEMBERSHIP_CREATED = "MEMBERSHIP_CREATED"
    MEMBERSHIP_REMOVED = "MEMBERSHIP_REMOVED"
    MEMBERSHIP_ROLE_CHANGED = "MEMBERSHIP_ROLE_CHANGED"
    GOAL_CREATED = "GOAL_CREATED"
    GOAL_STATUS_CHANGED = "GOAL_STATUS_CHANGED"
    EXECUTION_STEP_READY = "EXECUTION_STEP_READY"
    EXECUTION_STEP_JUDGED = "EXECUTION_STEP_JUDGED"
    PLAN_BUDGET_EXCEEDED = "PLAN_BUDGET_EXCEEDED"
    PLAN_STALLED = "PLAN_STALLED"


class Entity(StrEnum):
    """All that the log tells of."""

    ACTION_REQUEST = "action-request"
    AGENT = "agent"
    AGENT_CREW = "agent-crew"
    AGENT_LOAD = "agent-load"
    AGENT_RUN = "agent-run"
    ARTIFACT = "artifact"
    ATTACHMENT = "attachment"
    BACKLOG = "backlog"
    CHAT_THREAD = "chat-thread"
    COMMENT = "comment"
    CONTINUATION = "continuation"
    CYCLE = "cycle"
    DISPATCH_RULE = "dispatch-rule"
    ERASURE = "erasure"
    ERRAND = "errand"
    EXECUTION_PLAN = "execution-plan"
    EXECUTION_STEP = "execution-step"
    EXPORT = "export"
    EXTERNAL_RESOURCE = "external-resource"
    GATED_RUN = "gated-run"
    GATEWAY = "gateway"
    GITHUB_ISSUE = "github-issue"
    GOAL = "goal"
    INITIATIVE = "initiative"
    ISSUE = "issue"
    KEY = "key"
    LABEL = "label"
    MEMBERSHIP = "membership"
    NOTE = "note"
    PINS = "pins"
    PIPELINE = "pipeline"
    PREFERENCE = "preference"
    PROJECT = "project"
    REPOSITORY = "repository"
    REVIEW_GATE = "review-gate"
    RUNTIME = "runtime"
    STATUS = "status"
    TASK = "task"
    TIME_ENTRY = "time-entry"
    TIMER = "timer"
    WAIT = "wait"
    WEBHOOK = "webhook"
    WEBHOOK_DELIVERY = "webhook-delivery"
    WORKFLOW = "workflow"
    WORKSPACE = "workspace"


class Wake(Part):
    """An agent to be told of an event, and the run that was opened or touched for it, if there was room."""

    agent_id: str
    run_id: str | None = None


LOG = Partition("WS#{workspace_id}#LOG")
LOG_OF_SUBJECT = Partition("WS#{workspace_id}#SUBJECT#{subject_type}#{subject_id}")
LOG_OF_ISSUE = Partition("WS#{workspace_id}#ABOUT#{about_issue}")
"""Whatever is about an issue, whichever subject it has."""
LOG_OF_ACTOR = Partition("WS#{workspace_id}#ACTOR#{doer_id}")
_ROW = "{created_at}#{id}"


class LogItem(Item):
    stored = At(LOG, _ROW)
    indexed = (
        In("subject", LOG_OF_SUBJECT, _ROW),
        In("updated", LOG_OF_ISSUE, _ROW),
        In("agent", LOG_OF_ACTOR, _ROW),
        DueAt("outbox_due"),
    )
    kept = KeptFor(KEPT, since="created_at")

    workspace_id: str
    id: str
    kind: EventKind | None = None
    """None for a change that is audited but announced to nobody."""
    subject_type: str
    subject_id: str
    action: str
    tool: str
    actor_user_id: str | None = None
    actor_agent_id: str | None = None
    key_id: str
    request_id: str
    payload: dict[str, Any] = {}
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None
    issue_id: str | None = None
    """The issue that it is about in the end: a narrowed key sees the row only if it may see that."""
    wakes: list[Wake] = []
    """The agents that must be told, each with the run that waits for it."""
    waits: list[str] = []
    """What waits for somebody, and began or was settled with this."""
    errand: str | None = None
    """The issue of which somebody has to be told elsewhere."""
    attempt: Attempt | None = None
    """What a call came to that changed nothing, or only passed another one on."""
    created_at: datetime
    outbox_due: datetime | None = None
    """Until the row was handed to the dispatch queue: when the sweep has to do it instead."""

    @property
    def doer_id(self) -> str | None:
        """Who did something to an issue, and told others of it."""
        is_told = self.kind and self.subject_type == ISSUE
        return (self.actor_agent_id or self.actor_user_id or None) if is_told else None

    @property
    def about_issue(self) -> str | None:
        return self.issue_id or (self.subject_id if self.subject_type == ISSUE else None)


def record(
    tx: Transaction,
    emission: Emission,
    told: Told,
    *,
    subject_id: str,
    action: str,
    before: Item | None = None,
    after: Item | None = None,
    issue_id: str | None = None,
    wakes: Sequence[Wake] = (),
    errand: str | None = None,
    event_id: str | None = None,
) -> LogItem:
    """Write the row of a mutation that is announced, in its own transaction."""
    if not isinstance(told, emission.told):
        raise TypeError(f"{emission} tells {emission.told.__name__}, not {type(told).__name__}")
    row = _row(tx, emission.subject, subject_id, action=action, before=before, after=after)
    announced = row.changed(
        id=event_id or row.id,
        kind=EventKind(emission.kind),
        payload=told.payload(),
        issue_id=issue_id,
        wakes=[*wakes],
        errand=errand,
        outbox_due=row.created_at + UNSENT_AFTER,
    )
    tx.create(announced)
    return announced


def record_change(
    tx: Transaction,
    subject_type: str,
    subject_id: str,
    *,
    action: str,
    before: Item | None = None,
    after: Item | None = None,
    issue_id: str | None = None,
    workspace_id: str | None = None,
) -> LogItem:
    """Write the row of a mutation that is audited, and announced to nobody."""
    row = _row(tx, subject_type, subject_id, action=action, before=before, after=after)
    audited = row.changed(issue_id=issue_id, workspace_id=workspace_id or row.workspace_id)
    tx.create(audited)
    return audited


def record_attempt(
    tx: Transaction, attempt: Attempt, subject_type: str, subject_id: str, *, issue_id: str | None
) -> None:
    """Write the row of a call that is no mutation, and audited all the same."""
    row = _row(tx, subject_type, subject_id, action=attempt.outcome, before=None, after=None)
    tx.create(row.changed(attempt=attempt, issue_id=issue_id))


def record_waits(tx: Transaction, subject_type: str, subject_id: str, waits: Sequence[str]) -> None:
    """Have somebody look at what waits, once this has happened; nobody else is told."""
    row = _row(tx, subject_type, subject_id, action="wait", before=None, after=None)
    tx.create(row.changed(waits=[*waits], outbox_due=row.created_at + UNSENT_AFTER))


def _row(
    tx: Transaction,
    subject_type: str,
    subject_id: str,
    *,
    action: str,
    before: Item | None,
    after: Item | None,
) -> LogItem:
    """Of two items, only what really changed is kept."""
    origin = tx.origin
    old, new = _differences(before, after)
    return LogItem(
        workspace_id=origin.caller.workspace_id,
        id=origin.new_id("evt"),
        # What nobody could ask the audit for is not written.
        subject_type=Entity(subject_type),
        subject_id=subject_id,
        action=action,
        tool=origin.tool,
        actor_user_id=origin.caller.user_id,
        actor_agent_id=origin.caller.agent_id,
        key_id=origin.caller.key_id,
        request_id=origin.request_id,
        before=old,
        after=new,
        created_at=origin.now,
    )


def _differences(before: Item | None, after: Item | None) -> tuple[Digest | None, Digest | None]:
    """Only the fields that differ, and of those only what may be kept."""
    old = before.model_dump(mode="json") if before else {}
    new = after.model_dump(mode="json") if after else {}
    changed = {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)} - _NEVER_LOGGED
    return (
        {name: old[name] for name in changed if name in old} or None,
        {name: new[name] for name in changed if name in new} or None,
    )
