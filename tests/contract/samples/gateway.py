"""Calls of the gateway's tools."""

from forge.contract.terms import Scope
from tests.contract.stage import Arguments, Stage, sample

PHRASES = {
    "gateway.execute": (
        "execute an action by intent",
        "query through the gateway with a declared effect",
        "dry run of an action",
    ),
    "gateway.gates": ("show the gates of a run", "was the analysis of a run done", "gate state"),
    "gateway.approve": ("approve a gated run", "open the gate of a plan", "the audit of a run has passed"),
    "gateway.reset": ("reset the gates of a run", "clear a run of the gateway", "close all gates"),
}

RUN = {"workflow": "release", "run_id": "2026-07"}


def _analysed(stage: Stage, **context: object) -> None:
    """By an agent, so that somebody else can approve."""
    body = {"intent": "ANALYZE", "action": "workspace.get", "context": {**RUN, **context}}
    stage.call("gateway.execute", body, key=stage.agent_key(stage.acting_agent))


def _approval(stage: Stage) -> Arguments:
    _analysed(stage, planned=True)
    return {**RUN, "gate": "plan-approved"}


def _reset(stage: Stage) -> Arguments:
    _analysed(stage)
    return RUN


SAMPLES = (
    sample(
        "gateway.execute",
        lambda stage: {"intent": "MODIFY", "action": "labels.create", "params": {"name": "executed"}},
        reached_scopes=frozenset({Scope.ADMIN}),
    ),
    sample("gateway.gates", _reset),
    sample("gateway.approve", _approval),
    sample("gateway.reset", _reset),
)
