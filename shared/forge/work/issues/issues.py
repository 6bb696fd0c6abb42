"""The issue aggregate: its head, its long texts, and what follows from a changed head."""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel

from forge.contract.terms import EngagementMode
from forge.store import keys
from forge.store.counters import add_to_count
from forge.store.items import Item
from forge.store.keys import IndexKey, Key
from forge.store.physical import INDEX_BY_NAME
from forge.store.transactions import Refusal, Transaction, VersionMoved
from forge.work.issues import issue_keys
from forge.work.issues.queueing import QueueItem
from forge.work.people import people_keys
from forge.work.texts import KeptText
from forge.work.workspaces import workspace_keys
from forge.work.workspaces.statuses import StatusCategory

MAX_LABELS = 20
MAX_BLOCKED = 20
MAX_LIVE_RUNS = 8
"""All of them end in the transaction that closes the issue, which holds only so much."""

CLOSED = frozenset({StatusCategory.DONE, StatusCategory.CANCELED})


class Priority(StrEnum):
    NONE = "NONE"
    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"
    URGENT = "URGENT"

    @property
    def rank(self) -> int:
        return _RANKS[self]


_RANKS = {priority: rank for rank, priority in enumerate(Priority)}


class IssueKind(StrEnum):
    EPIC = "EPIC"
    ISSUE = "ISSUE"
    TASK = "TASK"


class LiveRun(BaseModel):
    """A run that is neither finished nor stalled, as the issue knows it: enough to decide what is allowed."""

    run_id: str
    agent_id: str
    mode: EngagementMode
    started_at: datetime
    step_id: str | None = None


class ChecklistItem(BaseModel):
    id: str | None = None
    label: str
    kind: str | None = None
    value: str | None = None
    done: bool = False


class IssueItem(Item):
    """The head: small, because every list reads it, and the only indexed item of an issue."""

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
    due_date: datetime | None = None
    estimate: float | None = None
    sla_minutes: int | None = None
    label_ids: frozenset[str] = frozenset()
    assignee_ids: frozenset[str] = frozenset()
    queued: bool = False
    claimed_at: datetime | None = None
    claimed_by_id: str | None = None
    claimed_by_agent_id: str | None = None
    claim_expires_at: datetime | None = None
    assigned_agent_id: str | None = None
    assignment_mode: EngagementMode | None = None
    """What the agent was last assigned for."""
    live_runs: list[LiveRun] = []
    current_run_id: str | None = None
    """The latest run that was neither completed nor abandoned; one that stalled stays it."""
    blocks: list[str] = []
    open_blockers: int = 0
    artifact_required: bool = False
    created_at: datetime
    updated_at: datetime
    started_at: datetime | None = None
    completed_at: datetime | None = None
    canceled_at: datetime | None = None
    deleted_at: datetime | None = None

    @property
    def key(self) -> Key:
        return issue_keys.head(self.workspace_id, self.id)

    @property
    def index_keys(self) -> tuple[IndexKey, ...]:
        if self.deleted_at is not None:
            return ()
        workspace_id, is_done = self.workspace_id, self.category is StatusCategory.DONE
        urgency = issue_keys.by_urgency(self.priority.rank, self.created_at, self.id)
        places = [
            IndexKey("board", issue_keys.board(workspace_id, is_done=is_done), urgency),
            keys.by_update(workspace_id, "ISSUE", moment=self.updated_at, thing_id=self.id),
        ]
        if self.project_id:
            project = issue_keys.issues_of_project(workspace_id, self.project_id, is_done=is_done)
            places.append(IndexKey("project", project, urgency))
        if self.assigned_agent_id:
            agent = issue_keys.issues_of_agent(workspace_id, self.assigned_agent_id, is_done=is_done)
            places.append(IndexKey("agent", agent, urgency))
        if self.cycle_id:
            places.append(
                IndexKey("subject", issue_keys.issues_of_cycle(workspace_id, self.cycle_id), urgency)
            )
        return tuple(places)

    @property
    def is_open(self) -> bool:
        return self.category not in CLOSED and self.deleted_at is None

    @property
    def claimant_id(self) -> str | None:
        return self.claimed_by_id or self.claimed_by_agent_id

    def live_runs_of(self, agent_id: str | None) -> list[LiveRun]:
        return [run for run in self.live_runs if run.agent_id == agent_id]

    def live_run_of(self, agent_id: str | None) -> LiveRun | None:
        """The agent's own run for the issue itself, not for a step of a plan."""
        return next((run for run in self.live_runs_of(agent_id) if run.step_id is None), None)

    def is_claimed(self, now: datetime) -> bool:
        """Whether somebody holds it; a claim that has expired is free to take."""
        return self.claimant_id is not None and (self.claim_expires_at is None or self.claim_expires_at > now)


