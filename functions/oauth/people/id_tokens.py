"""ID tokens: whether one is the provider's, for us, for this sign-in and still good, and whom it is about."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

import jwt
from jwt import PyJWK
from jwt.types import Options

from functions.oauth.jwks import key_in
from functions.oauth.people.discovery import Document
from functions.oauth.people.providers import IdentityProvider
from functions.oauth.people.tenants import is_key_of, issuer_of

ALGORITHMS = frozenset(
    {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}
)
"""Those by which only the provider can have signed: with a shared secret, or none, anybody could."""
LEEWAY = timedelta(seconds=60)
"""So far clocks may be apart."""
LONGEST = 32 * 1024
_FEWEST_BITS = 2048
_OPTIONS: Options = {
    "require": ["exp", "iat"],
    # By the library, whose clock is the machine's: all of these are looked at here.
    "verify_exp": False,
    "verify_nbf": False,
    "verify_iat": False,
    "verify_aud": False,
    "verify_iss": False,
}


class Flaw(StrEnum):
    """What is wrong with a token, as the audit knows it."""

    MALFORMED = "malformed-token"
    ALGORITHM = "wrong-algorithm"
    KEY = "unknown-key"
    SIGNATURE = "wrong-signature"
    ISSUER = "wrong-issuer"
    AUDIENCE = "wrong-audience"
    EXPIRED = "expired-token"
    NONCE = "wrong-nonce"


class BadToken(Exception):
    def __init__(self, flaw: Flaw) -> None:
        super().__init__(flaw.value)
        self.flaw = flaw


class Keys(Protocol):
    def __call__(self, *, again: bool = False) -> Sequence[Document]:
        """The provider's keys; `again` where they may have changed since."""


class Expected(NamedTuple):
    provider: IdentityProvider
    nonce: str
    now: datetime


def verified(token: str, keys: Keys, expected: Expected) -> Mapping[str, Any]:
    """The claims of a good token; BadToken with what is wrong with any other."""
    header = _header_of(token)
    claims = _signed(token, header, keys)
    _require_ours(claims, expected)
    return claims


def _header_of(token: str) -> Mapping[str, Any]:
    if len(token) > LONGEST:
        raise BadToken(Flaw.MALFORMED)
    try:
        header: dict[str, Any] = jwt.get_unverified_header(token)
    except jwt.InvalidTokenError:
        raise BadToken(Flaw.MALFORMED) from None
    algorithm = header.get("alg")
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        raise BadToken(Flaw.ALGORITHM)
    if "crit" in header:
        # What must be understood, and is not.
        raise BadToken(Flaw.MALFORMED)
    return header


def _signed(token: str, header: Mapping[str, Any], keys: Keys) -> Mapping[str, Any]:
    found = _fitting(keys(), header) or _fitting(keys(again=True), header)
    if not found:
        raise BadToken(Flaw.KEY)
    for document, key in found:
        try:
            claims: dict[str, Any] = jwt.decode(token, key, algorithms=[str(header["alg"])], options=_OPTIONS)
        except jwt.InvalidSignatureError:
            continue
        except jwt.InvalidTokenError:
            raise BadToken(Flaw.MALFORMED) from None
        if not is_key_of(document, claims):
            raise BadToken(Flaw.ISSUER)
        return claims
    raise BadToken(Flaw.SIGNATURE)


def _fitting(listed: Sequence[Document], header: Mapping[str, Any]) -> list[tuple[Document, PyJWK]]:
    """Keys that may have signed it: the one that it names, or, where it names none, all of that kind."""
    kid, algorithm = header.get("kid"), str(header["alg"])
    found = []
    for document in listed:
        is_named = kid is None or document.get("kid") == kid
        if not is_named or document.get("use", "sig") != "sig" or document.get("kty") == "oct":
            continue
        if document.get("alg", algorithm) != algorithm:
            continue
        key = key_in(document, algorithm)
        is_long = getattr(key and key.key, "key_size", _FEWEST_BITS) >= _FEWEST_BITS
        if key and (is_long or document["kty"] != "RSA"):
            found.append((document, key))
    return found


def _require_ours(claims: Mapping[str, Any], expected: Expected) -> None:
    provider, now = expected.provider, expected.now.timestamp()
    if claims.get("iss") != issuer_of(provider.issuer, claims):
        raise BadToken(Flaw.ISSUER)
    audience, party = claims.get("aud"), claims.get("azp")
    heard = audience if isinstance(audience, list) else [audience]
    # OpenID Connect Core 3.1.3.7: whoever shares a token with others must be the one it was made for.
    if provider.client_id not in heard or (party is None and len(heard) > 1):
        raise BadToken(Flaw.AUDIENCE)
    if party is not None and party != provider.client_id:
        raise BadToken(Flaw.AUDIENCE)
    if not claims.get("nonce") or claims["nonce"] != expected.nonce:
        raise BadToken(Flaw.NONCE)
    times = [claims.get(name, 0) for name in ("exp", "iat", "nbf")]
    if any(isinstance(one, bool) or not isinstance(one, int | float) for one in times):
        raise BadToken(Flaw.MALFORMED)
    ends, made, begins = times
    leeway = LEEWAY.total_seconds()
    if ends <= now - leeway or made > now + leeway or begins > now + leeway:
        raise BadToken(Flaw.EXPIRED)
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= 255:
        raise BadToken(Flaw.MALFORMED)
