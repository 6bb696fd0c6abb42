"""The core behind every door: plain request in, plain response out, no framework."""

from collections.abc import Callable, Iterable, Mapping
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any, NamedTuple

from forge import deadline
from forge.auth.entrance import KeyCheck, KeyStore
from forge.context import Services
from forge.contract.catalog import Catalog
from forge.contract.catalog_tools import CatalogTool
from forge.contract.terms import Surface
from forge.errors import DomainError, NotFound
from forge.jsontext import encode
from forge.wire.hosts import require_host
from forge.wire.http import Request, Response, error_response, json_response
from forge.wire.identity import Build
from forge.wire.invocation import read_invocation, write_failure
from forge.wire.journal import Journal, write_to_stdout
from forge.wire.measures import Measures
from forge.wire.methods import Eras, Methods
from forge.wire.paths import (
    AI_CATALOG_PATH,
    API_PATH,
    DESCRIBE_PATH,
    EXPORT_PATH,
    GATEWAY_PATH,
    HEALTH_PATH,
    MCP_PATH,
    OAUTH_DOCUMENTS,
    OAUTH_PATH,
    RPC_PATH,
    SERVER_CARD_PATH,
    STREAM_PATH,
    TOOLS_PATH,
)
from forge.wire.rest import RestDoor
from forge.wire.rpc import RpcDoor, refusal
from forge.wire.switchboard import InlineRunner, Runner, Switchboard
from forge.work.record.links import CONSOLE_PATH, HOOK_PATH

if TYPE_CHECKING:
    from forge.wire.health import DeepHealth
    from forge.wire.sign_in import SignInDoor

_OFFERS = frozenset({"/api/mcp/prompts", "/api/mcp/resources"})
_CARDS = frozenset({SERVER_CARD_PATH, AI_CATALOG_PATH})
_GATEWAY_TOOL = "gateway.execute"
_RESCUING = frozenset({"workspaces.get", "workspaces.delete", "workspaces.restore"})
"""What an owner can still call in a workspace that is being deleted."""
_PUBLIC = {HEALTH_PATH: ("GET", "HEAD"), DESCRIBE_PATH: ("GET", "HEAD", "POST")}
_KEYS_NEED_NONE = (
    f"A key needs no sign-in: send it as `Authorization: Bearer forge_sk_…` to {RPC_PATH}; "
    f"clients that sign in connect to {MCP_PATH}."
)
_ADMIN = "/api/admin/"


def refusal_at(path: str, error: DomainError, request_id: str) -> Response:
    """The error in the words of the door that was knocked at."""
    if path == RPC_PATH or (path == MCP_PATH and not isinstance(error, NotFound)):
        return refusal(error, request_id)
    return error_response(error, request_id)


class Backend(NamedTuple):
    """What a deployment brings along: where keys live, and what tools reach."""

    keys: KeyStore
    services: Services
    prepare: Callable[[], object] = lambda: None
    """Makes what the first call would wait for; connects to nothing."""


class Options(NamedTuple):
    build: Build = Build()
    allowed_hosts: frozenset[str] = frozenset()
    """Empty where a gateway in front decides which hosts reach us."""
    runner: Runner | None = None
    """Where tools run; in this process unless said otherwise."""
    team: str = ""
    """Whose figures the log tells; without one it tells none."""
    by_namespace: bool = False
    """Whether it tells durations of each namespace, too."""
    write_log: Callable[[str], object] = write_to_stdout
    wait: Callable[[float], None] = sleep
    """How a follower waits for news, and an operator for an export."""
    extend: Callable[[Eras], Eras] = lambda eras: eras
    """Where the conformance fixtures come in."""
    oidc: Mapping[str, str] = {}
    """The provider that people sign in with, by the names of the environment."""
    oauth: str = ""
    """The module that signs people in and gives clients tokens; empty where keys are the only way in."""