class BodyItem(Item):
    """What is long: apart from the head, so that no list reads it."""

    workspace_id: str
    issue_id: str
    description: KeptText | None = None
    expected_output: KeptText | None = None
    verification_checklist: list[ChecklistItem] = []

    @property
    def key(self) -> Key:
        return issue_keys.body(self.workspace_id, self.issue_id)


class ReferenceItem(Item):
    """Finds a thing that is named without its parent: an issue by its number, a comment by its id."""

    workspace_id: str
    name: str
    issue_id: str
    sort: str = ""
    """Where in the issue's partition the thing is; nothing for the issue itself."""

    @property
    def key(self) -> Key:
        return keys.reference(self.workspace_id, self.name)


def add(tx: Transaction, issue: IssueItem, body: BodyItem) -> None:
    tx.create(issue)
    tx.create(body)
    number = str(issue.number)
    tx.create(ReferenceItem(workspace_id=issue.workspace_id, name=number, issue_id=issue.id))
    _move_counts(tx, None, issue)
    _move_queue_row(tx, None, issue)
    _move_load(tx, None, issue)


def save(tx: Transaction, before: IssueItem, after: IssueItem, *, lost: Refusal | None = None) -> None:
    """Store a changed head, and with it whatever follows from the change: counts, queue, the agent's load."""
    tx.replace(after, refusal=lost)
    _move_counts(tx, before, after)
    _move_queue_row(tx, before, after)
    _move_load(tx, before, after)


def touch(tx: Transaction, issue: IssueItem) -> None:
    """Say that something happened to an issue, without minding who else changes it at the same time."""
    moved = issue.changed(updated_at=tx.origin.now)
    place = next(place for place in moved.index_keys if place.index_name == "updated")
    sort = INDEX_BY_NAME["updated"].sort
    tx.adjust(issue.key, assign={"updated_at": moved.updated_at, sort: place.sort})


def settle_blocked(
    tx: Transaction, before: IssueItem, after: IssueItem, blocked: Iterable[IssueItem]
) -> None:
    """An issue that closes frees what it blocks; one that is opened again blocks it again."""
    delta = int(after.is_open) - int(before.is_open)
    if delta == 0:
        return
    for other in blocked:
        save(tx, other, other.changed(open_blockers=max(0, other.open_blockers + delta)))


def count_labels(tx: Transaction, workspace_id: str, *, added: Iterable[str], removed: Iterable[str]) -> None:
    """A count that is gone is a label that was deleted meanwhile: then the handler runs again."""
    for delta, label_ids in ((1, added), (-1, removed)):
        for label_id in sorted(label_ids):
            tx.adjust(workspace_keys.label_count(workspace_id, label_id), add={"issue_count": delta})


def _move_counts(tx: Transaction, before: IssueItem | None, after: IssueItem) -> None:
    for issue, delta in ((before, -1), (after, 1)):
        if issue is None or issue.deleted_at is not None:
            continue
        for name in ("issues", f"issues#{issue.project_id}" if issue.project_id else None):
            if name and (before is None or _counted_as(before) != _counted_as(after)):
                add_to_count(tx, name, dimension=f"S#{issue.status_id}", delta=delta)
        if issue.completed_at and (before is None or before.completed_at != after.completed_at):
            add_to_count(tx, "issues", dimension=f"D#{issue.completed_at.date()}", delta=delta)


def _counted_as(issue: IssueItem) -> tuple[str, str | None, bool]:
    return issue.status_id, issue.project_id, issue.deleted_at is None


def queue_row(issue: IssueItem) -> QueueItem | None:
    """Its place among what can be claimed: none while it is not queued, not open, or blocked."""
    if not issue.queued or not issue.is_open or issue.open_blockers:
        return None
    return QueueItem(
        workspace_id=issue.workspace_id,
        issue_id=issue.id,
        rank=issue.priority.rank,
        created_at=issue.created_at,
        held_until=issue.claim_expires_at if issue.claimant_id else None,
        project_id=issue.project_id,
        label_ids=issue.label_ids,
        assigned_agent_id=issue.assigned_agent_id,
    )


def _move_queue_row(tx: Transaction, before: IssueItem | None, after: IssueItem) -> None:
    old, new = queue_row(before) if before else None, queue_row(after)
    if old == new:
        return
    if old and new and old.key == new.key:
        # Under the head's version nobody else writes the row; its own never moves.
        tx.rewrite(new)
        return
    if old:
        tx.delete(old)
    if new:
        # It is there only if the issue changed meanwhile, and then everything is decided again.
        tx.create(new, refusal=lambda _: VersionMoved())


def _move_load(tx: Transaction, before: IssueItem | None, after: IssueItem) -> None:
    old, new = _works_on(before) if before else None, _works_on(after)
    if old == new:
        return
    for agent_id, delta in ((old, -1), (new, 1)):
        if agent_id:
            tx.tally(people_keys.agent_load(after.workspace_id, agent_id), "open", delta)


def _works_on(issue: IssueItem) -> str | None:
    """The agent whose place the issue takes up."""
    return issue.assigned_agent_id if issue.is_open else None
