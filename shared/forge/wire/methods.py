"""The MCP methods that both eras share, and each era's table of them.

A method returns the members of its result as JSON text without the outer braces, so that an era can add
its own members without decoding anything.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from forge.context import Call, Caller, Door
from forge.contract.catalog import CatalogTool
from forge.contract.profiles import Selection
from forge.contract.spelling import Spelling
from forge.contract.terms import Artifact
from forge.errors import DomainError, InvalidInput, NotFound
from forge.jsontext import encode, quote
from forge.wire.dispatcher import Dispatcher, arguments_of, idempotency_key_of
from forge.wire.http import Request
from forge.wire.identity import Build, has_canonical_names, instructions_for, selection_of
from forge.wire.protocol import (
    INVALID_PARAMS,
    LATEST_LEGACY_VERSION,
    LEGACY_VERSIONS,
    META_SERVER,
    MODERN_VERSION,
    TASKS,
    TASKS_GET,
    Params,
    ProtocolError,
)

if TYPE_CHECKING:
    from forge.wire.polling import Glanced

_RPC = Door.RPC  # see forge.wire.execution
_BINARY = Artifact.BINARY
_CALL = "catalog.call"

CAPABILITIES: Mapping[str, Any] = {"tools": {}, "prompts": {}, "resources": {}, "completions": {}}
EXTENSIONS: Mapping[str, Any] = {"io.modelcontextprotocol/skills": {"directoryRead": True}, TASKS: {}}
"""What only the modern era has a place to say."""
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
# A long answer is sent once: twice, it might not fit through Lambda.
_MOST_TWICE = 100_000
# Distinct lists are few (profiles × scope sets of live keys); the bound only stops a hostile mix.
_MAX_LISTINGS = 256


class Exchange:
    """One message on the RPC door: the request it came with, its caller, and what became of it."""

    __slots__ = (
        "caller",
        "glanced",
        "idempotency_key",
        "now",
        "operation",
        "outcome",
        "place",
        "request",
        "takes_tasks",
    )

    def __init__(
        self,
        request: Request,
        caller: Caller,
        now: datetime,
        idempotency_key: str | None = None,
        place: int | None = None,
    ) -> None:
        self.request = request
        self.caller = caller
        self.now = now
        self.idempotency_key = idempotency_key
        """From the header, which speaks for every message of a batch by its place."""
        self.place = place
        self.takes_tasks = False
        """Whether its client can come back for an answer."""
        self.glanced: Glanced | None = None
        """What was read with the key of a call that is not counted."""
        self.operation = "message"
        self.outcome: str | None = None
        """How it ended, for the log line. Whoever leaves it open has not come back."""


class WholeResult(NamedTuple):
    """A result that is complete as it is, with notifications to stream before it."""

    text: str
    notifications: tuple[str, ...] = ()


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
    """Builds the two eras' tables over one dispatcher."""

    def __init__(self, dispatcher: Dispatcher, build: Build) -> None:
        self.dispatcher = dispatcher
        self.catalog = dispatcher.catalog
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
        return self._listed(exchange, self._legacy_listings, "")

    def _tools_list_cacheable(self, params: Params, exchange: Exchange) -> str:
        # Private: the list is pruned to the scopes of the key that asks.
        return self._listed(exchange, self._modern_listings, _CACHEABLE)

    def _listed(self, exchange: Exchange, known: Listings, more: str) -> str:
        key = (selection_of(exchange.request), exchange.caller.scopes)
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
        caller, request_id = exchange.caller, exchange.request.id
        try:
            allowed = self.dispatcher.allow(tool, caller)
            arguments = arguments_of(params)
            key = idempotency_key_of(params, exchange.idempotency_key, exchange.place)
            takes_tasks = exchange.takes_tasks
            call = Call(request_id, _RPC, key, has_canonical_names(exchange.request), takes_tasks=takes_tasks)
            answer = self.dispatcher.call(allowed, arguments, caller=caller, call=call)
            if takes_tasks and _WAITS in answer:
                from forge.wire.tasks import begun  # few answers are late, and the router starts without it

                return begun(answer, exchange, self.build) or self._shown(answer, tool, arguments)
            return self._shown(answer, tool, arguments)
        except DomainError as error:
            exchange.outcome = error.code.value
            return tool_failure(self._spelling(exchange).error(error.as_object(request_id)))

    def _task(self, params: Params, exchange: Exchange) -> str | WholeResult:
        from forge.wire.tasks import TaskDoor  # as above

        return TaskDoor(self.dispatcher, self.build, exchange).serve(params)

    def _offered(self, method: str, good_for: str) -> Method:
        def serve(params: Params, exchange: Exchange) -> str:
            from forge.wire.offering import Offered  # few ask for any of it, and the router starts without

            call = Call(exchange.request.id, _RPC, None, has_canonical_names(exchange.request))
            try:
                offered = Offered(self.dispatcher, exchange.caller, call)
                return offered.answer(method, params, arguments_of(params)) + good_for
            except DomainError as error:
                spelt = self._spelling(exchange).error(error.as_object(exchange.request.id))
                sentence = " ".join(filter(None, (spelt["message"], spelt.get("hint"))))
                raise ProtocolError(error.wire.rpc_code, sentence, spelt) from None

        return serve

    def _shown(self, answer: str, tool: CatalogTool, arguments: Mapping[str, object]) -> str:
        if tool.name == _CALL:
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


def tool_success(text: str) -> str:
    if len(text) > _MOST_TWICE:
        return f'"content":[{{"type":"text","text":{quote(text)}}}],"isError":false'
    structured = text if text != "null" else '{"value":null}'
    return (
        f'"content":[{{"type":"text","text":{quote(text)}}}],"structuredContent":{structured},"isError":false'
    )


def tool_failure(error: Mapping[str, object]) -> str:
    text = encode(error)
    return f'"content":[{{"type":"text","text":{quote(text)}}}],"structuredContent":{text},"isError":true'


def _members(result: Mapping[str, Any]) -> str:
    return encode(result)[1:-1]
