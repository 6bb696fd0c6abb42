"""Short-lived JWTs that stand for a key: its rate window, its scopes and its revocation stay the key's."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple

from forge.errors import Unauthorized, Unavailable

ISSUER = "forge"
AUDIENCE = "forge-plugins"
LIFETIME = timedelta(seconds=300)

KEPT_FOR = timedelta(minutes=5)
"""So long a process goes on with the secrets as it knows them."""
_KNOWN_TO_ALL = 2 * KEPT_FOR
"""After this, every process knows of a new secret: until then nothing is signed with it."""

_ALGORITHM = "HS256"
_KEY_CLAIM = "keyHash"
_MAX_CACHED = 1024


class SigningSecrets(NamedTuple):
    """The secret of a deployment, and the one before it for as long as something may be signed with it."""

    current: str
    previous: str | None = None
    since: datetime | None = None
    """When the current one took the place of the previous."""

    def signing(self, now: datetime) -> str:
        is_known = self.since is None or now >= self.since + _KNOWN_TO_ALL
        return self.current if self.previous is None or is_known else self.previous

    def verifying(self, now: datetime) -> list[str]:
        if self.previous is None or self.since is None or now >= self.since + _KNOWN_TO_ALL + LIFETIME:
            return [self.current]
        return [self.current, self.previous]


class Tokens:
    """Mints and verifies tokens with the secrets of a deployment."""

    def __init__(self, fetch: Callable[[], SigningSecrets]) -> None:
        self._fetch = fetch
        self._known: SigningSecrets | None = None
        self._known_until: datetime | None = None
        # Verification costs more than the rest of a call together, so it is done once per token.
        self._verified: dict[bytes, tuple[str, float]] = {}

    def _secrets(self, now: datetime) -> SigningSecrets:
        if self._known is None or self._known_until is None or now >= self._known_until:
            self._known = self._fetched()
            self._known_until = now + KEPT_FOR
        return self._known

    def _fetched(self) -> SigningSecrets:
        """The current secrets; while they can't be fetched, those that are known."""
        try:
            found = self._fetch()
        except Unavailable:
            if self._known is None:
                raise
            return self._known
        if any(len(one.encode()) < 32 for one in (found.current, found.previous) if one is not None):
            raise ValueError("the token secret needs at least 32 bytes")
        return found

    def mint(
        self,
        *,
        subject: str,
        workspace_id: str,
        key_hash: str,
        now: datetime,
        latest: Iterable[datetime] = (),
    ) -> tuple[str, datetime]:
        """A token, and when it ends: after its lifetime, or at the first of `latest`."""
        import jwt  # on first use: a cold start does without it

        expires_at = min([now + LIFETIME, *latest])
        claims = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": subject,
            "workspaceId": workspace_id,
            _KEY_CLAIM: key_hash,
            "iat": int(now.timestamp()),
            "exp": int(expires_at.timestamp()),
        }
        return jwt.encode(claims, self._secrets(now).signing(now), algorithm=_ALGORITHM), expires_at

    def seal(self, audience: str, claims: Mapping[str, Any], now: datetime, lifetime: timedelta) -> str:
        """What a caller keeps for us, who can't change it. It is nothing that opens a door."""
        import jwt

        signed = {**claims, "aud": audience, "exp": int((now + lifetime).timestamp())}
        return jwt.encode(signed, self._secrets(now).signing(now), algorithm=_ALGORITHM)

    def unseal(self, audience: str, sealed: str, now: datetime) -> dict[str, Any] | None:
        """What was sealed, with when it ends (`exp`); None where it is none of ours."""
        import jwt

        for secret in self._secrets(now).verifying(now):
            try:
                claims: dict[str, Any] = jwt.decode(
                    sealed,
                    secret,
                    algorithms=[_ALGORITHM],
                    audience=audience,
                    options={"require": ["exp"], "verify_exp": False},
                )
            except jwt.InvalidTokenError:
                continue
            return claims
        return None

    def key_hash_of(self, token: str, now: datetime) -> str:
        """The hash of the key a valid token stands for, or Unauthorized."""
        digest = sha256(token.encode()).digest()
        cached = self._verified.get(digest)
        if cached is None:
            cached = self._verify(token, now)
            if len(self._verified) >= _MAX_CACHED:
                self._verified.clear()
            self._verified[digest] = cached
        key_hash, expires_at = cached
        if expires_at <= now.timestamp():
            self._verified.pop(digest, None)
            raise Unauthorized("The token has expired.", hint="Mint a new one with tokens.create.")
        return key_hash

    def _verify(self, token: str, now: datetime) -> tuple[str, float]:
        import jwt

        current, *previous = self._secrets(now).verifying(now)
        try:
            try:
                return _read(token, current)
            except jwt.InvalidSignatureError:
                if not previous:
                    raise
                return _read(token, previous[0])
        except jwt.InvalidTokenError as error:
            raise _not_valid() from error


def _read(token: str, secret: str) -> tuple[str, float]:
    """The hash of a key, and when the token ends."""
    import jwt

    claims: dict[str, Any] = jwt.decode(
        token,
        secret,
        algorithms=[_ALGORITHM],
        issuer=ISSUER,
        audience=AUDIENCE,
        # Expiry is compared with the product's own clock, by the caller.
        options={"require": ["exp", "iat", "sub"], "verify_exp": False, "verify_iat": False},
    )
    key_hash, expires_at = claims.get(_KEY_CLAIM), claims["exp"]
    if not isinstance(key_hash, str) or not isinstance(expires_at, int | float):
        raise _not_valid()
    return key_hash, float(expires_at)


def _not_valid() -> Unauthorized:
    return Unauthorized("The token is not valid.", hint="Mint a new one with tokens.create.")
