"""Runs one tool in this process: input, actor, handler, commit. Loaded with the first call, not before."""

import importlib
from collections.abc import Callable, Mapping
from functools import partial
from time import monotonic, sleep
from typing import Any

from forge.auth.actors import require_actor, require_may_change
from forge.auth.bounds import require_may_last
from forge.clock import full_jitter
from forge.context import Context
from forge.contract.catalog_tools import CatalogTool
from forge.contract.models import Model, NoArguments, Rendered
from forge.contract.synonyms import as_said
from forge.contract.terms import ANY_MODE, Actor, Effect
from forge.contract.tools import AnyTool
from forge.errors import Conflict, DomainError, InvalidInput, Unavailable
from forge.store.idempotency import Idempotency, Replayed
from forge.store.transactions import VersionMoved

_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 1.0

Handle = Callable[[Any, Context], Any]

# Here and on the rest of every call's path: reaching a member through its enum takes 80 ns in Python 3.11,
# five of them 3 % of a call; 15 ns from 3.12 on, when this can go.
_ANYONE, _READ_ONLY = Actor.ANYONE, Effect.READ_ONLY


def load(tool: CatalogTool) -> AnyTool:
    """The declared tool, ready to run in any thread."""
    declared: AnyTool = getattr(importlib.import_module(tool.module), tool.attribute)
    # Models are built when they are first used, but the first of all brings late imports of pydantic along.
    NoArguments.model_rebuild()
    if declared.effect is not _READ_ONLY:
        # For its first id: `forge.clock` loads this no earlier, because readers and the router make none.
        importlib.import_module("ulid")
    if declared.references:
        importlib.import_module("forge.work.content.references.resolving")
    return declared


def runner_of(tool: CatalogTool) -> Callable[[Mapping[str, object], Context], str]:
    """The tool, loaded, with what is the same for each of its calls found out once."""
    declared = load(tool)
    handle = partial(_handle_named, declared.handler) if declared.references else declared.handler
    return partial(execute, declared, handle)


def execute(tool: AnyTool, handle: Handle, arguments: Mapping[str, object], context: Context) -> str:
    """The tool's output as JSON text, its effect committed; or the error that says why not."""
    request = tool.parse(arguments)
    if tool.actor is not _ANYONE:
        require_actor(tool.actor, context.caller, tool.name)
    if tool.lasting:
        require_may_last(context.caller, tool.name, tool.lasting, request)
    if tool.modes is not ANY_MODE:
        context.modes = tool.modes
    try:
        if tool.effect is _READ_ONLY:
            return tool.render(handle(request, context))
        return _change(tool, handle, request, context)
    except InvalidInput as error:
        raise _as_said(tool, arguments, error, context) from None


def check(tool: AnyTool, arguments: Mapping[str, object], context: Context) -> None:
    """Everything that is asked of a call before its tool reads anything."""
    request = tool.parse(arguments)
    require_actor(tool.actor, context.caller, tool.name)
    if tool.lasting:
        require_may_last(context.caller, tool.name, tool.lasting, request)
    if tool.effect is not _READ_ONLY:
        require_may_change(context.caller, tool.name)


def _as_said(
    tool: AnyTool, arguments: Mapping[str, object], error: InvalidInput, context: Context
) -> InvalidInput:
    """In the caller's own words. Who says what is not there is told what is."""
    if error.unknown is not None:
        from forge.work.content.references.resolving import explained

        error = explained(error, error.unknown, context)
    error.issues = as_said(tool.input, arguments, error.issues) if error.issues else error.issues
    return error


def _handle_named(handler: Handle, request: Any, context: Context) -> Any:
    """The handler gets ids, whatever was said for them."""
    # `load` has imported it: functions whose tools refer to nothing start without what it needs.
    from forge.work.content.references.resolving import with_ids

    return handler(with_ids(request, context), context)


def _understood(request: Model) -> dict[str, object]:
    """What the call asks for. A null that clears differs from one that was never sent."""
    cleared = sorted(name for name in request.model_fields_set if getattr(request, name) is None)
    return request.model_dump(mode="json") | ({"(cleared)": cleared} if cleared else {})


def _change(tool: AnyTool, handle: Handle, request: Any, context: Context) -> str:
    context.changes = True
    idempotency = None
    # A tool whose output is another's calls that, which is asked the same and remembers the answer.
    if tool.output is not Rendered:
        require_may_change(context.caller, tool.name)
        if context.call.idempotency_key is not None:
            idempotency = context.repetition = _idempotency(request, context)
    try:
        return _committed(tool, handle, request, context, idempotency)
    except Replayed as replayed:
        return replayed.answer
    finally:
        for finish in context.at_end:
            finish()


def _committed(
    tool: AnyTool, handle: Handle, request: Any, context: Context, idempotency: Idempotency | None
) -> str:
    attempt = 0
    while True:
        context.pending = None
        try:
            result = handle(request, context)
            if idempotency is not None:
                _remember(tool, result, context, idempotency)
            context.commit()
            return tool.render(result)
        except VersionMoved:
            # Somebody changed the same thing in between: decide again on what is there now.
            _wait_for_turn(context, attempt)
            attempt += 1
        except Unavailable:
            raise
        except DomainError:
            # What fails now may be what succeeded the first time: "delete" finds nothing to delete.
            if idempotency is not None:
                idempotency.raise_if_done()
            raise


def _wait_for_turn(context: Context, attempt: int) -> None:
    """So that of a crowd somebody always gets through; nobody is sent away before the call's time is over."""
    if context.has_committed:
        # The first of several transactions can't be taken back, so the handler can't run again.
        raise Conflict(
            "Somebody changed this at the same time, when a part of it was done already.",
            hint="Look at what is there now, and call again for the rest.",
            retryable=True,
        )
    pause = full_jitter(attempt, first=_FIRST_PAUSE, longest=_LONGEST_PAUSE)
    if monotonic() + pause > context.deadline:
        raise Unavailable(
            "Too many others are changing this at the same time.",
            hint="Try again in a moment, with the same idempotency key if you gave one.",
            retry_after_seconds=2,
        )
    sleep(pause)


def _idempotency(request: Model, context: Context) -> Idempotency:
    """What makes this call repeatable, by what was understood: spelt differently it is the same call."""
    store = context.services.store
    return Idempotency.of_call(
        store.table,
        store.blobs,
        caller=context.caller,
        tool=context.tool,
        given=str(context.call.idempotency_key),
        arguments=_understood(request),
        now=context.now(),
    )


def _remember(tool: AnyTool, result: Any, context: Context, idempotency: Idempotency) -> None:
    if context.pending is None:
        # Nothing to change: the answer is remembered all the same, so that a repetition gets it too.
        idempotency.raise_if_done()
        context.pending = context.services.store.begin(context)
    idempotency.remember(context.pending, tool.render_without_secrets(result))
