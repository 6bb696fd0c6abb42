"""A run that goes through gates: looked at, perhaps planned and approved, then changed, then checked.

One item holds all gates of a run and what is being executed in it, so that looking at a gate and beginning
are one write, and gates of one run never open another.
"""

from datetime import datetime, timedelta
from enum import StrEnum

from forge.auth.actors import is_same
from forge.context import Caller
from forge.errors import Conflict, Forbidden
from forge.store.items import Item, Part
from forge.store.keys import At
from forge.store.places import KeptFor
from forge.work.plans.gateway.failures import ErrorType, Failed, refused

KEPT = timedelta(days=90)
LEASE = timedelta(seconds=40)
"""Longer than any call lasts: whoever has not reported by then does not any more."""


class Gate(StrEnum):
    ANALYSIS_DONE = "analysis-done"
    PLAN_APPROVED = "plan-approved"
    EXECUTION_DONE = "execution-done"
    AUDIT_PASSED = "audit-passed"


_OPENED_BY = {
    Gate.ANALYSIS_DONE: "Run an ANALYZE in this run first.",
    Gate.PLAN_APPROVED: "A person has to approve the plan, with gateway.approve or at its review gate.",
    Gate.EXECUTION_DONE: "Run the MODIFY of this run first.",
}
_AFTER = {Gate.PLAN_APPROVED: Gate.ANALYSIS_DONE, Gate.AUDIT_PASSED: Gate.EXECUTION_DONE}
"""The gate that has to be open before each of these can be approved."""


class OpenGate(Part):
    name: Gate
    created_at: datetime
    key_id: str
    user_id: str | None = None
    agent_id: str | None = None

    @property
    def created_by(self) -> str:
        return self.user_id or self.agent_id or self.key_id

    def is_of(self, caller: Caller) -> bool:
        return is_same(caller, self.key_id, user_id=self.user_id, agent_id=self.agent_id)


class Execution(Part):
    id: str
    action: str
    fingerprint: str
    """The same for a call that is made again with its idempotency key."""
    started_at: datetime
    is_lost: bool = False
    """Nothing was heard of its end, and somebody was told so."""


class Asked(Part):
    """The review gate at which people are asked to open the next gate."""

    gate_id: str
    name: Gate
    is_answered: bool = False
    """Whether somebody said no, or took the question back: it is not asked again before something happens."""


class GatedRunItem(Item):
    stored = At("WS#{workspace_id}#GATED#{workflow}", "RUN#{run_id}")
    kept = KeptFor(KEPT, since="updated_at")

    workspace_id: str
    workflow: str
    run_id: str
    planned: bool = False
    gates: list[OpenGate] = []
    execution: Execution | None = None
    asked: Asked | None = None
    rejection: str | None = None
    """Why its plan was rejected, until it is analysed anew."""
    updated_at: datetime

    def gate(self, name: Gate) -> OpenGate | None:
        return next((gate for gate in self.gates if gate.name is name), None)

    def missing(self) -> list[Gate]:
        """The gates that a change still waits for."""
        wanted = [Gate.ANALYSIS_DONE, *([Gate.PLAN_APPROVED] if self.planned else [])]
        return [name for name in wanted if self.gate(name) is None]

    def opened(self, name: Gate, caller: Caller, now: datetime) -> "GatedRunItem":
        opened = OpenGate(
            name=name,
            created_at=now,
            key_id=caller.key_id,
            user_id=caller.user_id,
            agent_id=caller.agent_id,
        )
        return self.changed(gates=[*(gate for gate in self.gates if gate.name is not name), opened])

    def closed(self, *names: Gate) -> "GatedRunItem":
        return self.changed(gates=[gate for gate in self.gates if gate.name not in names])


def analyzed(run: GatedRunItem, caller: Caller, now: datetime) -> GatedRunItem:
    """Looked at anew: what was approved and done was about what had been seen before."""
    outdated = (Gate.PLAN_APPROVED, Gate.EXECUTION_DONE, Gate.AUDIT_PASSED)
    anew = run.closed(*outdated).opened(Gate.ANALYSIS_DONE, caller, now)
    return _asked_anew(anew).changed(rejection=None, updated_at=now)


def begun(run: GatedRunItem, execution: Execution, now: datetime) -> GatedRunItem:
    """With a change under way, if its gates are open and nothing else is.

    Who comes again with the same call after nobody reported goes on with it: whether it happened is known by
    its idempotency key.
    """
    if missing := run.missing():
        raise _gate_missing(run, missing)
    other = run.execution
    if other is not None and not other.is_lost and other.fingerprint != execution.fingerprint:
        if now < other.started_at + LEASE:
            raise _busy(other)
        raise _unknown_end(other)
    if other is not None and other.fingerprint == execution.fingerprint and now < other.started_at + LEASE:
        raise _busy(other)
    return run.changed(execution=execution, updated_at=now)


