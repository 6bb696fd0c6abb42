"""Rate windows: fixed minutes, one count per key and door."""

from collections.abc import Mapping
from datetime import datetime
from math import ceil

from forge.context import Door

WINDOW_SECONDS = 60

LIMITS: Mapping[Door, int] = {Door.RPC: 600, Door.REST: 300}


def window_of(now: datetime) -> int:
    """The start of the current window, in epoch seconds."""
    return int(now.timestamp()) // WINDOW_SECONDS * WINDOW_SECONDS


def seconds_to_next(now: datetime) -> int:
    return max(1, ceil(window_of(now) + WINDOW_SECONDS - now.timestamp()))
