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
from forge.work.backlog.trackers.trackers import Tracked
from forge.work.backlog.workflows.phases import Transition, WorkPhase
from forge.work.backlog.workflows.workflows import LEASE, LockItem, WorkflowItem, WorkflowOutcome, lease_name
from forge.work.issues.issues import IssueLock
from forge.work.record.log import events
from forge.work.workspace.workspaces import WorkspaceItem

BY_EXPIRY = "lease_expired"
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
        return self.is_held and not self.lease.is_free(now)

    @property
    def lock(self) -> IssueLock | None:
        """What the issue says of it."""
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
    """Begin anew under a lease that nobody has any more; what was left undone is kept as abandoned."""
    lease = leases.seize(tx, hold.lease, duration=hold.lasts)
    now, caller = tx.origin.now, tx.origin.caller
    begun = WorkflowItem(
        workspace_id=caller.workspace_id,
        repository_id=repository.id,
        repository=repository.full_name,
        number=issue.number,
        issue_id=issue.id,
        title=issue.title,
        history=[
            Transition(from_phase=WorkPhase.SELECTION, to_phase=WorkPhase.SELECTION, at=now, triggered_by=by)
        ],
        key_id=caller.key_id,
        session_id=session_of(caller),
        fence=lease.fence,
        started_at=now,
        lease_expires_at=now + hold.lasts,
    )
    former = hold.workflow
    if former is None:
        tx.create(begun, refusal=overtaken)
    else:
        tx.overwrite(former.over(WorkflowOutcome.ABANDONED, at=now, by=BY_EXPIRY))
        tx.replace(begun.changed(version=former.version))
    _move_lock(tx, former, begun)
    _log(tx, begun, action="lock", before=None)
    return LockHold(lease, begun, hold.lasts)


def go_on(tx: Transaction, hold: LockHold, after: WorkflowItem, *, action: str) -> LockHold:
    """The holder did something: the lease is renewed, and the workflow is as it became."""
    lease = leases.acquire(tx, hold.lease, duration=hold.lasts)
    kept = after.changed(lease_expires_at=tx.origin.now + hold.lasts)
    tx.replace(kept)
    _log(tx, kept, action=action, before=hold.workflow)
    return LockHold(lease, kept, hold.lasts)


def seize(
    tx: Transaction, hold: LockHold, repository: RepositoryItem, issue: Tracked, *, by: str
) -> LockHold:
    """Take it whoever has it, and go on where they were; the fence keeps them from changing anything more."""
    former = hold.workflow
    if former is None:
        return take(tx, hold, repository, issue, by=by)
    caller, now = tx.origin.caller, tx.origin.now
    lease = leases.seize(tx, hold.lease, duration=hold.lasts)
    handed = former.handed_to(
        key_id=caller.key_id,
        session_id=session_of(caller),
        from_session=former.session_id if hold.is_held else None,
        at=now,
    ).changed(fence=lease.fence, lease_expires_at=now + hold.lasts)
    tx.replace(handed)
    _move_lock(tx, former, handed)
    _log(tx, handed, action="force-claim", before=former)
    return LockHold(lease, handed, hold.lasts)


def is_lost_by(caller: Caller, hold: LockHold, former: WorkflowItem) -> bool:
    """Whether work ended because its holder came too late, and nobody has held the issue since."""
    is_their_own = (former.key_id, former.session_id) == (caller.key_id, session_of(caller))
    is_expired = bool(former.history) and former.history[-1].triggered_by == BY_EXPIRY
    return is_their_own and is_expired and not hold.is_held and former.fence == hold.lease.fence


def resume(tx: Transaction, hold: LockHold, former: WorkflowItem) -> LockHold:
    """Go on with work that was lost, as if it had never ended; under the lease, nobody else begins."""
    lease = leases.seize(tx, hold.lease, duration=hold.lasts)
    again = former.begun_again().changed(fence=lease.fence, lease_expires_at=tx.origin.now + hold.lasts)
    tx.delete(former)
    tx.create(again, refusal=overtaken)
    _move_lock(tx, None, again)
    _log(tx, again, action="resume", before=former)
    return LockHold(lease, again, hold.lasts)


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


def _move_lock(tx: Transaction, former: WorkflowItem | None, now: WorkflowItem) -> None:
    if former and _lock_of(former).key != _lock_of(now).key:
        tx.forget(_lock_of(former))
    tx.overwrite(_lock_of(now))


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
