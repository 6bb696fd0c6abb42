"""The MCP methods that both eras share, and each era's table of them.

A method returns the members of its result as JSON text without the outer braces, so that an era can add
its own members without decoding anything.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from forge.context import Call, Door
from forge.contract.catalog_tools import CatalogTool
from forge.contract.profiles import Selection
from forge.contract.spelling import Spelling
from forge.contract.terms import Artifact
from forge.errors import ASKS, DomainError, InvalidInput, NotFound
from forge.jsontext import encode
from forge.wire.exchange import CALL, Exchange, WholeResult
from forge.wire.identity import Build, has_canonical_names, instructions_for, selection_of
from forge.wire.modern import shows_apps
from forge.wire.protocol import (
    CAPABILITIES,
    EXTENSIONS,
    INVALID_PARAMS,
    LATEST_LEGACY_VERSION,
    LEGACY_VERSIONS,
    META_SERVER,
    MODERN_VERSION,
    REQUEST_STATE,
    TASKS_GET,
    Params,
    ProtocolError,
    may_ask,
    tool_failure,
    tool_success,
)
from forge.wire.switchboard import Allowed, Arguments, Switchboard, arguments_of, idempotency_key_of

if TYPE_CHECKING:
    from forge.wire.asking import Dialogue

_RPC = Door.RPC  # see forge.wire.execution
_BINARY = Artifact.BINARY

_WAITS = '"waits":{'
"""In an answer that a client can come back for. Within a text, its quotes would have backslashes."""
# Long enough to spare a busy client most listings, short enough that a new grant shows soon.
_LIST_TTL_MS = 300_000
_CACHEABLE = f',"ttlMs":{_LIST_TTL_MS},"cacheScope":"private"'
# What is read is work, and others are at it.
_FRESH = ',"ttlMs":0,"cacheScope":"private"'
_OFFERED = {
    "prompts/list": _CACHEABLE,
    "prompts/get": "",
    "resources/list": _CACHEABLE,
    "resources/templates/list": _CACHEABLE,
    "resources/read": _FRESH,
    "resources/directory/read": _CACHEABLE,
    "skills/list": _CACHEABLE,
    "skills/get": _CACHEABLE,
    "completion/complete": "",
}
"""What is offered besides tools, with what the modern era says of how long an answer is good for."""
# Distinct lists are few (profiles × scope sets of live keys); the bound only stops a hostile mix.
_MAX_LISTINGS = 256


Method = Callable[[Params, Exchange], str | WholeResult]


class Era(NamedTuple):
    methods: Mapping[str, Method]
    common_members: str
    """What every result of this era carries, as JSON text that begins with a comma, or nothing."""


Listings = dict[tuple[Selection, frozenset[str]], str]
"""The members of a `tools/list` result by what was asked for; kept, because they are long."""


class Eras(NamedTuple):
    modern: Era
    legacy: Era


class Methods:
    """Builds the two eras' tables over one switchboard."""

    def __init__(self, switchboard: Switchboard, build: Build) -> None:
        self.switchboard = switchboard
        self.catalog = switchboard.catalog
        self.build = build
        self._modern_listings: Listings = {}
        self._legacy_listings: Listings = {}

    def eras(self) -> Eras:
        return Eras(self._modern(), self._legacy())

    def _modern(self) -> Era:
        server = encode({META_SERVER: self.build.server_info()})
        return Era(
            methods={
                "server/discover": self._discover,
                "tools/list": self._tools_list_cacheable,
                "tools/call": self._tools_call,
                **dict.fromkeys((TASKS_GET, "tasks/update", "tasks/cancel"), self._task),
                **{name: self._offered(name, good_for) for name, good_for in _OFFERED.items()},
            },
            common_members=f',"resultType":"complete","_meta":{server}',
        )

    def _legacy(self) -> Era:
        return Era(
            methods={
                "initialize": self._initialize,
                "ping": lambda params, exchange: "",
                "tools/list": self._tools_list,
                "tools/call": self._tools_call,
                **{name: self._offered(name, "") for name in _OFFERED},
            },
            common_members="",
        )

    def _discover(self, params: Params, exchange: Exchange) -> str:
        return _members(
            {
                "supportedVersions": [MODERN_VERSION],
                "capabilities": {**CAPABILITIES, "extensions": EXTENSIONS},
                "instructions": self._instructions(exchange),
                "ttlMs": _LIST_TTL_MS,
                "cacheScope": "private",
            }
        )

    def _initialize(self, params: Params, exchange: Exchange) -> str:
        wanted = params.get("protocolVersion")
        is_known = isinstance(wanted, str) and wanted in LEGACY_VERSIONS
        return _members(
            {
                "protocolVersion": wanted if is_known else LATEST_LEGACY_VERSION,
                "capabilities": CAPABILITIES,
                "serverInfo": self.build.server_info(),
                "instructions": self._instructions(exchange),
            }
        )

    def _tools_list(self, params: Params, exchange: Exchange) -> str:
        return self._listed(selection_of(exchange.request), exchange, self._legacy_listings, "")

    def _tools_list_cacheable(self, params: Params, exchange: Exchange) -> str:
        # Private: the list is pruned to the scopes of the key that asks.
        selection = selection_of(exchange.request, has_apps=shows_apps(params))
        return self._listed(selection, exchange, self._modern_listings, _CACHEABLE)

    def _listed(self, selection: Selection, exchange: Exchange, known: Listings, more: str) -> str:
        key = (selection, exchange.caller.scopes)
        members = known.get(key)
        if members is None:
            if len(known) >= _MAX_LISTINGS:
                known.clear()
            try:
                members = known[key] = f'"tools":{self.catalog.listing(*key)}{more}'
            except InvalidInput as error:
                raise ProtocolError(INVALID_PARAMS, error.message, error.details) from None
        return members

    def _tools_call(self, params: Params, exchange: Exchange) -> str | WholeResult:
        name = params.get("name")
        if not isinstance(name, str):
            raise ProtocolError(INVALID_PARAMS, "tools/call needs the name of a tool.")
        try:
            tool = self.catalog.get(name)
        except NotFound as error:
            raise self._unknown_tool(error, exchange) from None
        exchange.operation = tool.name
        can_ask = may_ask(exchange.request.headers, params)
        dialogue: Dialogue | None = None
        arguments: Arguments = {}
        try:
            allowed = self.switchboard.allow(tool, exchange.caller)
            arguments = arguments_of(params)
            if can_ask and REQUEST_STATE in params:
                dialogue = self._dialogue(tool, params, arguments, exchange)
                arguments = dialogue.arguments
            return self._called(allowed, params, arguments, exchange, can_ask=can_ask)
        except DomainError as error:
            if can_ask and error.details and ASKS in error.details:
                dialogue = dialogue or self._dialogue(tool, params, arguments, exchange)
                if question := dialogue.ask(error):
                    return question
            exchange.outcome = error.code.value
            return tool_failure(self._spelling(exchange).error(error.as_object(exchange.request.id)))

    def _called(
        self, tool: Allowed, params: Params, arguments: Arguments, exchange: Exchange, *, can_ask: bool
    ) -> str | WholeResult:
        key = idempotency_key_of(params, exchange.idempotency_key, exchange.place)
        request, takes_tasks = exchange.request, exchange.takes_tasks
        asks = can_ask and (tool.confirms or tool.name == CALL)
        call = Call(
            request.id, _RPC, key, has_canonical_names(request), takes_tasks=takes_tasks, can_ask=asks
        )
        answer = self.switchboard.call(tool, arguments, caller=exchange.caller, call=call)
        if takes_tasks and _WAITS in answer:
            from forge.wire.tasks import begun  # few answers are late, and the router starts without it

            return begun(answer, exchange, self.build) or self._shown(answer, tool, arguments)
        return self._shown(answer, tool, arguments)

    def _dialogue(
        self, tool: CatalogTool, params: Params, arguments: Arguments, exchange: Exchange
    ) -> "Dialogue":
        from forge.wire.asking import Dialogue  # few calls are asked back about

        tokens = self.switchboard.services.tokens
        return Dialogue(tool, params, arguments, exchange, tokens=tokens, build=self.build)

    def _task(self, params: Params, exchange: Exchange) -> str | WholeResult:
        from forge.wire.tasks import TaskDoor  # as above

        return TaskDoor(self.switchboard, self.build, exchange).serve(params)

    def _offered(self, method: str, good_for: str) -> Method:
        def serve(params: Params, exchange: Exchange) -> str:
            from forge.wire.offering import answer  # few ask for any of it, and the router starts without

            return answer(method, params, exchange, self.switchboard) + good_for

        return serve

    def _shown(self, answer: str, tool: CatalogTool, arguments: Mapping[str, object]) -> str:
        if tool.name == CALL:
            # Its answer is that of the tool it called.
            tool = self.catalog.find(str(arguments.get("name"))) or tool
        if tool.content is None or tool.artifact != _BINARY:
            return tool_success(answer)
        from forge.wire.blocks import file_blocks

        return file_blocks(answer, content=tool.content, kind=tool.namespace)

    def _unknown_tool(self, error: NotFound, exchange: Exchange) -> ProtocolError:
        spelt = self._spelling(exchange).error(error.as_object(exchange.request.id))
        return ProtocolError(INVALID_PARAMS, f"{spelt['message']} {spelt['hint']}", spelt.get("details"))

    def _instructions(self, exchange: Exchange) -> str:
        return self._spelling(exchange).text(instructions_for(selection_of(exchange.request)))

    def _spelling(self, exchange: Exchange) -> Spelling:
        return self.catalog.spelling(canonical_names=has_canonical_names(exchange.request))


def _members(result: Mapping[str, Any]) -> str:
    return encode(result)[1:-1]
