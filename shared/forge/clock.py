"""The real clock and the real ids: the only places that ask the machine for either."""

from datetime import UTC, datetime


def system_now() -> datetime:
    """Now, to the millisecond: what is stored and what is compared must be the same value."""
    now = datetime.now(UTC)  # noqa: TID251 - the one clock that ctx.now() comes from
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


def new_id(prefix: str) -> str:
    """`iss_01J…`: prefixed, unique, and sortable by the time of its making."""
    from ulid import ULID  # on first use: reads need no ids, and it costs a cold start 60 ms

    return f"{prefix}_{ULID()}"
