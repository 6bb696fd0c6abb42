"""Runs with gates: read as they are, and changed by whoever comes first."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from forge.context import Context
from forge.errors import Conflict, Forbidden, Unavailable
from forge.jsontext import decode
from forge.store.transactions import decided_again
from forge.work.issues.pages.sights import require_unnarrowed
from forge.work.plans.gateway import keeping, tasks
from forge.work.plans.gateway.gated_runs import GatedRunItem
from forge.work.plans.gateway.keeping import NamedGate
from forge.work.plans.gateway.tasks import TaskItem
from forge.work.record import texts
from forge.work.record.log import events
from forge.work.record.log.events import UNSENT_AFTER
from forge.work.workspace import jobs
from functions.gateway.models import Execute

_MOST_TRIES = 5

EXECUTE = "gateway.execute"

Decide = Callable[[GatedRunItem], GatedRunItem]


def put_off(ctx: Context, request: Execute) -> TaskItem:
    """Have a worker carry it out: stored first, and sent afterwards; the sweep sends what was not."""
    task_id = ctx.new_id("task")
    # What it changes is changed once, however many workers try.
    key = ctx.call.idempotency_key or task_id
    call = ctx.call.replaced(is_task=True, idempotency_key=key, takes_tasks=False)
    arguments = request.model_dump(mode="json", exclude_unset=True)
    task = TaskItem(
        workspace_id=ctx.caller.workspace_id,
        id=task_id,
        invocation=ctx.toolbox.written(EXECUTE, arguments, ctx.caller, call),
        key_id=ctx.caller.key_id,
        user_id=ctx.caller.user_id,
        agent_id=ctx.caller.agent_id,
        created_at=ctx.now(),
        look_at=ctx.now() + UNSENT_AFTER,
    )
    tx = ctx.plan()
    tx.create(task)
    events.record_change(tx, "task", task.id, action="create")
    ctx.commit()
    with suppress(Unavailable):
        jobs.send(ctx.services.store, task)
    return task


def result_of(ctx: Context, task_id: str) -> dict[str, Any]:
    """The answer of a task, or that there is none yet, in the same form."""
    task = tasks.get(ctx.table, ctx.caller, task_id)
    if task.answer is not None:
        told: dict[str, Any] = decode(texts.read(ctx.services.store.blobs, task.answer))
    else:
        asked = task.invocation["arguments"]
        told = {
            "ok": True,
            "request": {name: asked.get(name, "UNKNOWN") for name in ("intent", "action", "effect")},
            "result": {
                "artifact_type": asked.get("artifact", "JSON"),
                "data": None,
                "affected_files": [],
                "affected_symbols": [],
            },
            "meta": {"duration_ms": 0, "mcp_name": "gateway", "isolation_used": "agent"},
        }
    return {**told, "meta": {**told.get("meta", {}), "task_id": task.id, "task_state": task.state}}


def require_person(ctx: Context) -> None:
    """What people are asked about a run is theirs to answer, unless the workspace leaves it to agents."""
    caller = ctx.caller
    require_unnarrowed(caller, "run")
    if caller.agent_id and ctx.services.workspaces.get(caller.workspace_id).checkpoints_need_a_person:
        raise Forbidden(
            "A person decides about this run, not an agent.",
            hint='Ask one to call gateway.approve, or to decide at its gate: reviewGates.list {"status": '
            '"PENDING"} shows it.',
        )


def change(ctx: Context, named: NamedGate, decide: Decide, *, action: str) -> GatedRunItem:
    """Decide on the run as it is, and plan to store that."""
    run = keeping.find(ctx, named)
    after = decide(run)
    if after != run:
        outdated = keeping.find_outdated(ctx, after)
        keeping.save(ctx, ctx.plan(), after, outdated=outdated, action=action)
    return after


def change_now(ctx: Context, named: NamedGate, decide: Decide, *, action: str) -> GatedRunItem:
    """The same, stored before anything else is done; who was faster makes it be decided again."""

    def changed() -> GatedRunItem:
        after = change(ctx, named, decide, action=action)
        ctx.commit()
        return after

    spent = Conflict("Too many change this run at once.", hint="Call again in a moment.", retryable=True)
    return decided_again(changed, tries=_MOST_TRIES, spent=spent)
