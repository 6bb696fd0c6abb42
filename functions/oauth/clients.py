"""A client as the server's library asks about it, whichever way it became known."""

from hashlib import sha256
from hmac import compare_digest
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from authlib.oauth2.rfc6749 import ClientMixin

from forge.auth.keys import hash_of
from forge.jsontext import encode
from functions.oauth import documents, redirects, scopes
from functions.oauth.stored.clients import ClientItem
from functions.oauth.stored.documents import DocumentItem
from functions.oauth.visits import Visit

CODE, REFRESH, CREDENTIALS = "authorization_code", "refresh_token", "client_credentials"
SECRETS = ("client_secret_basic", "client_secret_post")
SIGNED = "private_key_jwt"
METHODS = ("none", *SECRETS, SIGNED)

FORGE_CLI = "forge-cli"
"""The one that everybody has: it reaches all of the product, where its person lets it."""
_ON_THIS_MACHINE = ["http://127.0.0.1/callback", "http://localhost/callback", "http://[::1]/callback"]


class Introduced(NamedTuple):
    id: str
    name: str
    redirect_uris: list[str]
    grant_types: tuple[str, ...] = (CODE, REFRESH)
    auth_method: str = "none"
    secret_hash: str | None = None
    jwks: dict[str, Any] | None = None
    host: str | None = None
    """Where it has proved to be known by."""
    digest: str = ""
    """Of what a person is shown of it, and of where answers go."""
    item: ClientItem | None = None


class Client(ClientMixin):  # type: ignore[misc]  # the library has no types
    def __init__(self, known: Introduced) -> None:
        self.known = known

    @property
    def id(self) -> str:
        return self.known.id

    @property
    def own_key(self) -> tuple[str, str] | None:
        """Of a worker's: the key that its tokens are of, by its workspace."""
        item = self.known.item
        return (item.workspace_id, item.key_id) if item and item.workspace_id and item.key_id else None

    def get_client_id(self) -> str:
        return self.known.id

    def get_default_redirect_uri(self) -> None:
        """Each says where its answer goes: nothing is guessed."""

    def get_allowed_scope(self, scope: str | None) -> str | None:
        """What there is of what was asked for; the usual where nothing was."""
        if not scope or not scope.strip():
            return scopes.written(scopes.DEFAULT)
        return scopes.written(scopes.known(scope)) or None

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return redirects.is_registered(redirect_uri, self.known.redirect_uris)

    def check_client_secret(self, client_secret: str) -> bool:
        held = self.known.secret_hash
        return held is not None and compare_digest(held, hash_of(client_secret))

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        own = self.known.auth_method
        return method == own or (own in SECRETS and method in SECRETS)

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code" and CODE in self.known.grant_types

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type in self.known.grant_types


def find(visit: Visit, client_id: object) -> Client | None:
    """None where nobody is known by this id, or not any more."""
    if not isinstance(client_id, str) or not client_id:
        return None
    if client_id == FORGE_CLI:
        return Client(Introduced(FORGE_CLI, "Forge on a command line", _ON_THIS_MACHINE, digest="built in"))
    if documents.is_address(client_id):
        document = documents.find(visit, client_id)
        return Client(_of_document(document)) if document else None
    item = visit.table.find(ClientItem, ClientItem.at(client_id[:100]))
    if item is None or item.ends_at <= visit.services.now():
        return None
    return Client(_of_item(item))


def _of_document(document: DocumentItem) -> Introduced:
    return Introduced(
        document.client_id,
        document.name,
        document.redirect_uris,
        auth_method=document.auth_method,
        jwks=document.jwks,
        host=urlsplit(document.client_id).netloc,
        digest=document.digest,
    )


def _of_item(item: ClientItem) -> Introduced:
    return Introduced(
        item.id,
        item.name,
        item.redirect_uris,
        grant_types=tuple(item.grant_types),
        auth_method=item.auth_method,
        secret_hash=item.secret_hash,
        jwks=item.jwks,
        digest=sha256(encode([item.name, item.redirect_uris]).encode()).hexdigest(),
        item=item,
    )
