"""A sign-in that is on its way: what the browser keeps of it, signed, while its person is at the provider.

Only the browser that began it can end it, and only once: what comes back has to name the state in its cookie.
Nothing is stored before somebody has proved who they are, so nobody can fill the table by beginning.
"""

from base64 import urlsafe_b64encode
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from secrets import compare_digest, token_urlsafe
from typing import NamedTuple

from forge.auth.tokens import Tokens
from forge.errors import Conflict
from forge.store.items import Item
from forge.store.keys import At, Partition
from forge.store.places import KeptFor
from forge.store.transactions import Transaction

LIFETIME = timedelta(minutes=10)
_AUDIENCE = "forge-sign-in"
_KEPT = timedelta(hours=1)


class Departure(NamedTuple):
    state: str
    nonce: str
    verifier: str
    onward: str
    """Where the person was on the way to."""
    workspace: str
    """The slug that they said, if any."""

    @property
    def challenge(self) -> str:
        return urlsafe_b64encode(sha256(self.verifier.encode()).digest()).rstrip(b"=").decode()


class CameTwice(Conflict):
    """The answer to a sign-in was shown before."""


class SpentStateItem(Item):
    """That an attempt has ended: whoever shows it again gets nothing."""

    stored = At(Partition("OAUTH#STATE#{digest}", outside="nobody is known yet"), "SPENT")
    kept = KeptFor(_KEPT, since="ends_at")

    digest: str
    ends_at: datetime


def begin(onward: str, workspace: str) -> Departure:
    state, nonce, verifier = (token_urlsafe(32) for _ in range(3))
    return Departure(state, nonce, verifier, onward, workspace)


def sealed(attempt: Departure, tokens: Tokens, now: datetime) -> str:
    return tokens.seal(_AUDIENCE, attempt._asdict(), now, LIFETIME)


def unsealed(kept: str, state: str, tokens: Tokens, now: datetime) -> Departure | None:
    """The attempt of this browser, if it is the one that comes back and is not over."""
    claims = tokens.unseal(_AUDIENCE, kept, now)
    if claims is None or datetime.fromtimestamp(claims["exp"], UTC) <= now:
        return None
    attempt = Departure(*(str(claims.get(name, "")) for name in Departure._fields))
    return attempt if compare_digest(attempt.state.encode(), state.encode()) else None


def spend(tx: Transaction, attempt: Departure) -> None:
    """Once: in the transaction of whatever it leads to."""
    refusal = CameTwice("This sign-in has been used before.", hint="Begin again at /oauth/sign-in.")
    digest = sha256(attempt.state.encode()).hexdigest()
    tx.create(SpentStateItem(digest=digest, ends_at=tx.origin.now + LIFETIME), refusal=refusal)
