"""Rate windows: fixed minutes, one count per key and door, and where a workspace has a ceiling one for it.

A window counts up to the limit of its door whatever the key's own limit is: it begins that much further on,
or further back. So the one write that admits a call need not know which limit it is.
"""

from collections.abc import Mapping
from datetime import datetime
from math import ceil

from forge.context import Door

WINDOW_SECONDS = 60

LIMITS: Mapping[Door, int] = {Door.RPC: 600, Door.REST: 300}


LOWEST, HIGHEST = 1, 6_000
"""What the limit of a key may be, by each door."""
LOWEST_CEILING, HIGHEST_CEILING = 10, 1_000_000


QUIET = 10
"""Calls in a minute."""
REMEMBERED_SECONDS = 300
"""So late a changed limit reaches a key that is seldom used, at the latest."""


def begun(door: Door, granted: int) -> int:
    """Where the count of a window stands with its first call, if so many are granted."""
    return LIMITS[door] - granted + 1


def portion_of(ceiling: int, granted: int) -> int:
    """How many calls a key takes at once from the ceiling of its workspace, when it was granted so many.

    As many again as it had, so that it holds back no more from the others than it has used itself; never more
    than a twentieth, and at first next to nothing.
    """
    return max(1, min(granted or ceiling // 1000, ceiling // 20))


def is_likely_first(window: int, used: int, now: datetime) -> bool:
    """Whether a call may begin its minute by itself, as far as the last one of its key tells, which came in
    that window as one of so many. Who calls often is begun by somebody else more often than not.
    """
    return used <= QUIET and window < window_of(now) <= window + REMEMBERED_SECONDS


def window_of(now: datetime) -> int:
    """The start of the current window, in epoch seconds."""
    return int(now.timestamp()) // WINDOW_SECONDS * WINDOW_SECONDS


def seconds_to_next(now: datetime) -> int:
    return max(1, ceil(window_of(now) + WINDOW_SECONDS - now.timestamp()))
