"""Runs with gates: read as they are, and changed by whoever comes first."""

from collections.abc import Callable
from typing import NamedTuple

from forge.context import Context
from forge.errors import Conflict
from forge.store.transactions import VersionMoved
from forge.work.gateway import gate_keys
from forge.work.gateway.gated_runs import GatedRunItem
from forge.work.log import events

SUBJECT = "gated-run"
_MOST_TRIES = 5

Decide = Callable[[GatedRunItem], GatedRunItem]


class Named(NamedTuple):
    workflow: str
    run_id: str


def find(ctx: Context, named: Named) -> GatedRunItem:
    """The run, or one that nothing has happened in yet."""
    found = ctx.table.find(GatedRunItem, gate_keys.gated_run(ctx.caller.workspace_id, *named))
    return found or GatedRunItem(
        workspace_id=ctx.caller.workspace_id,
        workflow=named.workflow,
        run_id=named.run_id,
        updated_at=ctx.now(),
        version=0,
    )


def change(ctx: Context, named: Named, decide: Decide, *, action: str) -> GatedRunItem:
    """Decide on the run as it is, and plan to store that."""
    run = find(ctx, named)
    after = decide(run)
    if after == run:
        return run
    tx = ctx.plan()
    if run.version:
        tx.replace(after)
    else:
        tx.create(after.changed(version=1), refusal=lambda _: VersionMoved())
    events.record_change(tx, SUBJECT, f"{named.workflow}/{named.run_id}", action=action, after=after)
    return after


def change_now(ctx: Context, named: Named, decide: Decide, *, action: str) -> GatedRunItem:
    """The same, stored before anything else is done; who was faster makes it be decided again."""
    for _ in range(_MOST_TRIES):
        try:
            after = change(ctx, named, decide, action=action)
            ctx.commit()
        except VersionMoved:
            continue
        return after
    raise Conflict("Too many change this run at once.", hint="Call again in a moment.", retryable=True)
