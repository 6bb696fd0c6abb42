"""One request through the gateway: checked, let through its gates, carried out, and told in its protocol."""

from hashlib import sha256
from time import monotonic, sleep
from typing import Any

from forge import deadline
from forge.auth.actors import require_may_change
from forge.clock import full_jitter
from forge.context import Context
from forge.contract.catalog_tools import CatalogTool
from forge.errors import DomainError, NotFound, Retold
from forge.jsontext import decode
from forge.work.plans.gateway import gated_runs, keeping
from forge.work.plans.gateway.failures import ErrorType, Failed, GatewayFailure, failure_of, refused
from forge.work.plans.gateway.gated_runs import Execution, GatedRunItem
from forge.work.plans.gateway.keeping import NamedGate
from functions.gateway import forms, repository
from functions.gateway.forms import NOTHING, Formed
from functions.gateway.models import Execute
from functions.gateway.protocol import GatewayLimits, Intent, changes, effect_of, limits_of
from functions.gateway.telling import Exchange, pending, told

_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 2.0
_LAST_SECONDS = 1.0
"""Whoever waits for something gives up so long before the end, rather than wait beyond it."""
_SELF = "gateway.execute"


def execute(request: Execute, ctx: Context) -> dict[str, Any]:
    """The answer; whatever goes wrong is told in the protocol's words, with what is known of the request."""
    exchange = Exchange(request, ctx)
    try:
        tool = _admit(exchange)
        if request.constraints.dry_run:
            return told(exchange, Formed({"dry_run": True, "action": tool.name}))
        if tool.is_long and not ctx.call.is_task:
            return pending(exchange, repository.put_off(ctx, request))
        # Whatever it calls answers at once, or the answer of the gateway would not be the one that waits.
        ctx.call = ctx.call.replaced(takes_tasks=False)
        output = _through_gates(exchange, tool)
        return told(
            exchange,
            forms.formed(tool, request.artifact, output),
            forms.affected(tool, request.params, output) if changes(request.intent) else NOTHING,
        )
    except Retold:
        # The tool's own failure, told already.
        raise
    except Failed as failed:
        raise exchange.failed(failed.failure) from failed
    except DomainError as error:
        raise exchange.failed(failure_of(error), error) from error


def _admit(exchange: Exchange) -> CatalogTool:
    """Everything that can be refused before anything is read, in the order in which it is checked."""
    request, ctx = exchange.request, exchange.ctx
    _require_opaque(request.context.project_root)
    tool = exchange.tool = _find(ctx, request.action)
    exchange.effect = effect_of(tool, request.intent, request.effect)
    constraints = request.constraints
    exchange.limits = limits_of(
        tool,
        exchange.effect,
        timeout_ms=constraints.timeout_ms,
        retry_count=constraints.retry_count,
        is_repeatable=ctx.call.idempotency_key is not None,
    )
    forms.require_form(tool, request.artifact)
    ctx.toolbox.check(ctx, tool.name, request.params)
    if request.intent is Intent.ANALYZE and request.context.run_id is not None:
        # What it calls only reads, but it opens a gate.
        require_may_change(ctx.caller, _SELF)
    if constraints.dry_run and (named := _gated(exchange)):
        gated_runs.begun(_planned(exchange, keeping.find(ctx, named)), _execution(exchange), ctx.now())
    return tool


def _find(ctx: Context, action: str) -> CatalogTool:
    try:
        tool = ctx.catalog.get(action)
    except NotFound as unknown:
        raise refused(
            ErrorType.VALIDATION,
            f"There is no action {action[:80]!r}.",
            suggestion=unknown.hint,
            code="UNKNOWN_ACTION",
            details=unknown.details,
        ) from None
    if tool.name == _SELF:
        raise refused(
            ErrorType.VALIDATION,
            "The gateway does not execute itself.",
            suggestion="Name the action that you want to have executed.",
            code="UNKNOWN_ACTION",
        )
    return tool


def _require_opaque(project_root: str | None) -> None:
    if project_root and ".." in project_root:
        raise refused(
            ErrorType.VALIDATION,
            "project_root is a name, and no path that leads anywhere.",
            suggestion="Leave '..' out of context.project_root.",
            code="BAD_PROJECT_ROOT",
        )


