"""When a cycle begins and ends, what it is called, and which one is current."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from forge.errors import InvalidInput
from forge.store.folding import folded
from forge.work.content.cycles.cycles import CURRENT, CycleItem, CycleStatus, another_is_active
from forge.work.workspace.workspaces import WorkspaceItem

_DAY = timedelta(days=1)


def first_dates(
    workspace: WorkspaceItem,
    now: datetime,
    *,
    starts_at: datetime | None,
    ends_at: datetime | None,
    length_days: int | None,
    cooldown_days: int | None,
) -> dict[str, Any]:
    """When a new cycle begins and ends. Where an end is given without a length, it says the length."""
    start = starts_at or now
    days = length_days or workspace.cycle_length_days
    if ends_at is not None and length_days is None:
        days = length_of(start, ends_at)
    return {
        "starts_at": start,
        "ends_at": ends_at or later(start, days),
        "length_days": days,
        "cooldown_days": workspace.cycle_cooldown_days if cooldown_days is None else cooldown_days,
    }


def length_of(starts_at: datetime, ends_at: datetime) -> int:
    """In days, of which a begun one is one."""
    return max(1, -((starts_at - ends_at) // _DAY))


def edited(cycle: CycleItem, given: Mapping[str, Any]) -> CycleItem:
    """A cycle with what shall change; other dates make it another length."""
    after = cycle.changed(**given)
    if (after.starts_at, after.ends_at) == (cycle.starts_at, cycle.ends_at):
        return after
    return after.changed(length_days=length_of(after.starts_at, after.ends_at))


def require_dates_in_order(cycle: CycleItem, *, blamed: str) -> None:
    if cycle.ends_at <= cycle.starts_at:
        raise InvalidInput(
            "A cycle ends after it begins.", issues={blamed: "The endsAt must be after the startsAt."}
        )


def require_name(name: str) -> None:
    if folded(name) == CURRENT:
        raise InvalidInput(
            "No cycle is called like that: it is how callers refer to the ACTIVE one.",
            issues={"name": "Choose another name."},
        )


def active_after(cycle: CycleItem, active_id: str | None) -> str | None:
    """Which cycle is current once this one is stored; two can't be."""
    if cycle.status is not CycleStatus.ACTIVE:
        return None if active_id == cycle.id else active_id
    if active_id not in (None, cycle.id):
        raise another_is_active()
    return cycle.id


def later(moment: datetime, days: int) -> datetime:
    try:
        return moment + days * _DAY
    except OverflowError:
        raise InvalidInput(
            "The cycle would end after the end of time.", issues={"startsAt": "Choose an earlier one."}
        ) from None
