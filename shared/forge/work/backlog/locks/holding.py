"""Holding an issue: its lease and its workflow change together, and only as their holder saw them.

The lease decides. Every change under it replaces it in the same transaction, as it was read: whoever lost it
meanwhile, however late their clock is, finds that out there.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid5

from forge.context import Caller, Context
from forge.store import leases
from forge.store.leases import LeaseItem
from forge.store.transactions import Transaction, overtaken
from forge.work.backlog.repositories import RepositoryItem
from forge.work.backlog.trackers.trackers import StatusMark, Tracked
from forge.work.backlog.workflows.phases import Transition, WorkPhase
from forge.work.backlog.workflows.workflows import LEASE, LockItem, WorkflowItem, WorkflowOutcome, lease_name
from forge.work.issues.issues import IssueLock
from forge.work.record.log import events
from forge.work.workspace.workspaces import WorkspaceItem

_SESSIONS = UUID("6f2c5f0e-4c1b-5a52-9f3e-0d7a52b0c1aa")


def session_of(caller: Caller) -> str:
    """The caller's session as others see it, always in the form of a UUID. It grants nothing."""
    return shown_session(caller.session_id)


def shown_session(session_id: str) -> str:
    try:
        return str(UUID(session_id))
    except ValueError:
        return str(uuid5(_SESSIONS, session_id))


@dataclass(frozen=True, slots=True)
class LockHold:
    """The lease on an issue and the work under it, as they were read."""

    lease: LeaseItem
    workflow: WorkflowItem | None
    lasts: timedelta = LEASE
    """How long the lease is good for, from when it is taken or renewed."""

    def is_by(self, caller: Caller) -> bool:
        return self.workflow is not None and self.lease.is_held_by(caller.key_id, caller.session_id)

    @property
    def is_held(self) -> bool:
        return self.lease.key_id is not None

    def is_live(self, now: datetime) -> bool:
        """Whether nobody else may take it; what was let go is free, however late the clock here is."""
        is_freed = self.workflow is not None and self.workflow.freed_at is not None
        return self.is_held and not is_freed and not self.lease.is_free(now)

    @property
    def lock(self) -> IssueLock | None:
        """The lock as the issue shows it; None when nobody holds it."""
        if self.lease.session_id is None or self.lease.lease_expires_at is None:
            return None
        return IssueLock(
            session_id=shown_session(self.lease.session_id),
            until=self.lease.lease_expires_at,
            fence=self.lease.fence,
        )


def read(ctx: Context, repository_id: str, number: int) -> LockHold:
    """Both, and how long leases last here, in one request."""
    workspace_id = ctx.caller.workspace_id
    name = lease_name(repository_id, number)
    lease_key = LeaseItem.at(workspace_id, name)
    workflow_key = WorkflowItem.at(workspace_id, repository_id, number)
    settings_key = WorkspaceItem.at(workspace_id)
    known = ctx.table.read([lease_key, workflow_key, settings_key])
    lease = known.find(LeaseItem, lease_key)
    return LockHold(
        lease or LeaseItem(workspace_id=workspace_id, name=name, version=0),
        known.find(WorkflowItem, workflow_key),
        timedelta(seconds=known.get(WorkspaceItem, settings_key).backlog_lease_seconds),
    )


def take(tx: Transaction, hold: LockHold, repository: RepositoryItem, issue: Tracked, *, by: str) -> LockHold:
    """Take the lock from whoever has it and go on with their workflow; their fence is refused from now on."""
    lease = leases.seize(tx, hold.lease, duration=hold.lasts)
    now, caller = tx.origin.now, tx.origin.caller
    former, session_id = hold.workflow, session_of(caller)
    work = former.handed_to(session_id, at=now) if former else _begun(tx, repository, issue, by=by)
    taken = work.changed(key_id=caller.key_id, fence=lease.fence, lease_expires_at=now + hold.lasts)
    if taken.version:
        tx.replace(taken)
    else:
        taken = taken.changed(version=1)
        tx.create(taken, refusal=overtaken)
    if former and _lock_of(former).key != _lock_of(taken).key:
        tx.forget(_lock_of(former))
    tx.overwrite(_lock_of(taken))
    action = "force-claim" if hold.is_live(now) else "resume" if former else "lock"
    _log(tx, taken, action=action, before=former)
    return LockHold(lease, taken, hold.lasts)


def go_on(tx: Transaction, hold: LockHold, after: WorkflowItem, *, action: str) -> LockHold:
    """The holder did something: the lease is renewed, and the workflow is as it became."""
    lease = leases.acquire(tx, hold.lease, duration=hold.lasts)
    kept = after.changed(lease_expires_at=tx.origin.now + hold.lasts, freed_at=None)
    tx.replace(kept)
    if after.freed_at:
        tx.overwrite(_lock_of(kept))
    _log(tx, kept, action=action, before=hold.workflow)
    return LockHold(lease, kept, hold.lasts)


def let_go(tx: Transaction, hold: LockHold, workflow: WorkflowItem) -> None:
    """Nobody keeps the lock up any more. Who had it stays known, and the work as it is, for who goes on."""
    tx.replace(hold.lease)
    freed = workflow.changed(freed_at=tx.origin.now)
    tx.replace(freed)
    tx.forget(_lock_of(workflow))
    _log(tx, freed, action="let-go", before=workflow)


def mark_of(hold: LockHold, kept: LockHold, now: datetime) -> StatusMark:
    """How the issue stands once its holder has gone on; one whose lock had run out gets its status back."""
    before, after = hold.workflow, kept.workflow
    is_new = not hold.is_live(now) or (before and before.status) != (after and after.status)
    status = after.status if after and is_new else None
    return StatusMark(lock=kept.lock, turn=hold.lease.version, status=status)


def end(tx: Transaction, hold: LockHold, outcome: WorkflowOutcome, *, by: str) -> None:
    """Nobody holds it any more; the lease keeps its fence, and the workflow is kept elsewhere."""
    leases.vacate(tx, hold.lease)
    if hold.workflow is None:
        return
    over = hold.workflow.over(outcome, at=tx.origin.now, by=by)
    tx.overwrite(over)
    tx.delete(hold.workflow)
    tx.forget(_lock_of(hold.workflow))
    _log(tx, over, action="unlock", before=hold.workflow)


def _begun(tx: Transaction, repository: RepositoryItem, issue: Tracked, *, by: str) -> WorkflowItem:
    """Work at its very beginning, not stored yet; its lease is not known here."""
    now, caller = tx.origin.now, tx.origin.caller
    first = Transition(from_phase=WorkPhase.SELECTION, to_phase=WorkPhase.SELECTION, at=now, triggered_by=by)
    return WorkflowItem(
        workspace_id=caller.workspace_id,
        repository_id=repository.id,
        repository=repository.full_name,
        number=issue.number,
        issue_id=issue.id,
        title=issue.title,
        history=[first],
        key_id=caller.key_id,
        session_id=session_of(caller),
        fence=0,
        started_at=now,
        lease_expires_at=now,
        version=0,
    )


def _lock_of(workflow: WorkflowItem) -> LockItem:
    return LockItem(
        workspace_id=workflow.workspace_id,
        key_id=workflow.key_id,
        session_id=workflow.session_id,
        repository_id=workflow.repository_id,
        number=workflow.number,
    )


def _log(tx: Transaction, workflow: WorkflowItem, *, action: str, before: WorkflowItem | None) -> None:
    subject = f"{workflow.repository}#{workflow.number}"
    events.record_change(
        tx, "workflow", subject, action=action, before=before, after=workflow, issue_id=workflow.issue_id
    )
