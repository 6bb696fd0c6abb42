"""Requests to the gateway, spelt as its protocol spells them, and its answers."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, StringConstraints

from forge.contract.fields import Id
from forge.contract.models import Model
from forge.contract.terms import Artifact, Effect
from forge.work.plans.gateway.gated_runs import Gate
from functions.gateway.protocol import MOST_RETRIES, Intent, Isolation

Name = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120, pattern=r"^[^#\x00-\x1f]+$")
]
Workflow = Annotated[Name, Field(description="The kind of work that the run is one of.")]
RunId = Annotated[Name, Field(description="The run: any name of yours; its gates open no other run.")]


class Snake(Model):
    """The protocol's own spelling."""

    model_config = ConfigDict(alias_generator=None)


class Constraints(Snake):
    timeout_ms: Annotated[
        int | None, Field(description="1,000 to 900,000; without it, by effect: 60, 120 or 300 s.")
    ] = None
    retry_count: Annotated[
        int, Field(ge=0, le=MOST_RETRIES, description="How often to try again what may go well later.")
    ] = 0
    isolation: Annotated[Isolation, Field(description="subprocess: in the namespace's own function.")] = (
        Isolation.AGENT
    )
    dry_run: Annotated[bool, Field(description="Check everything, and execute nothing.")] = False


class RunContext(Snake):
    caller: Annotated[str | None, Field(max_length=200, description="Who asks, for your own records.")] = None
    project_root: Annotated[str | None, Field(max_length=400, description="Any name of the project.")] = None
    workflow: Workflow = "default"
    run_id: RunId | None = None
    planned: Annotated[bool, Field(description="A plan has to be approved first; stays with the run.")] = (
        False
    )


class Execute(Snake):
    intent: Annotated[Intent, Field(description="What you mean to do.")]
    action: Annotated[str, Field(min_length=1, max_length=120, description="The tool, in either spelling.")]
    effect: Annotated[
        Effect | None, Field(description="What it does to the world, at most; without it, the intent's.")
    ] = None
    artifact: Annotated[Artifact, Field(description="The form of the answer's data.")] = Artifact.JSON
    params: Annotated[dict[str, Any], Field(description="The tool's arguments.", default_factory=dict)]
    constraints: Annotated[Constraints, Field(description="How long, how often, where.")] = Constraints()
    context: Annotated[RunContext, Field(description="Which run this belongs to.")] = RunContext()


class OfGatedRun(Snake):
    workflow: Workflow = "default"
    run_id: RunId


class Approve(OfGatedRun):
    gate: Annotated[
        Literal[Gate.PLAN_APPROVED, Gate.AUDIT_PASSED],
        Field(description="plan-approved before a change, audit-passed after it."),
    ] = Gate.PLAN_APPROVED


class OfTask(Snake):
    task_id: Annotated[Id, Field(description="`meta.task_id` of an answer of gateway.execute.")]


class GateView(Model):
    name: Gate
    created_at: datetime
    created_by: str


class GatedRunView(Snake):
    workflow: str
    run_id: str
    gates: list[GateView]
