"""Runs a tool for a caller: scope, input, actor and mode, then the tool. The same for every door."""

from _thread import allocate_lock  # `threading`, which names the same, is a fortieth of the router's start
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, NewType, Protocol

from forge.auth.entrance import require_scopes
from forge.auth.narrowing import require_for_runs, require_unnarrowed
from forge.context import Call, Caller, Context, Services, Toolbox
from forge.contract.catalog import Catalog
from forge.contract.catalog_tools import CatalogTool
from forge.errors import DomainError, InvalidInput, Retold
from forge.jsontext import BadJson, decode
from forge.wire.invocation import write_invocation
from forge.wire.journal import Journal

Arguments = Mapping[str, object]
Allowed = NewType("Allowed", CatalogTool)
"""A tool that the caller has the scopes for, and that no narrowing keeps from it."""

IDEMPOTENCY_META = "forge/idempotencyKey"
MAX_IDEMPOTENCY_KEY = 200


class Runner(Protocol):
    """Where a tool runs: in this process, or in its namespace's own function."""

    def prepare(self, tools: Iterable[CatalogTool]) -> None:
        """Get ready to run these, so that the first call of one waits for nothing."""

    def run(self, tool: CatalogTool, arguments: Arguments, context: Context) -> str: ...

    def runs_apart(self, tool: CatalogTool) -> bool:
        """Whether it runs in a process of its own."""


class Switchboard:
    def __init__(self, catalog: Catalog, runner: Runner, services: Services, journal: Journal) -> None:
        self.catalog = catalog
        self._runner = runner
        self.services = services
        self._journal = journal
        self.now = services.now
        self._toolbox = Toolbox(
            self._call_again,
            self._check,
            lambda name: runner.runs_apart(catalog.get(name)),
            write_invocation,
        )

    @staticmethod
    def allow(tool: CatalogTool, caller: Caller) -> Allowed:
        """Before the input is read: whoever may not call a tool is told that, not what is wrong with it."""
        if not tool.required_scopes <= caller.scopes:
            require_scopes(caller, tool.scopes, tool.name)
        if tool.is_unnarrowed:
            require_unnarrowed(caller, tool.name)
        if not tool.is_for_runs:
            require_for_runs(caller, tool.name)
        return Allowed(tool)

    def call(self, tool: Allowed, arguments: Arguments, *, caller: Caller, call: Call) -> str:
        """The output as JSON text, or the DomainError that says why not."""
        context = Context(caller, call, tool.name, self.services, self.catalog, self._toolbox)
        try:
            answer = self._journal.shielded(call.request_id, self._runner.run, tool, arguments, context)
        except DomainError as error:
            told = _retold(tool, arguments, error) if tool.is_retold else error
            if tool.is_audited:
                self._audit(tool, arguments, context, told)
            if told is error:
                raise
            raise told from error
        if tool.is_audited:
            self._audit(tool, arguments, context, answer)
        return answer

    def context(self, caller: Caller, call: Call, operation: str) -> Context:
        """For what is no tool."""
        return Context(caller, call, operation, self.services, self.catalog, self._toolbox)

    def _audit(
        self, tool: CatalogTool, arguments: Arguments, context: Context, came_to: str | DomainError
    ) -> None:
        """Keep a call that changed nothing in the log; where that fails, the answer stays what it is."""
        from forge.wire import execution

        if self._runner.runs_apart(tool):
            # Where it ran, it was kept.
            return
        audits = execution.load(tool).audits
        if audits is not None:
            with suppress(DomainError):
                self._journal.shielded(context.call.request_id, audits, context, arguments, came_to)

    def _call_again(self, context: Context, name: str, arguments: Arguments) -> str:
        """A tool that calls another: as the same caller, in the same call."""
        tool, call = self.allow(self.catalog.get(name), context.caller), context.call
        if call.can_ask and not tool.confirms:
            call = call.replaced(can_ask=False)
        return self.call(tool, arguments, caller=context.caller, call=call)

    def _check(self, context: Context, name: str, arguments: Arguments) -> None:
        """Whether a call would be taken: the caller may make it, and it is well formed."""
        from forge.wire import execution

        tool = self.allow(self.catalog.get(name), context.caller)
        execution.check(execution.load(tool), arguments, context)


def _retold(tool: CatalogTool, arguments: Arguments, error: DomainError) -> DomainError:
    from forge.wire import execution

    if isinstance(error, Retold):
        return error
    retells = execution.load(tool).retells
    body = retells(error, arguments) if retells else None
    return error if body is None else Retold(body, error)


def idempotency_key_of(
    message: Mapping[str, Any], header: str | None, place: int | None = None
) -> str | None:
    """The key of a call: its own, or its request's, of which each message of a batch has a part by place."""
    meta = message.get("_meta")
    own = meta.get(IDEMPOTENCY_META) if isinstance(meta, dict) else None
    if own is not None:
        return _checked(own)
    if header is None:
        return None
    return _checked(header) if place is None else f"{_checked(header)}/{place}"


def arguments_of(message: Mapping[str, Any]) -> Arguments:
    """Those of a call, however its client sends them."""
    arguments = message.get("arguments")
    if isinstance(arguments, dict):
        return arguments
    if arguments is None or arguments == "":
        return {}
    if isinstance(arguments, str):
        try:
            parsed = decode(arguments)
        except BadJson:
            parsed = None
        if isinstance(parsed, dict):
            return parsed
    raise InvalidInput("The arguments must be an object.", issues={"arguments": "Send a JSON object."})


def _checked(key: object) -> str:
    if not isinstance(key, str) or not 1 <= len(key) <= MAX_IDEMPOTENCY_KEY:
        raise InvalidInput(
            f"An idempotency key is 1 to {MAX_IDEMPOTENCY_KEY} characters of text.",
            issues={"idempotencyKey": f"1 to {MAX_IDEMPOTENCY_KEY} characters"},
        )
    return key


class InlineRunner:
    """Runs tools in this process, importing what that needs when one is prepared or first called."""

    def __init__(self) -> None:
        self._run: dict[str, Callable[[Arguments, Context], str]] = {}
        self._one_at_a_time = allocate_lock()

    def prepare(self, tools: Iterable[CatalogTool]) -> None:
        for tool in tools:
            self._load(tool)

    def run(self, tool: CatalogTool, arguments: Arguments, context: Context) -> str:
        run = self._run.get(tool.name) or self._load(tool)
        return run(arguments, context)

    def runs_apart(self, tool: CatalogTool) -> bool:
        return False

    def _load(self, tool: CatalogTool) -> Callable[[Arguments, Context], str]:
        # The router starts without pydantic and without any namespace.
        from forge.wire import execution

        # Two threads must not build one model at once.
        with self._one_at_a_time:
            run = self._run[tool.name] = execution.runner_of(tool)
        return run
