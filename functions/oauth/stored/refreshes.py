"""Refresh tokens: each is used once, and what follows it can be found again for as long as answers get lost.

What follows is made of the token itself and of a salt that is stored. So nobody who reads the table knows it,
and whoever brings the same token again in time is given the same answer.
"""

from base64 import urlsafe_b64encode
from datetime import datetime, timedelta
from hmac import digest
from secrets import token_bytes, token_hex
from typing import NamedTuple

from forge.auth.keys import RAW_PREFIX
from forge.store.items import Item
from forge.store.keys import At, Partition
from forge.store.places import KeptFor

PREFIX = "forge_rt_"
GRACE = timedelta(seconds=30)


class RefreshItem(Item):
    stored = At(Partition("OAUTH#REFRESH#{token_hash}", outside="a client says nothing else"), "REFRESH")
    kept = KeptFor(since="expires_at")

    token_hash: str
    workspace_id: str
    key_id: str
    """The family: the key that all of its tokens are of."""
    client_id: str
    expires_at: datetime
    spent_at: datetime | None = None
    salt: str | None = None
    """Of a spent one: with the token itself, what it was exchanged for."""
    scopes: set[str] = set()
    """Of a spent one: what the token that it was exchanged for may do."""
    access_ends_at: datetime | None = None


class Successor(NamedTuple):
    access_secret: bytes
    refresh: str


def first() -> str:
    return _raw(token_bytes(32))


def new_salt() -> str:
    return token_hex(16)


def successor(raw: str, salt: str) -> Successor:
    made = (digest(raw.encode(), f"{use}:{salt}".encode(), "sha256") for use in ("access", "refresh"))
    access, refresh = made
    return Successor(access, _raw(refresh))


def access_of(following: Successor) -> str:
    """The token as `forge.auth.keys` writes one of this secret."""
    return RAW_PREFIX + urlsafe_b64encode(following.access_secret).rstrip(b"=").decode()


def _raw(secret: bytes) -> str:
    return PREFIX + urlsafe_b64encode(secret).rstrip(b"=").decode()