def _gated(exchange: Exchange) -> NamedGate | None:
    """The run whose gates this request has to pass or may open; None where there are none for it."""
    context, intent = exchange.request.context, exchange.request.intent
    if context.run_id is not None:
        minds_gates = intent is Intent.ANALYZE or changes(intent)
        return NamedGate(context.workflow, context.run_id) if minds_gates else None
    ctx = exchange.ctx
    if changes(intent) and ctx.services.workspaces.get(ctx.caller.workspace_id).require_gates:
        raise refused(
            ErrorType.VALIDATION,
            "In this workspace changes go through gates.",
            suggestion="Name the run in context.run_id, and begin it with an ANALYZE.",
            code="GATE_MISSING",
            details={"missing": [gated_runs.Gate.ANALYSIS_DONE]},
        )
    return None


def _planned(exchange: Exchange, run: GatedRunItem) -> GatedRunItem:
    """Once a run is said to be planned, it stays so."""
    return run.changed(planned=True) if exchange.request.context.planned else run


def _execution(exchange: Exchange) -> Execution:
    ctx, key = exchange.ctx, exchange.ctx.call.idempotency_key
    mark = f"{ctx.caller.key_id}|{key}|{exchange.request.action}" if key else ctx.new_id("exec")
    return Execution(
        id=ctx.new_id("exec"),
        action=exchange.request.action,
        fingerprint=sha256(mark.encode()).hexdigest()[:32],
        started_at=ctx.now(),
    )


def _through_gates(exchange: Exchange, tool: CatalogTool) -> Any:
    named = _gated(exchange)
    if named is None:
        return _carry_out(exchange, tool)
    ctx = exchange.ctx
    if exchange.request.intent is Intent.ANALYZE:
        output = _carry_out(exchange, tool)
        repository.change_now(
            ctx,
            named,
            lambda run: gated_runs.analyzed(_planned(exchange, run), ctx.caller, ctx.now()),
            action="analyze",
        )
        return output
    execution = _execution(exchange)
    _begin(exchange, named, execution)
    is_done = False
    try:
        output = _carry_out(exchange, tool)
        is_done = True
        return output
    finally:
        repository.change_now(
            ctx,
            named,
            lambda run: gated_runs.ended(run, execution.id, ctx.caller, is_done=is_done, now=ctx.now()),
            action="executed" if is_done else "failed",
        )


def _begin(exchange: Exchange, named: NamedGate, execution: Execution) -> None:
    """Look at the gates and begin in one write. Of what was never reported, the first to come is told."""
    ctx = exchange.ctx
    try:
        repository.change_now(
            ctx,
            named,
            lambda run: gated_runs.begun(_planned(exchange, run), execution, ctx.now()),
            action="execute",
        )
    except Failed:
        run = keeping.find(ctx, named)
        if gated_runs.is_unheard_of(run, ctx.now()):
            repository.change_now(ctx, named, gated_runs.told_of_loss, action="lost")
        elif _planned(exchange, run) != run:
            # Who says so and is refused must not get through by leaving it out.
            repository.change_now(ctx, named, lambda run: _planned(exchange, run), action="plan")
        raise


def _carry_out(exchange: Exchange, tool: CatalogTool) -> Any:
    """Call the tool, again where that is allowed and may help, within the time that there is."""
    limits = exchange.limits or GatewayLimits(0, 0)
    longest = deadline.seconds_left() if exchange.ctx.call.is_task else deadline.CALL_SECONDS
    seconds = min(limits.timeout_ms / 1000, deadline.seconds_left(), longest)
    begun = deadline.begin(seconds)
    try:
        while True:
            exchange.attempts += 1
            try:
                return decode(exchange.ctx.call_tool(tool.name, exchange.request.params))
            except DomainError as error:
                is_late = deadline.seconds_left() < _LAST_SECONDS
                failure = failure_of(error, limit_ms=round(seconds * 1000) if is_late else None)
                _pause_or_fail(exchange, failure, error, limits, is_late=is_late)
    finally:
        deadline.end(begun)


def _pause_or_fail(
    exchange: Exchange, failure: GatewayFailure, error: DomainError, limits: GatewayLimits, *, is_late: bool
) -> None:
    pause = full_jitter(exchange.attempts - 1, first=_FIRST_PAUSE, longest=_LONGEST_PAUSE)
    has_time = not is_late and monotonic() + pause < deadline.current()
    if failure.is_worth_retrying and exchange.attempts <= limits.retries and has_time:
        sleep(pause)
        return
    raise exchange.failed(failure, None if failure.type is ErrorType.TIMEOUT else error) from error