def is_unheard_of(run: GatedRunItem, now: datetime) -> bool:
    """Whether something was begun and never reported, and nobody was told of it yet."""
    execution = run.execution
    return execution is not None and not execution.is_lost and now >= execution.started_at + LEASE


def told_of_loss(run: GatedRunItem) -> GatedRunItem:
    execution = run.execution
    return run.changed(execution=execution.model_copy(update={"is_lost": True}) if execution else None)


def ended(
    run: GatedRunItem, execution_id: str, caller: Caller, *, is_done: bool, now: datetime
) -> GatedRunItem:
    """With what was under way reported; a failure leaves every gate as it was."""
    if run.execution is None or run.execution.id != execution_id:
        # Somebody reset the run, or was told that nothing is known of it: its end opens nothing any more.
        return run
    over = run.changed(execution=None, updated_at=now)
    return _asked_anew(over.opened(Gate.EXECUTION_DONE, caller, now)) if is_done else over


def approved(run: GatedRunItem, gate: Gate, caller: Caller, now: datetime) -> GatedRunItem:
    """Approved by somebody who did not look at it for this very run; with the last gate it is over."""
    needed = _AFTER[gate]
    if run.gate(needed) is None:
        raise Conflict(f"{gate} comes after {needed}, which is missing in this run.", hint=_OPENED_BY[needed])
    analysis = run.gate(Gate.ANALYSIS_DONE)
    if analysis is not None and analysis.is_of(caller):
        raise Forbidden(
            "Who analysed a run does not approve it as well.",
            hint="Ask another person to call gateway.approve.",
        )
    opened = run.opened(gate, caller, now).changed(updated_at=now)
    if gate is not Gate.AUDIT_PASSED:
        return opened
    return opened.closed(Gate.ANALYSIS_DONE, Gate.PLAN_APPROVED, Gate.EXECUTION_DONE)


def awaited(run: GatedRunItem) -> Gate | None:
    """The gate that somebody has to open for a planned run to go on, or to end."""
    if not run.planned or run.gate(Gate.ANALYSIS_DONE) is None:
        return None
    if run.gate(Gate.PLAN_APPROVED) is None:
        return Gate.PLAN_APPROVED
    return Gate.AUDIT_PASSED if run.gate(Gate.EXECUTION_DONE) else None


def rejected(run: GatedRunItem, gate: Gate, reason: str | None) -> GatedRunItem:
    """A plan that was rejected is analysed anew; a change that did not pass is made again."""
    if gate is Gate.AUDIT_PASSED:
        return answered(run)
    return answered(run).closed(Gate.ANALYSIS_DONE).changed(rejection=reason or "No reason was given.")


def answered(run: GatedRunItem) -> GatedRunItem:
    """Nobody is asked any more about what was asked."""
    asked = run.asked
    return run.changed(asked=asked.model_copy(update={"is_answered": True}) if asked else None)


def forgotten(run: GatedRunItem) -> GatedRunItem:
    return run.changed(gates=[], execution=None, planned=False, rejection=None)


def _asked_anew(run: GatedRunItem) -> GatedRunItem:
    """Whoever answered before is asked about what happened since."""
    return run.changed(asked=None) if run.asked and run.asked.is_answered else run


def _gate_missing(run: GatedRunItem, missing: list[Gate]) -> Failed:
    why = f" Its plan was rejected: {run.rejection}" if run.rejection else ""
    return refused(
        ErrorType.VALIDATION,
        f"The run {run.run_id!r} of {run.workflow!r} is not ready for a change: "
        f"{', '.join(missing)} is missing.{why}",
        suggestion=_OPENED_BY[missing[0]],
        code="GATE_MISSING",
        details={"missing": [*missing]},
    )


def _busy(other: Execution) -> Failed:
    return refused(
        ErrorType.MCP_ERROR,
        f"{other.action} is being executed in this run; one change at a time.",
        suggestion="Wait for its end and call again.",
        code="RUN_BUSY",
        details={"executionId": other.id, "startedAt": other.started_at.isoformat()},
        is_worth_retrying=True,
    )


def _unknown_end(other: Execution) -> Failed:
    return refused(
        ErrorType.MCP_ERROR,
        f"{other.action} was begun in this run, and nobody reported its end; it may have happened.",
        suggestion="Look whether it happened. Repeat that call with its idempotency key to learn it, or call "
        "again to go on in spite of it.",
        code="EXECUTION_UNKNOWN",
        details={"executionId": other.id, "startedAt": other.started_at.isoformat()},
    )
