"""The live keys of a member or an agent, each hash with its expiry: few enough for one transaction."""

from collections.abc import Mapping
from datetime import datetime

from forge.errors import PreconditionFailed

MAX_LIVE_KEYS = 50

LiveKeys = Mapping[str, datetime | None]


def live_at(known: LiveKeys, now: datetime) -> dict[str, datetime | None]:
    """Without those that have expired, which may be gone."""
    return {key_hash: expiry for key_hash, expiry in known.items() if expiry is None or expiry > now}


def is_full(known: LiveKeys, now: datetime) -> bool:
    return len(live_at(known, now)) >= MAX_LIVE_KEYS


def added(
    known: LiveKeys, key_hash: str, *, expires_at: datetime | None, now: datetime
) -> dict[str, datetime | None]:
    """The live keys with one more; expired ones are dropped first, and a full ring is refused."""
    live = live_at(known, now)
    if is_full(live, now):
        raise PreconditionFailed(
            f"There are {MAX_LIVE_KEYS} live keys of this user or agent in this workspace already.",
            hint="Revoke one that is not used any more.",
        )
    return {**live, key_hash: expires_at}


def removed(known: LiveKeys, *key_hashes: str) -> dict[str, datetime | None]:
    return {one: expiry for one, expiry in known.items() if one not in key_hashes}
