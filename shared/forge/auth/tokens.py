"""Short-lived JWTs that stand for a key: its rate window, its scopes and its revocation stay the key's."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import cached_property
from hashlib import sha256
from typing import Any

from forge.errors import Unauthorized

ISSUER = "forge"
AUDIENCE = "forge-plugins"
LIFETIME = timedelta(seconds=300)

_ALGORITHM = "HS256"
_KEY_CLAIM = "keyHash"
_MAX_CACHED = 1024


class Tokens:
    """Mints and verifies tokens with the one secret of a deployment."""

    def __init__(self, fetch_secret: Callable[[], str]) -> None:
        self._fetch_secret = fetch_secret
        # Verification costs more than the rest of a call together, so it is done once per token.
        self._verified: dict[bytes, tuple[str, float]] = {}

    @cached_property
    def _secret(self) -> str:
        secret = self._fetch_secret()
        if len(secret.encode()) < 32:
            raise ValueError("the token secret needs at least 32 bytes")
        return secret

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
        return jwt.encode(claims, self._secret, algorithm=_ALGORITHM), expires_at

    def key_hash_of(self, token: str, now: datetime) -> str:
        """The hash of the key a valid token stands for, or Unauthorized."""
        digest = sha256(token.encode()).digest()
        cached = self._verified.get(digest)
        if cached is None:
            cached = self._verify(token)
            if len(self._verified) >= _MAX_CACHED:
                self._verified.clear()
            self._verified[digest] = cached
        key_hash, expires_at = cached
        if expires_at <= now.timestamp():
            self._verified.pop(digest, None)
            raise Unauthorized("The token has expired.", hint="Mint a new one with tokens.create.")
        return key_hash

    def _verify(self, token: str) -> tuple[str, float]:
        import jwt

        try:
            claims: dict[str, Any] = jwt.decode(
                token,
                self._secret,
                algorithms=[_ALGORITHM],
                issuer=ISSUER,
                audience=AUDIENCE,
                # Expiry is compared with the product's own clock, by the caller.
                options={"require": ["exp", "iat", "sub"], "verify_exp": False, "verify_iat": False},
            )
        except jwt.InvalidTokenError as error:
            raise Unauthorized(
                "The token is not valid.", hint="Mint a new one with tokens.create."
            ) from error
        key_hash, expires_at = claims.get(_KEY_CLAIM), claims["exp"]
        if not isinstance(key_hash, str) or not isinstance(expires_at, int | float):
            raise Unauthorized("The token is not valid.", hint="Mint a new one with tokens.create.")
        return key_hash, float(expires_at)
