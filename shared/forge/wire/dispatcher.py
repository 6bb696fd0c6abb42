"""Runs a tool for a caller: scope, input, actor and mode, then the tool. The same for every door."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from forge.auth.gate import require_scopes
from forge.context import Call, Caller, Context, Services
from forge.contract.catalog import Catalog, CatalogTool
from forge.wire.journal import Journal

if TYPE_CHECKING:
    from forge.contract.tools import AnyTool

Arguments = Mapping[str, object]


class Runner(Protocol):
    """Where a tool runs: in this process, or in its namespace's own function."""

    def run(self, tool: CatalogTool, arguments: Arguments, context: Context) -> str: ...


class Dispatcher:
    def __init__(self, catalog: Catalog, runner: Runner, services: Services, journal: Journal) -> None:
        self.catalog = catalog
        self._runner = runner
        self._services = services
        self._journal = journal

    def call(
        self, tool: CatalogTool, read_arguments: Callable[[], Arguments], *, caller: Caller, call: Call
    ) -> str:
        """The output as JSON text, or the DomainError that says why not.

        Arguments are read only once the scope is known to be there: whoever may not call a tool is told
        that, not what is wrong with the input.
        """
        if not tool.required_scopes <= caller.scopes:
            require_scopes(caller, tool.scopes, tool.name)
        arguments = read_arguments()
        context = self._context(tool, caller, call)
        return self._journal.shielded(call.request_id, lambda: self._runner.run(tool, arguments, context))

    def _context(self, tool: CatalogTool, caller: Caller, call: Call) -> Context:
        def call_tool(name: str, arguments: Arguments) -> str:
            return self.call(self.catalog.get(name), lambda: arguments, caller=caller, call=call)

        return Context(caller, call, tool.name, self._services, self.catalog, call_tool)


class InlineRunner:
    """Runs tools in this process, importing what that needs when the first one is called."""

    def __init__(self) -> None:
        self._tools: dict[str, AnyTool] = {}

    def run(self, tool: CatalogTool, arguments: Arguments, context: Context) -> str:
        # The router starts without pydantic and without any namespace.
        from forge.wire import execution

        declared = self._tools.get(tool.name)
        if declared is None:
            declared = self._tools[tool.name] = execution.load(tool)
        return execution.execute(declared, arguments, context)
