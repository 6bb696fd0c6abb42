"""The library's authorization server on plain requests and answers, with what it leaves open closed.

It authenticates clients, and checks and answers the grants. What it takes too lightly is refused before it is
asked, or by checks that are hung into its grants: other methods of PKCE than S256, parameters given twice,
text that it can't repeat in an error, and resources, of which it knows nothing.
"""

import re
from base64 import b64decode
from binascii import Error as BadBase64
from collections.abc import Mapping, Sequence
from typing import Any

from authlib.oauth2.base import OAuth2Error
from authlib.oauth2.rfc6749 import AuthorizationServer, InvalidRequestError, OAuth2Request
from authlib.oauth2.rfc6749.requests import BasicOAuth2Payload
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc9207 import IssuerParameter

from forge.jsontext import encode
from forge.wire.http import Response
from forge.wire.paths import API_PATH
from functions.oauth import clients, refusals, replies, signatures
from functions.oauth.clients import Client
from functions.oauth.visits import Visit

_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
_S256 = "S256"


class InvalidTarget(OAuth2Error):  # type: ignore[misc]  # the library has no types
    error = "invalid_target"
    description = "Name the resource that the metadata of this server names."


class Answer:
    """What the library makes of a request; its extensions may change where that leads."""

    def __init__(self, status: int, body: object, headers: Sequence[tuple[str, str]]) -> None:
        self.status = status
        self.body = body
        self.headers = {name.lower(): value for name, value in headers}

    @property
    def location(self) -> str | None:
        return self.headers.get("location")

    @location.setter
    def location(self, value: str) -> None:
        self.headers["location"] = value

    def response(self) -> Response:
        text = self.body if isinstance(self.body, str) else encode(self.body)
        # A browser is led on with GET, whatever it asked with; what has no place to go is for programs.
        status, shared = (303, {}) if self.location else (self.status, replies.FOR_PAGES)
        return Response(status, text, {**shared, **self.headers, **replies.NO_STORE})


class AskedRequest(OAuth2Request):  # type: ignore[misc]  # as above
    def __init__(self, visit: Visit, parameters: Mapping[str, str]) -> None:
        # By our own name: what the caller called us decides nothing.
        authorization = visit.request.headers.get("authorization", "")
        headers = {"Authorization": authorization} if _is_readable(authorization) else {}
        super().__init__(visit.request.method, visit.ground.issuer, headers=headers)
        self.payload = BasicOAuth2Payload(dict(parameters))
        self.concerned: tuple[str, str] | None = None
        """Workspace and key that a refusal is about, where they are known."""

    @property
    def form(self) -> dict[str, str]:
        found: dict[str, str] = self.payload.data
        return found

    args = form


class Server(AuthorizationServer):  # type: ignore[misc]  # as above
    """One for each request: it carries whose that is."""

    def __init__(self, visit: Visit) -> None:
        super().__init__()
        self.visit = visit
        self.names_us = NamesUs(visit.ground.issuer)
        self.register_extension(self.names_us)
        self.register_client_auth_method(clients.SIGNED, signatures.Signed(visit))

    def query_client(self, client_id: object) -> Client | None:
        return clients.find(self.visit, client_id)

    def create_oauth2_request(self, request: AskedRequest) -> AskedRequest:
        return request

    def handle_response(self, status: int, body: object, headers: Sequence[tuple[str, str]]) -> Answer:
        return Answer(status, body, headers)

    def handle_error_response(self, request: AskedRequest, error: OAuth2Error) -> Answer:
        self.visit.outcome = str(error.error)
        if error.error == "invalid_client":
            # By this, clients know that they have to register anew.
            error.status_code = 401
        if request.concerned is not None:
            workspace_id, key_id = request.concerned
            why = str(error.get_error_description() or error.error)
            refusals.note(self.visit, str(error.error), why, workspace_id=workspace_id, key_id=key_id)
        answer: Answer = super().handle_error_response(request, error)
        return answer

    def send_signal(self, name: str, *args: object, **kwargs: object) -> None:
        """Nobody listens."""


class NamesUs(IssuerParameter):  # type: ignore[misc]  # as above
    """Each answer says whose it is, so that a client which knows several servers confuses none."""

    def __init__(self, issuer: str) -> None:
        self._issuer = issuer

    def get_issuer(self) -> str:
        return self._issuer


class OnlyS256(CodeChallenge):  # type: ignore[misc]  # as above
    """The library lets go what has no challenge, and takes one without a method for plain."""

    DEFAULT_CODE_CHALLENGE_METHOD = _S256
    SUPPORTED_CODE_CHALLENGE_METHOD = [_S256]

    def validate_code_challenge(self, grant: Any, redirect_uri: str) -> None:
        asked = grant.request.payload.data
        if asked.get("code_challenge_method") != _S256:
            raise InvalidRequestError("code_challenge_method must be S256.")
        if not _CHALLENGE.fullmatch(asked.get("code_challenge", "")):
            raise InvalidRequestError("code_challenge must be the S256 challenge of a verifier.")


class OurResource:
    """A token is for one address, which was asked for and is ours."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit

    def __call__(self, grant: Any) -> None:
        grant.register_hook("after_validate_authorization_request_payload", self._check)

    def _check(self, grant: Any, _: str) -> None:
        resource = grant.request.payload.data.get("resource")
        if resource not in resources_for(self._visit, grant.request.client):
            raise InvalidTarget


def resources_for(visit: Visit, client: Client) -> list[str]:
    """What a client may ask for: /mcp, and the whole of the API only our own and those of workers."""
    is_ours = client.id == clients.FORGE_CLI or client.own_key is not None
    api = f"{visit.at}{API_PATH}"
    return [visit.ground.resource, api] if is_ours else [visit.ground.resource]


def _is_readable(authorization: str) -> bool:
    """Whether the library can take it apart: it expects UTF-8 of whoever sends a secret."""
    scheme, _, credential = authorization.partition(" ")
    if scheme.lower() != "basic":
        return False
    try:
        b64decode(credential, validate=True).decode()
    except (BadBase64, ValueError):
        return False
    return True
