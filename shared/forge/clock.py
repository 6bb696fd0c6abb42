"""The real clock, ids and chance: the only places that ask the machine for any of them."""

from datetime import UTC, datetime
from os import urandom
from time import time_ns


def system_now() -> datetime:
    """Now, to the millisecond: what is stored and what is compared must be the same value."""
    return datetime.fromtimestamp(time_ns() // 1_000_000 / 1000, UTC)


def new_id(prefix: str) -> str:
    """`iss_01J…`: prefixed, unique, and sortable by the time of its making."""
    from ulid import ULID  # on first use: the router makes no ids, and starts without what this imports

    return f"{prefix}_{ULID()}"


def random_between(shortest: float, longest: float) -> float:
    """A pause of any length in between, so that those who collided don't collide again.

    From the operating system: functions restored from one snapshot would share a seeded sequence, and go on
    colliding.
    """
    return shortest + (longest - shortest) * int.from_bytes(urandom(4)) / 2**32


def full_jitter(attempt: int, *, first: float, longest: float) -> float:
    """How long to wait after this attempt, counted from 0: at most twice as long each time.

    From the whole of that range, which parts a crowd soonest.
    """
    return random_between(0, min(longest, first * 2.0 ** min(attempt, 30)))
