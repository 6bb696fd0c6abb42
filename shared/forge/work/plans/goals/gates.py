"""Review gates: where a plan or a step waits for somebody to decide whether it goes on."""

from datetime import datetime
from enum import StrEnum

from forge.context import Context
from forge.store.items import Item
from forge.store.keys import At, Partition
from forge.store.places import In
from forge.store.transactions import Transaction
from forge.work.plans.announcements import GATE_CHANGED, GateChanged
from forge.work.record.log.events import record


class GateStatus(StrEnum):
    PENDING = "PENDING"
    APPROVED = "APPROVED"
    REJECTED = "REJECTED"
    CANCELED = "CANCELED"


GATES_LISTED = Partition("WS#{workspace_id}#UPDATED#GATE")


class GateItem(Item):
    stored = At("WS#{workspace_id}#GATE#{id}", "META")
    indexed = (In("updated", GATES_LISTED, "{created_at}#{id}"),)

    workspace_id: str
    id: str
    target_type: str
    target_id: str
    status: GateStatus = GateStatus.PENDING
    required_role: str | None = None
    prompt: str
    resolution: str | None = None
    crew_id: str | None = None
    issue_id: str | None = None
    """What it is for, or of the plan that it stops: a narrowed key sees the gate only if it may see that."""
    goal_id: str | None = None
    plan_id: str | None = None
    workflow: str | None = None
    run_id: str | None = None
    """The run of the gateway that waits."""
    requested_by_id: str | None = None
    requested_by_agent_id: str | None = None
    resolved_by_id: str | None = None
    resolved_by_agent_id: str | None = None
    created_at: datetime
    resolved_at: datetime | None = None


def new_gate(ctx: Context, target_type: str, target_id: str, prompt: str, **fields: str | None) -> GateItem:
    """A pending review gate that the caller asks for; it is not stored yet."""
    caller = ctx.caller
    gate = GateItem(
        workspace_id=caller.workspace_id,
        id=ctx.new_id("gate"),
        target_type=target_type,
        target_id=target_id,
        prompt=prompt,
        requested_by_id=None if caller.agent_id else caller.user_id,
        requested_by_agent_id=caller.agent_id,
        created_at=ctx.now(),
    )
    return gate.changed(**fields)


def open_gate(tx: Transaction, gate: GateItem) -> None:
    tx.create(gate)
    _announce(tx, None, gate, action="opened")


def close_gate(tx: Transaction, gate: GateItem, *, reason: str) -> None:
    """Cancel a review gate whose matter was decided elsewhere."""
    closed = gate.changed(status=GateStatus.CANCELED, resolution=reason, resolved_at=tx.origin.now)
    tx.replace(closed)
    _announce(tx, gate, closed, action="closed")


def resolve_gate(tx: Transaction, gate: GateItem, decision: GateStatus, resolution: str | None) -> None:
    """Store what somebody decided at a review gate."""
    caller = tx.origin.caller
    resolved = gate.changed(
        status=decision,
        resolution=resolution,
        resolved_by_id=None if caller.agent_id else caller.user_id,
        resolved_by_agent_id=caller.agent_id,
        resolved_at=tx.origin.now,
    )
    tx.replace(resolved)
    _announce(tx, gate, resolved, action="resolved", decision=decision)


def _announce(
    tx: Transaction, before: GateItem | None, after: GateItem, *, action: str, **said: GateStatus
) -> None:
    told = GateChanged(
        action=action,
        gate_target_type=after.target_type,
        gate_target_id=after.target_id,
        status=after.status,
        **said,
    )
    record(
        tx,
        GATE_CHANGED,
        told,
        subject_id=after.id,
        action=action,
        before=before,
        after=after,
        issue_id=after.issue_id,
    )
