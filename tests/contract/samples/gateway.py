"""Calls of the gateway's tools."""

from forge.contract.terms import Scope
from forge.work.plans.gateway.tasks import TaskItem
from forge.work.workspace.founding import setup_transaction
from tests.contract.stage import Arguments, Stage, sample

RUN = {"workflow": "release", "run_id": "2026-07"}


def analysed(stage: Stage, **context: object) -> None:
    """By an agent, so that somebody else can approve."""
    body = {"intent": "ANALYZE", "action": "workspace.get", "context": {**RUN, **context}}
    stage.call("gateway.execute", body, key=stage.agent_key(stage.acting_agent))


def _approval(stage: Stage) -> Arguments:
    analysed(stage, planned=True)
    return {**RUN, "gate": "plan-approved"}


def _a_task(stage: Stage) -> Arguments:
    """Put off as the gateway does it."""
    services = stage.world.services
    task = TaskItem(
        workspace_id=stage.workspace.id,
        id=services.new_id("task"),
        invocation={"arguments": {"intent": "EXECUTE", "action": "runs.kick", "effect": "EXTERNAL_EXEC"}},
        key_id="key_owner",
        user_id=stage.owner_id(),
        created_at=services.now(),
    )
    tx = setup_transaction(services.store, stage.workspace.id, now=services.now(), new_id=services.new_id)
    tx.create(task)
    services.store.commit(tx)
    return {"task_id": task.id}


def _reset(stage: Stage) -> Arguments:
    analysed(stage, planned=True)
    return RUN


SAMPLES = (
    sample(
        "gateway.execute",
        lambda stage: {"intent": "MODIFY", "action": "labels.create", "params": {"name": "executed"}},
        reached_scopes=frozenset({Scope.ADMIN}),
    ),
    sample(
        "gateway.execute",
        lambda stage: {"intent": "ANALYZE", "action": "workspace.get", "context": {**RUN, "planned": True}},
        variant="in a planned run",
        reached_scopes=frozenset({Scope.READ_ISSUES}),
    ),
    sample("gateway.gates", _reset),
    sample("gateway.result", _a_task),
    sample("gateway.approve", _approval),
    sample("gateway.reset", _reset),
)
