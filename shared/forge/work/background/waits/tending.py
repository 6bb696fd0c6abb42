"""Whoever tends waits: starts the execution that counts the time, does what a stage asks for, and ends it.

DynamoDB decides. Each message is only a reason to look; one that comes twice, late or out of order finds
nothing left to do.
"""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from forge.context import Context
from forge.errors import Unavailable
from forge.jsontext import BadJson, decode
from forge.store.transactions import Transaction, decided_again
from forge.work.plans.approvals.awaited import PlanApproval, StepJudging
from forge.work.plans.waits.waits import Stage, WaitItem, WaitKind
from forge.work.workspace.jobs import Unreadable
from forge.work.workspace.workers import Worker
from forge.work.workspace.workspaces import WorkspaceItem

_MOST_TRIES = 5


class HeardStage(NamedTuple):
    """What an execution says: which stage it is in, and the token by which it can be told to end."""

    stage: Stage
    token: str | None


class WaitMessage(BaseModel):
    """A message to look at a wait; from Step Functions it also says which stage was reached."""

    # What a newer build adds is none of our business.
    model_config = ConfigDict(alias_generator=to_camel, extra="ignore", frozen=True)

    workspace_id: str
    wait_id: str
    stage: Stage | None = None
    task_token: str | None = None

    @property
    def heard(self) -> HeardStage | None:
        return HeardStage(self.stage, self.task_token) if self.stage else None


class Matter(Protocol):
    """What can be waited for."""

    def outcome(self, ctx: Context, wait: WaitItem) -> str | None:
        """What the matter of a wait came to; None while somebody still has to decide."""

    def reach(self, ctx: Context, tx: Transaction, wait: WaitItem, stage: Stage) -> None:
        """Do what is due in a stage, in the transaction in which it is reached."""


Matters = Mapping[WaitKind, Matter]
MATTERS: Matters = {WaitKind.PLAN_APPROVAL: PlanApproval(), WaitKind.STEP_JUDGING: StepJudging()}


def consume(worker: Worker, text: str, matters: Matters = MATTERS) -> WaitItem | None:
    """Do what follows from a message; the wait as it is then, None where there is none any more."""
    try:
        message = WaitMessage.model_validate(decode(text))
    except (BadJson, ValidationError) as reason:
        raise Unreadable("not a message about something that waits") from reason
    key = WaitItem.at(message.workspace_id, message.wait_id)

    def tended() -> WaitItem | None:
        settings = WorkspaceItem.at(message.workspace_id)
        known = worker.store.table.read([key, settings])
        wait, workspace = known.find(WaitItem, key), known.find(WorkspaceItem, settings)
        is_ending = workspace is not None and workspace.deletes_at is not None
        return _tend(worker, matters, wait, message.heard) if wait and not is_ending else None

    spent = Unavailable("Too many look at this wait at once.", hint="It is looked at again.")
    return decided_again(tended, tries=_MOST_TRIES, spent=spent)


def _tend(worker: Worker, matters: Matters, wait: WaitItem, heard: HeardStage | None) -> WaitItem:
    ctx = worker.context(wait.workspace_id)
    matter = matters[wait.kind]
    outcome = wait.outcome or matter.outcome(ctx, wait)
    if outcome is not None:
        return _end(ctx, wait, heard, outcome)
    now = _in_its_stage(matter, ctx, wait, heard)
    was_missed = now.stage is not wait.stage and (heard is None or heard.stage is not now.stage)
    return _executed(ctx, now, is_lost=was_missed) if now.outcome is None else now


def _end(ctx: Context, wait: WaitItem, heard: HeardStage | None, outcome: str) -> WaitItem:
    """Tell whoever still waits, and keep that nobody does. The first alone is repeated without harm."""
    tokens = {wait.token, heard.token if heard else None} - {None}
    for token in sorted(str(one) for one in tokens):
        ctx.services.store.executions.complete(token, {"outcome": outcome})
    if wait.outcome is not None:
        return wait
    return _save(ctx, ctx.plan(), wait.over(outcome))


def _in_its_stage(matter: Matter, ctx: Context, wait: WaitItem, heard: HeardStage | None) -> WaitItem:
    """As far as it has come, by what was heard or by the clock; with the token of who waits there."""
    stage = heard.stage if heard and wait.course.is_later(heard.stage, wait.stage) else None
    stage = stage or wait.overdue(ctx.now())
    there = wait.reaching(stage, ctx.now()) if stage else wait
    if heard and heard.stage is there.stage and there.outcome is None:
        there = there.changed(token=heard.token, look_at=there.over_at)
    if there == wait:
        return wait
    tx = ctx.plan()
    if stage:
        matter.reach(ctx, tx, wait, stage)
    return _save(ctx, tx, there)


def _executed(ctx: Context, wait: WaitItem, *, is_lost: bool) -> WaitItem:
    """An execution counts the time from this stage on: the first, or one in place of another that was lost.

    Its name is the same until it is known to have been started, so that there is one.
    """
    if wait.executions and not is_lost:
        return wait
    executions = ctx.services.store.executions
    if executions.are_there:
        given = {"workspaceId": wait.workspace_id, "waitId": wait.id, "stage": wait.stage}
        executions.start(wait.kind.machine, f"{wait.id}-{wait.executions + 1}", given)
    started = wait.changed(executions=wait.executions + 1, look_at=wait.over_at)
    return _save(ctx, ctx.plan(), started)


def _save(ctx: Context, tx: Transaction, wait: WaitItem) -> WaitItem:
    tx.replace(wait)
    ctx.commit()
    return wait.changed(version=wait.version + 1)
