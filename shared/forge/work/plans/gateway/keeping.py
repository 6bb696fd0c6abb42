"""Gated runs in the table: read as they are, and written with the review gate at which people are asked."""

from typing import NamedTuple

from forge.context import Context
from forge.store.transactions import Transaction, overtaken
from forge.work.plans.gateway import gated_runs
from forge.work.plans.gateway.gated_runs import Asked, Gate, GatedRunItem
from forge.work.plans.goals import gates
from forge.work.plans.goals.gates import GateItem, GateStatus
from forge.work.record.log import events

SUBJECT = "gated-run"
TARGET = "gateway-run"
"""What a review gate of the gateway is for."""
_NOT_NEEDED = "The run went on, or began anew, before anybody answered."
_PROMPTS = {
    Gate.PLAN_APPROVED: "Run {run!r} of {workflow!r} waits for its plan to be approved.\n\n"
    "Approve to let its changes happen; reject to have it analysed anew.",
    Gate.AUDIT_PASSED: "The change in run {run!r} of {workflow!r} is done.\n\n"
    "Approve if it passes its audit, which ends the run; reject to have it changed again.",
}


class NamedGate(NamedTuple):
    workflow: str
    run_id: str


def find(ctx: Context, named: NamedGate) -> GatedRunItem:
    """The run, or one that nothing has happened in yet."""
    found = ctx.table.find(GatedRunItem, GatedRunItem.at(ctx.caller.workspace_id, *named))
    return found or GatedRunItem(
        workspace_id=ctx.caller.workspace_id,
        workflow=named.workflow,
        run_id=named.run_id,
        updated_at=ctx.now(),
        version=0,
    )


def find_outdated(ctx: Context, after: GatedRunItem) -> GateItem | None:
    """The review gate that asks for what a changed run no longer waits for; one request if there is one."""
    asked = after.asked
    if asked is None or asked.is_answered or asked.name is gated_runs.awaited(after):
        return None
    return ctx.table.find(GateItem, GateItem.at(ctx.caller.workspace_id, asked.gate_id))


def save(
    ctx: Context, tx: Transaction, after: GatedRunItem, *, outdated: GateItem | None, action: str
) -> None:
    """Store a run that changed; people are asked for what it waits for now, and for nothing else."""
    if outdated is not None and after.asked is not None:
        _settle(tx, outdated, is_open=after.gate(after.asked.name) is not None)
    after = after.changed(asked=_asked(ctx, tx, after))
    if after.version:
        tx.replace(after)
    else:
        tx.create(after.changed(version=1), refusal=overtaken)
    events.record_change(tx, SUBJECT, f"{after.workflow}/{after.run_id}", action=action, after=after)


def _asked(ctx: Context, tx: Transaction, run: GatedRunItem) -> Asked | None:
    awaited, asked = gated_runs.awaited(run), run.asked
    if asked is not None and asked.name is awaited:
        return asked
    return _ask(ctx, tx, run, awaited) if awaited else None


def _ask(ctx: Context, tx: Transaction, run: GatedRunItem, name: Gate) -> Asked:
    prompt = _PROMPTS[name].format(run=run.run_id, workflow=run.workflow)
    place = f"{run.workflow}/{run.run_id}"
    gate = gates.new_gate(ctx, TARGET, place, prompt, workflow=run.workflow, run_id=run.run_id)
    gates.open_gate(tx, gate)
    return Asked(gate_id=gate.id, name=name)


def _settle(tx: Transaction, gate: GateItem, *, is_open: bool) -> None:
    """Somebody opened the run's gate itself, or there is nothing to decide any more."""
    if gate.status is not GateStatus.PENDING:
        return
    if is_open:
        gates.resolve_gate(tx, gate, GateStatus.APPROVED, None)
    else:
        gates.close_gate(tx, gate, reason=_NOT_NEEDED)
