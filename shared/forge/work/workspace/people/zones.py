"""Time zones: which day it is for somebody."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from forge.context import Caller
from forge.store.keys import Key
from forge.store.readings import Readings
from forge.work.workspace.people.members import MemberItem


@lru_cache(maxsize=256)
def zone_of(name: str | None) -> tzinfo:
    """UTC for whoever has no time zone, or one that nobody knows."""
    if not name:
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def day_of(moment: datetime, zone: tzinfo) -> date:
    return moment.astimezone(zone).date()


def keys_of_zone(caller: Caller) -> Sequence[Key]:
    """What has to be read to know the caller's zone: only people have one."""
    return [MemberItem.at(caller.workspace_id, caller.user_id)] if caller.user_id else []


def zone_in(readings: Readings, caller: Caller) -> tzinfo:
    """The caller's zone among what was read."""
    for key in keys_of_zone(caller):
        member = readings.find(MemberItem, key)
        return zone_of(member.timezone if member else None)
    return UTC
