"""`/mcp`, the door for clients that sign in, and the way to whatever signs people in.

Loaded with the first request that asks for either: the router starts without it.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol

from forge.auth.entrance import KeyCheck, KeyStore
from forge.context import Door, Services
from forge.errors import DomainError, NotFound
from forge.wire.http import Request, Response
from forge.wire.journal import Journal
from forge.wire.methods import Eras
from forge.wire.paths import MCP_PATH, OAUTH_DOCUMENTS
from forge.wire.rpc import RpcDoor, refusal

if TYPE_CHECKING:
    from forge.wire.edge import Backend

SCOPES_OF_WORK = (
    *("READ_ISSUES", "WRITE_ISSUES", "READ_PROJECTS", "READ_COMMENTS", "WRITE_COMMENTS"),
    *("READ_USERS", "READ_ANALYTICS"),
)
"""What clients are told to ask for: reading and work. They ask for all that is named."""


class Ground(NamedTuple):
    """What whoever signs people in stands on."""

    services: Services
    keys: KeyStore
    journal: Journal
    settings: Mapping[str, str] = {}
    """Which OpenID provider people sign in with, if any; by the names of the environment."""

    @property
    def at(self) -> str:
        return self.services.public_url.rstrip("/")

    @property
    def issuer(self) -> str:
        return f"{self.at}/oauth"

    @property
    def resource(self) -> str:
        return f"{self.at}{MCP_PATH}"


class SignsIn(Protocol):
    def serve(self, request: Request) -> Response: ...


class _Module(Protocol):
    open_face: Callable[[Ground], SignsIn]


class SignInDoor:
    def __init__(
        self, backend: "Backend", eras: Eras, journal: Journal, module: str, settings: Mapping[str, str]
    ) -> None:
        services = backend.services
        self._ground = Ground(services, backend.keys, journal, settings)
        self._entrance = KeyCheck(backend.keys, services.tokens, self._ground.resource)
        self._rpc = RpcDoor(eras, self._entrance, journal, services.now)
        self._now = services.now
        self._module = module
        self._face: SignsIn | None = None

    def serve(self, request: Request) -> Response:
        if not self._ground.services.public_url:
            # Never from the Host header, which is the caller's to choose.
            raise NotFound("This server does not know its own address.", hint="Set PublicUrl of the stack.")
        if request.path == MCP_PATH:
            return self._called(request)
        return self._opened().serve(request)

    def _called(self, request: Request) -> Response:
        """As by the other door, but a token is asked for before anything else: clients probe with GET."""
        if request.method == "POST":
            response = self._rpc.serve(request)
        else:
            try:
                self._entrance.admit(request.headers, Door.RPC, self._now())
                response = self._rpc.serve(request)
            except DomainError as error:
                response = refusal(error, request.id)
        if response.status != 401:
            return response
        return Response(response.status, response.body, self._challenged(response))

    def _challenged(self, response: Response) -> dict[str, str]:
        """Where people sign in, for clients that read it here: API Gateway gives the header another name."""
        document = next(iter(OAUTH_DOCUMENTS))
        said = response.headers["www-authenticate"]
        told = (
            f'resource_metadata="{self._ground.at}{document}"',
            f'scope="{" ".join(SCOPES_OF_WORK)}"',
        )
        return {**response.headers, "www-authenticate": ", ".join((said, *told))}

    def _opened(self) -> SignsIn:
        if self._face is None:
            module: _Module = import_module(self._module)
            self._face = module.open_face(self._ground)
        return self._face