class Edge:
    def __init__(self, catalog: Catalog, backend: Backend, options: Options) -> None:
        self.catalog = catalog
        self.allowed_hosts = options.allowed_hosts
        self._options = options
        self._now = now = backend.services.now
        measures = None
        if options.team:
            measures = Measures(options.team, catalog.tools, by_namespace=options.by_namespace)
        self._journal = Journal(now, options.write_log, measures)
        self._backend = backend
        self.services = backend.services
        at = backend.services.public_url.rstrip("/")
        entrance = KeyCheck(backend.keys, backend.services.tokens, f"{at}{API_PATH}")
        self._runner = runner = options.runner or InlineRunner()
        self._switchboard = switchboard = Switchboard(catalog, runner, backend.services, self._journal)
        eras = options.extend(Methods(switchboard, options.build).eras())
        self._eras = eras
        self._rpc = RpcDoor(eras, entrance, self._journal, now)
        self._rest = RestDoor(switchboard, entrance, self._journal, now)
        self._entrance = entrance
        self._description: str | None = None
        self._health: DeepHealth | None = None
        self._sign_in: SignInDoor | None = None

    def prepare(self, tools: Iterable[CatalogTool]) -> None:
        """Do now what the first call would wait for: the backend's client, and whatever runs these tools."""
        self._backend.prepare()
        self._runner.prepare(tools)

    def handle(self, request: Request, *, seconds: float = deadline.CALL_SECONDS) -> Response:
        """Answer one request, within so many seconds. Never raises."""
        begun = deadline.begin(seconds)
        try:
            return self._journal.shielded(request.id, self._route, request)
        except DomainError as error:
            return refusal_at(request.path, error, request.id)
        finally:
            deadline.end(begun)

    def invoke(self, event: Mapping[str, Any], *, seconds: float = deadline.CALL_SECONDS) -> dict[str, Any]:
        """Answer the router's call of a tool that lives in this function. Never raises."""
        begun = deadline.begin(min(seconds, event.get("seconds", seconds)))
        name, arguments, caller, call = read_invocation(event)
        started, now = perf_counter(), self._now()
        outcome = "ok"
        try:
            tool = self._switchboard.allow(self.catalog.invoked(name), caller)
            return {"text": self._switchboard.call(tool, arguments, caller=caller, call=call)}
        except DomainError as error:
            outcome = error.code.value
            return write_failure(error)
        finally:
            self._journal.record(
                call.request_id,
                name,
                door="invoke",
                outcome=outcome,
                now=now,
                started=started,
                caller=caller,
            )
            deadline.end(begun)

    def _route(self, request: Request) -> Response:
        if self.allowed_hosts:
            require_host(request.headers, self.allowed_hosts)
        path = request.path
        if path == RPC_PATH:
            return self._rpc.serve(request)
        if path in _PUBLIC:
            return self._public(request)
        if path == STREAM_PATH:
            return self._streamed(request)
        if path.startswith(HOOK_PATH):
            return self._told_by_github(request)
        if path == GATEWAY_PATH:
            return self._rest.serve(request, _GATEWAY_TOOL, Surface.MCP)
        if path in _OFFERS and request.method == "GET":
            return self._offered(request)
        if path in _CARDS:
            return self._found(request)
        if path.startswith(TOOLS_PATH):
            return self._rest.serve(request, path[len(TOOLS_PATH) :], Surface.MCP)
        if path == EXPORT_PATH and request.method == "POST":
            return self._exported(request)
        if path.startswith(_ADMIN):
            name = path[len(_ADMIN) :]
            return self._rest.serve(request, name, Surface.ADMIN, rescues=name in _RESCUING)
        if path == "/" and request.method == "GET" and "text/html" in request.headers.get("accept", ""):
            # A browser, whose person was given the bare address; clients that look around are told as ever.
            return Response(302, "", {"location": CONSOLE_PATH})
        signs_in = path == MCP_PATH or path.startswith(OAUTH_PATH) or path in OAUTH_DOCUMENTS
        if signs_in and self._options.oauth:
            return self._signed_in(request)
        if path == "/register" or path.startswith("/.well-known/"):
            raise NotFound(f"There is nothing at {path[:100]}.", hint=_KEYS_NEED_NONE)
        raise NotFound(
            f"There is nothing at {path[:100]}.",
            hint=f"MCP clients use POST {RPC_PATH}; GET {DESCRIBE_PATH} lists every tool; people open "
            f"{CONSOLE_PATH}.",
        )

    def _streamed(self, request: Request) -> Response:
        # Few functions are followed, and none starts with it.
        from forge.wire.streaming import StreamDoor

        return StreamDoor(self._switchboard, self._entrance, self._journal, self._options.wait).serve(request)

    def _offered(self, request: Request) -> Response:
        # As above.
        from forge.wire.offers_door import OffersDoor

        return OffersDoor(self._switchboard, self._entrance, self._journal).serve(request)

    def _found(self, request: Request) -> Response:
        # As above.
        from forge.wire import cards

        return cards.serve(request, self.services.public_url, lets_sign_in=bool(self._options.oauth))

    def _signed_in(self, request: Request) -> Response:
        # As above.
        from forge.wire.sign_in import SignInDoor

        if self._sign_in is None:
            self._sign_in = SignInDoor(
                self._backend, self._eras, self._journal, self._options.oauth, self._options.oidc
            )
        return self._sign_in.serve(request)

    def _told_by_github(self, request: Request) -> Response:
        # As above.
        from forge.wire.hooks import HookDoor

        return HookDoor(self._switchboard, self._journal).serve(request)

    def _exported(self, request: Request) -> Response:
        # As above.
        from forge.wire.exporting import ExportDoor

        return ExportDoor(self._switchboard, self._entrance, self._journal, self._options.wait).serve(request)

    def _public(self, request: Request) -> Response:
        if request.method not in _PUBLIC[request.path]:
            answer = error_response(NotFound(f"Read {request.path} with GET."), request.id)
            return json_response(405, answer.body, {"allow": ", ".join(_PUBLIC[request.path])})
        if request.path == DESCRIBE_PATH:
            return json_response(200, self._describe())
        server = self._options.build.server_info()
        if request.query.get("deep") == "1":
            return self._deep_health().answer(server)
        return json_response(200, encode({"status": "ok", **server}))

    def _deep_health(self) -> "DeepHealth":
        if self._health is None:
            # As above; few ask for it.
            from forge.wire.health import DeepHealth

            self._health = DeepHealth(self.services.store)
        return self._health

    def _describe(self) -> str:
        if self._description is None:
            tools = [
                {
                    "name": tool.name,
                    "path": f"/api/mcp/{tool.name}",
                    "description": tool.description,
                    "inputSchema": tool.input_schema,
                    "scopes": tool.scopes,
                    "effect": tool.effect,
                    "annotations": tool.annotations,
                }
                for tool in self.catalog.on(Surface.MCP)
            ]
            server = self._options.build.server_info()
            self._description = encode({"version": 1, "serverInfo": server, "tools": tools})
        return self._description
