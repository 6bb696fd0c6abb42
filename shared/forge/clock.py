"""The real clock and the real ids: the only places that ask the machine for either."""

from datetime import UTC, datetime
from time import time_ns


def system_now() -> datetime:
    """Now, to the millisecond: what is stored and what is compared must be the same value."""
    return datetime.fromtimestamp(time_ns() // 1_000_000 / 1000, UTC)


def new_id(prefix: str) -> str:
    """`iss_01J…`: prefixed, unique, and sortable by the time of its making."""
    from ulid import ULID  # on first use: reads need no ids, and it costs a cold start 60 ms

    return f"{prefix}_{ULID()}"
