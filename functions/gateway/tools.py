"""The gateway's tools."""

from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.guards import Decider, Guarded, decided_by, settles_nothing
from forge.contract.models import Rendered
from forge.contract.terms import Effect, Scope
from forge.contract.tools import Namespace
from forge.errors import ScopeRequired
from forge.jsontext import encode
from forge.work.plans.announcements import GATE_CHANGED
from forge.work.plans.gateway import gated_runs, keeping
from forge.work.plans.gateway.gated_runs import GatedRunItem
from forge.work.plans.gateway.keeping import NamedGate
from functions.gateway import executing, repository, telling
from functions.gateway.models import Approve, Execute, GatedRunView, GateView, OfGatedRun, OfTask

namespace = Namespace("gateway", "Call any tool by what you mean to do, through the gates of a run.")


@namespace.tool(
    scopes=[],
    unscoped_because="The scopes of the action that it takes apply.",
    effect=Effect.EXTERNAL_EXEC,
    costs=Cost(reads=1, writes=2, items=5).up_to(reads=4, writes=4, because="a long action becomes a task"),
    emits=[GATE_CHANGED],
    retells=telling.retell,
    audits=telling.audit,
    guards=(
        settles_nothing(
            "an analysis asks people, and what it calls has rules of its own", Guarded.GATED_RUN, Guarded.GATE
        ),
    ),
    asks=[
        "run an action with an intent",
        "call a tool through the gateway",
        "check a call without making it",
        "a change that needs an analysis first",
    ],
)
def execute(request: Execute, ctx: Context) -> Rendered:
    """Execute any tool by intent and effect; answers {ok, request, result or error, meta}, whatever happens.

    QUERY, ANALYZE and GENERATE reach what only reads, MODIFY what changes, EXECUTE what reaches others; the
    tool's own scopes and rules apply. With context.run_id a change needs an ANALYZE of that run before it
    (GATE_MISSING), and one is executed at a time. What takes long is answered with meta.task_id: ask
    gateway.result for its end.
    Example: {"intent": "QUERY", "action": "issues.list", "params": {"limit": 5}}
    """
    return Rendered(encode(executing.execute(request, ctx)))


@namespace.reads(
    scopes=[],
    costs=Cost(reads=1),
    asks=[
        "what became of a task",
        "answer of a long execution",
        "is a background task done",
        "get the outcome of a task",
    ],
)
def result(request: OfTask, ctx: Context) -> Rendered:
    """Show what became of an execution that a worker carries out: meta.task_state is DONE when it is over.

    Then it is the answer of gateway.execute, success or failure. Kept for a week, for whoever asked.
    Example: {"task_id": "task_01J…"}
    """
    return Rendered(encode(repository.result_of(ctx, request.task_id)))


@namespace.reads(
    costs=Cost(reads=1),
    asks=[
        "which gates of a run are open",
        "is a run ready for a change",
        "state of a gated run",
        "has the analysis been done",
    ],
)
def gates(request: OfGatedRun, ctx: Context) -> GatedRunView:
    """Show which gates of a run are open, who opened them and when.

    Example: {"workflow": "release", "run_id": "2026-07"}
    """
    return _view(keeping.find(ctx, NamedGate(request.workflow, request.run_id)))


@namespace.writes(
    costs=Cost(reads=2, writes=1, items=6),
    emits=[GATE_CHANGED],
    guards=(decided_by(Decider.ANSWERER, Guarded.GATED_RUN, Guarded.GATE),),
    asks=["approve the plan of a run", "let a planned change go ahead", "say that an audit passed"],
)
def approve(request: Approve, ctx: Context) -> GatedRunView:
    """Open the gate plan-approved of a run, or audit-passed, which ends it and clears the other gates.

    For people, unless the workspace leaves it to agents; whoever wrote analysis-done can't approve the same
    run. People are asked for both gates of a planned run by review gates, which this settles, too.
    Example: {"workflow": "release", "run_id": "2026-07", "gate": "plan-approved"}
    """
    repository.require_person(ctx)
    after = repository.change(
        ctx,
        NamedGate(request.workflow, request.run_id),
        lambda run: gated_runs.approved(run, request.gate, ctx.caller, ctx.now()),
        action=request.gate,
    )
    return _view(after)


@namespace.writes(
    idempotent=True,
    destructive=True,
    costs=Cost(reads=2, writes=1, items=6),
    emits=[GATE_CHANGED],
    guards=(decided_by(Decider.ANSWERER, Guarded.GATED_RUN, Guarded.GATE),),
    asks=[
        "start a gated run over",
        "remove all gates of a run",
        "forget a run of the gateway",
        "close the gates of a run",
    ],
)
def reset(request: OfGatedRun, ctx: Context) -> GatedRunView:
    """Close every gate of a run and forget what was executed in it, so that it begins anew.

    Agents need the scope ADMIN for this, and leave planned runs to people.
    Example: {"workflow": "release", "run_id": "2026-07"}
    """
    if ctx.caller.user_id is None and Scope.ADMIN not in ctx.caller.scopes:
        raise ScopeRequired(
            "An agent resets a run only with the scope ADMIN.", hint="Ask a person to call gateway.reset."
        )

    def forgotten(run: GatedRunItem) -> GatedRunItem:
        if run.planned:
            repository.require_person(ctx)
        return gated_runs.forgotten(run)

    after = repository.change(ctx, NamedGate(request.workflow, request.run_id), forgotten, action="reset")
    return _view(after)


def _view(run: GatedRunItem) -> GatedRunView:
    return GatedRunView(
        workflow=run.workflow, run_id=run.run_id, gates=[GateView.of(gate) for gate in run.gates]
    )
