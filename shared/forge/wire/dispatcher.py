"""Runs a tool for a caller: scope, input, actor and mode, then the tool. The same for every door."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from threading import Lock
from typing import Protocol

from forge.auth.gate import require_scopes
from forge.context import Call, Caller, Context, Services
from forge.contract.catalog import Catalog, CatalogTool
from forge.errors import InvalidInput
from forge.wire.journal import Journal

Arguments = Mapping[str, object]
Given = tuple[Arguments, object]
"""The arguments, and the idempotency key, not yet looked at."""

MAX_IDEMPOTENCY_KEY = 200


class Runner(Protocol):
    """Where a tool runs: in this process, or in its namespace's own function."""

    def prepare(self, tools: Iterable[CatalogTool]) -> None:
        """Get ready to run these, so that the first call of one waits for nothing."""

    def run(self, tool: CatalogTool, arguments: Arguments, context: Context) -> str: ...


class Dispatcher:
    def __init__(self, catalog: Catalog, runner: Runner, services: Services, journal: Journal) -> None:
        self.catalog = catalog
        self._runner = runner
        self._services = services
        self._journal = journal

    def call(self, tool: CatalogTool, read: Callable[[], Given], *, caller: Caller, call: Call) -> str:
        """The output as JSON text, or the DomainError that says why not.

        What was given is read only once the scope is known to be there: whoever may not call a tool is told
        that, not what is wrong with the input.
        """
        if not tool.required_scopes <= caller.scopes:
            require_scopes(caller, tool.scopes, tool.name)
        arguments, idempotency_key = read()
        if idempotency_key is not None:
            call = call._replace(idempotency_key=checked_idempotency_key(idempotency_key))
        # By position, like everything on this path: names cost as much as the rest of the call.
        context = Context(caller, call, tool.name, self._services, self.catalog, self._call_again)
        return self._journal.shielded(call.request_id, lambda: self._runner.run(tool, arguments, context))

    def _call_again(self, context: Context, name: str, arguments: Arguments) -> str:
        """A tool that calls another: as the same caller, in the same call."""
        tool = self.catalog.get(name)
        given = (arguments, context.call.idempotency_key)
        return self.call(tool, lambda: given, caller=context.caller, call=context.call)


def checked_idempotency_key(key: object) -> str:
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
        self._one_at_a_time = Lock()

    def prepare(self, tools: Iterable[CatalogTool]) -> None:
        for tool in tools:
            self._load(tool)

    def run(self, tool: CatalogTool, arguments: Arguments, context: Context) -> str:
        run = self._run.get(tool.name) or self._load(tool)
        return run(arguments, context)

    def _load(self, tool: CatalogTool) -> Callable[[Arguments, Context], str]:
        # The router starts without pydantic and without any namespace.
        from forge.wire import execution

        # Two threads must not build one model at once.
        with self._one_at_a_time:
            run = self._run[tool.name] = partial(execution.execute, execution.load(tool))
        return run
