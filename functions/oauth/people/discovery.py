"""What a provider tells of itself: where it is asked for what, and the keys that it signs with.

Both are kept for an hour. A token that names a key nobody knows has the keys fetched once more, and not again
within a minute: else whoever sends tokens would have us ask as often as they like.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from forge.errors import Unavailable
from forge.jsontext import BadJson, decode
from forge.outbound.addresses import Disallowed
from forge.outbound.orders import AnswerLimits, Order, Reply, Unreachable
from forge.outbound.outbound import Outbound
from functions.oauth.people.providers import IdentityProvider, Misconfigured, require_address

KEPT_FOR = timedelta(hours=1)
DO_UNTIL = timedelta(hours=24)
"""So long what was fetched does when nothing newer can be had."""
ASKED_AGAIN_AFTER = timedelta(minutes=1)
MOST_KEYS = 50

_LIMITS = AnswerLimits(seconds=5.0, bytes=128 * 1024)
_ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")

Document = Mapping[str, Any]


class Metadata(NamedTuple):
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    takes_basic: bool
    """Whether the client's secret goes into a header, else into the form."""
    names_issuer: bool
    """Whether its answers say by whom they are (RFC 9207)."""


class _Fetched(NamedTuple):
    document: Document
    at: datetime
    tried_at: datetime


class Discovery:
    """Of one provider, for as long as the process lives."""

    def __init__(self, provider: IdentityProvider, outbound: Outbound, now: Callable[[], datetime]) -> None:
        self.provider = provider
        self._outbound = outbound
        self._now = now
        self._known: dict[str, _Fetched] = {}

    def metadata(self) -> Metadata:
        said = self._document(self.provider.discovery_url, KEPT_FOR)
        if said.get("issuer") != self.provider.issuer:
            raise _unusable("it calls itself by another issuer than the settings do")
        found = {name: str(said.get(name, "")) for name in _ENDPOINTS}
        try:
            for url in found.values():
                require_address(url.partition("?")[0], is_local=self.provider.is_local)
        except Misconfigured as problem:
            raise _unusable(str(problem)) from None
        # OpenID Connect Discovery: who says nothing takes it in a header.
        methods = said.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        names_issuer = said.get("authorization_response_iss_parameter_supported") is True
        return Metadata(**found, takes_basic="client_secret_basic" in methods, names_issuer=names_issuer)

    def keys(self, *, again: bool = False) -> list[Document]:
        """What it signs with; `again` where a token names one that is not among them."""
        age = ASKED_AGAIN_AFTER if again else KEPT_FOR
        listed = self._document(self.metadata().jwks_uri, age).get("keys")
        found = listed if isinstance(listed, list) else []
        return [key for key in found[:MOST_KEYS] if isinstance(key, dict)]

    def post(self, url: str, *, headers: Mapping[str, str], body: bytes) -> Document | None:
        """Its answer to a form; None where it refused."""
        reply = self._sent(Order(url, "POST", {**headers, "accept": "application/json"}, body))
        return _read(reply) if reply.status == 200 else None

    def _document(self, url: str, age: timedelta) -> Document:
        known, now = self._known.get(url), self._now()
        if known is not None and now < known.tried_at + age:
            return known.document
        try:
            fetched = _Fetched(self._fetched(url), now, now)
        except Unavailable:
            if known is None or now >= known.at + DO_UNTIL:
                raise
            # Nor is it asked again for each of those who come meanwhile.
            fetched = known._replace(tried_at=now)
        self._known[url] = fetched
        return fetched.document

    def _fetched(self, url: str) -> Document:
        reply = self._sent(Order(url, headers={"accept": "application/json"}))
        if reply.status != 200:
            raise _unavailable(f"it answered {reply.status}")
        return _read(reply)

    def _sent(self, order: Order) -> Reply:
        try:
            return self._outbound.send(order, limits=_LIMITS, allow=self.provider.allow)
        except (Unreachable, Disallowed) as problem:
            raise _unavailable(str(problem)) from None


def _read(reply: Reply) -> Document:
    try:
        found = decode(reply.body)
    except BadJson:
        found = None
    if not isinstance(found, dict):
        raise _unavailable("its answer is no JSON object, or too long")
    return found


def _unusable(why: str) -> Unavailable:
    return Unavailable(
        f"The OpenID provider can't be used: {why}.",
        hint="An operator looks at the settings of single sign-on; a key signs you in meanwhile.",
    )


def _unavailable(why: str) -> Unavailable:
    return Unavailable(
        f"The OpenID provider can't be asked just now: {why}.",
        hint="Try again in a moment, or sign in with a key.",
        retry_after_seconds=5,
    )
