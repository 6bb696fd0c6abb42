"""`/oauth/revoke`: a client gives back what it was given (RFC 7009), and the whole of it ends."""

from authlib.oauth2.rfc7009 import RevocationEndpoint

from forge.wire.http import Response
from forge.work.workspace.people.api_keys import ApiKeyItem
from functions.oauth import clients, families
from functions.oauth.clients import Client
from functions.oauth.server import Answer, AskedRequest, Server
from functions.oauth.visits import Visit


def revoke(visit: Visit) -> Response:
    asked = visit.form().single()
    # A hint that is none of ours helps nobody: it is as if there were none.
    asked.pop("token_type_hint", None)
    server = Server(visit)
    server.register_endpoint(Revocation)
    answer: Answer = server.create_endpoint_response("revocation", AskedRequest(visit, asked))
    return answer.response()


class _Held:
    def __init__(self, key: ApiKeyItem) -> None:
        self.key = key

    def check_client(self, client: Client) -> bool:
        return self.key.client is not None and self.key.client.id == client.id


class Revocation(RevocationEndpoint):  # type: ignore[misc]  # the library has no types
    CLIENT_AUTH_METHODS = clients.METHODS
    server: Server

    def create_endpoint_request(self, request: AskedRequest) -> AskedRequest:
        return request

    def query_token(self, token_string: str, token_type_hint: str | None) -> _Held | None:
        found = families.of_token(self.server.visit, token_string)
        return _Held(found) if found else None

    def revoke_token(self, token: _Held, request: AskedRequest) -> None:
        families.end(self.server.visit, token.key.workspace_id, token.key.id, tool="oauth.revoke")
