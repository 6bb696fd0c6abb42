"""The secret that signs what a receiver is sent, and how another takes its place without a gap.

For a while both sign: the old one where receivers look, the new one beside it. Whoever looks at both can be
given the new secret at any moment of that while.
"""

from datetime import datetime, timedelta
from secrets import token_urlsafe
from typing import NamedTuple

from forge.errors import Conflict
from forge.store.items import Part


class NextSecret(Part):
    value: str
    since: datetime
    """From when on it is the only one."""


class Rotated(NamedTuple):
    secret: str
    following: NextSecret | None = None


class Signing(NamedTuple):
    """What a post is signed with, and what its second signature is made with, if it has one."""

    secret: str | None
    second: str | None = None


def new_secret() -> str:
    return f"whsec_{token_urlsafe(32)}"


def signing_of(secret: str | None, following: NextSecret | None, now: datetime) -> Signing:
    if following is None:
        return Signing(secret)
    return Signing(following.value) if now >= following.since else Signing(secret, following.value)


def rotated(
    secret: str | None, following: NextSecret | None, fresh: str, *, grace: timedelta, now: datetime
) -> Rotated:
    """The secrets of a receiver that gets another one; without a grace, the new one alone signs at once."""
    signing = signing_of(secret, following, now)
    if not grace or signing.secret is None:
        return Rotated(fresh)
    if following is not None and signing.second is not None:
        raise Conflict(
            f"Another secret is on its way, and signs alone from {following.since.isoformat()} on.",
            hint="Wait for that, or give graceHours 0: then the new one signs alone at once.",
        )
    return Rotated(signing.secret, NextSecret(value=fresh, since=now + grace))
