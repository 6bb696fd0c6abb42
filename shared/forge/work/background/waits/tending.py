"""Whoever tends waits: starts the execution that counts the time, does what a stage asks for, and ends it.

DynamoDB decides. Each message is only a reason to look; one that comes twice, late or out of order finds
nothing left to do.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Protocol

from forge.context import Context
from forge.errors import Unavailable
from forge.store.keys import Key
from forge.store.store import Store
from forge.store.transactions import Transaction, VersionMoved
from forge.work.background.sweep import acting, outbox
from forge.work.plans.waits import messages
from forge.work.plans.waits.messages import Heard
from forge.work.plans.waits.waits import Stage, WaitItem, WaitKind

if TYPE_CHECKING:
    from forge.work.background.sweep.sweep import Sweep

TENDING = "waits"
AGAIN_AFTER = timedelta(minutes=10)
"""When the sweep looks once more at a wait that it had somebody look at."""
_MOST_TRIES = 5


class Matter(Protocol):
    """What can be waited for."""

    def outcome(self, ctx: Context, wait: WaitItem) -> str | None:
        """What it came to, as it stands now; None while somebody has to decide."""

    def reach(self, ctx: Context, tx: Transaction, wait: WaitItem, stage: Stage) -> None:
        """Do what is due in a stage, in the transaction in which it is reached."""


Matters = Mapping[WaitKind, Matter]


@dataclass(frozen=True, slots=True)
class Tending:
    store: Store
    now: datetime
    new_id: Callable[[str], str]
    matters: Matters

    def context(self, workspace_id: str) -> Context:
        """The log says that nobody did it but the waiting."""
        nobody = acting.nobody(workspace_id, TENDING)
        return acting.context_of(self, nobody, tool=TENDING, request_id=self.new_id("wtg"))


def consume(tending: Tending, text: str) -> WaitItem | None:
    """Do what follows from a message; the wait as it is then, None where there is none any more."""
    message = messages.read(text)
    key = WaitItem.at(message.workspace_id, message.wait_id)
    for _ in range(_MOST_TRIES):
        wait = tending.store.table.find(WaitItem, key)
        if wait is None:
            return None
        try:
            return _tend(tending, wait, message.heard)
        except VersionMoved:
            # Two messages about one wait: decided again on what the other one made of it.
            continue
    raise Unavailable("Too many look at this wait at once.", hint="It is looked at again.")


def look(sweep: "Sweep", key: Key) -> bool:
    """For the sweep: nobody was heard of in time, or the message that it began with was lost.

    A message first, and another look later: so a crash in between sends one too many.
    """
    wait = sweep.store.table.find(WaitItem, key)
    if wait is None or wait.look_at is None or wait.look_at > sweep.now:
        return False
    sweep.store.queues.send(outbox.WAITS, outbox.look_at(wait.workspace_id, wait.id))
    tx = sweep.begin(wait.workspace_id)
    tx.replace(wait.changed(look_at=sweep.now + AGAIN_AFTER))
    sweep.store.commit(tx)
    return True


def _tend(tending: Tending, wait: WaitItem, heard: Heard | None) -> WaitItem:
    ctx = tending.context(wait.workspace_id)
    matter = tending.matters[wait.kind]
    outcome = wait.outcome or matter.outcome(ctx, wait)
    if outcome is not None:
        return _end(ctx, wait, heard, outcome)
    now = _in_its_stage(tending, ctx, wait, heard)
    was_missed = now.stage is not wait.stage and (heard is None or heard.stage is not now.stage)
    return _executed(ctx, now, is_lost=was_missed) if now.outcome is None else now


def _end(ctx: Context, wait: WaitItem, heard: Heard | None, outcome: str) -> WaitItem:
    """Tell whoever still waits, and keep that nobody does. The first alone is repeated without harm."""
    tokens = {wait.token, heard.token if heard else None} - {None}
    for token in sorted(str(one) for one in tokens):
        ctx.services.store.executions.complete(token, {"outcome": outcome})
    if wait.outcome is not None:
        return wait
    return _save(ctx, ctx.plan(), wait.over(outcome))


def _in_its_stage(tending: Tending, ctx: Context, wait: WaitItem, heard: Heard | None) -> WaitItem:
    """As far as it has come, by what was heard or by the clock; with the token of who waits there."""
    stage = heard.stage if heard and wait.course.is_later(heard.stage, wait.stage) else None
    stage = stage or wait.overdue(tending.now)
    there = wait.reaching(stage, tending.now) if stage else wait
    if heard and heard.stage is there.stage and there.outcome is None:
        there = there.changed(token=heard.token, look_at=there.over_at)
    if there == wait:
        return wait
    tx = ctx.plan()
    if stage:
        tending.matters[wait.kind].reach(ctx, tx, wait, stage)
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
