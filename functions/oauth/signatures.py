"""A client proves itself by signing (private_key_jwt): for this server alone, for a moment, and once."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import jwt
from authlib.oauth2.rfc6749 import InvalidClientError

from forge.errors import Conflict
from functions.oauth.clients import Client
from functions.oauth.jwks import ALGORITHMS, usable_keys
from functions.oauth.stored.assertions import AssertionItem
from functions.oauth.visits import Visit, nobody

_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
_LONGEST = timedelta(minutes=5)
_LEEWAY = timedelta(seconds=30)
_MOST = 8_000


class Signed:
    """As the library calls its ways to know a client."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit

    def __call__(self, query_client: Callable[[object], Client | None], request: Any) -> Client | None:
        form = request.form
        assertion = form.get("client_assertion")
        if form.get("client_assertion_type") != _TYPE or not assertion:
            return None
        client = query_client(_claimed(assertion))
        if client is None:
            raise InvalidClientError(description="No client is known that signs so.")
        if form.get("client_id") not in (None, client.id):
            raise InvalidClientError(description="client_id is another's.")
        self._require_once(client, self._verified(client, assertion))
        return client

    def _verified(self, client: Client, assertion: str) -> dict[str, Any]:
        own = self._visit.ground
        for key in usable_keys(client.known.jwks or {}):
            try:
                claims: dict[str, Any] = jwt.decode(
                    assertion,
                    key,
                    algorithms=ALGORITHMS,
                    audience=[own.issuer, f"{own.issuer}/token"],
                    issuer=client.id,
                    subject=client.id,
                    # Compared with the product's own clock, below.
                    options={
                        "require": ["exp", "jti", "iss", "sub", "aud"],
                        "verify_exp": False,
                        "verify_iat": False,
                        "verify_nbf": False,
                    },
                )
            except jwt.PyJWTError:
                continue
            return claims
        raise InvalidClientError(description="The assertion is not signed by this client for this server.")

    def _require_once(self, client: Client, claims: dict[str, Any]) -> None:
        now = self._visit.services.now()
        ends = claims["exp"]
        left = ends - now.timestamp() if isinstance(ends, int | float) else float("nan")
        if not -_LEEWAY.total_seconds() < left <= _LONGEST.total_seconds() + _LEEWAY.total_seconds():
            raise InvalidClientError(description="The assertion must end within five minutes.")
        used = AssertionItem.of_client(client.id, str(claims["jti"])[:200], now + _LONGEST + 2 * _LEEWAY)
        tx = self._visit.begin(nobody(), "oauth.token")
        tx.create(used)
        try:
            self._visit.services.store.commit(tx)
        except Conflict:
            raise InvalidClientError(description="This assertion was used before.") from None


def _claimed(assertion: str) -> object:
    """Whose it says that it is; nothing is believed yet."""
    try:
        found = jwt.decode(assertion[:_MOST], options={"verify_signature": False})
    except jwt.PyJWTError:
        raise InvalidClientError(description="The assertion is no JWT.") from None
    return found.get("sub")
