"""What holds for cycles alone, decided on what was read: nothing here asks a table."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from forge.errors import Conflict, InvalidInput
from forge.store.folding import folded
from forge.work.content.cycles.cycles import CURRENT, CycleItem, CycleStatus, another_is_active
from forge.work.issues.issues import IssueItem
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


CHUNK = 20


def require_some(coming: Sequence[str], going: Sequence[str], *, most: int) -> None:
    if not coming and not going:
        raise InvalidInput("No issue is named.", issues={"issueIds": "Name some, or use removeIssueIds."})
    if len(coming) + len(going) > most:
        raise InvalidInput(
            "These are too many issues for one call.", issues={"issueIds": f"At most {most} in all."}
        )


def require_in(cycle_id: str | None, meant: str | None) -> None:
    """Which cycle an issue is taken out of is said for safety: it does not leave another by mistake."""
    if meant and cycle_id and cycle_id != meant:
        raise InvalidInput(
            "This issue is in another cycle.",
            issues={"cycleId": "Not the issue's. Leave it out to take the issue out of whichever it is in."},
        )


def moves(coming: Iterable[IssueItem], going: Iterable[IssueItem], cycle_id: str) -> dict[str, str | None]:
    """Into which cycle each issue really moves; what is out of this one already stays where it is."""
    wanted: dict[str, IssueItem] = {one.id: one for one in coming}
    unwanted: dict[str, IssueItem] = {one.id: one for one in going}
    if wanted.keys() & unwanted.keys():
        raise InvalidInput(
            "An issue can't come and go at once.",
            issues={"removeIssueIds": "Some of these are among issueIds as well."},
        )
    into: dict[str, str | None] = {one.id: cycle_id for one in wanted.values() if one.cycle_id != cycle_id}
    return into | {one.id: None for one in unwanted.values() if one.cycle_id == cycle_id}


def chunks(issues: Sequence[IssueItem]) -> list[Sequence[IssueItem]]:
    """As many as fit into a transaction, whatever changes along with each."""
    return [issues[start : start + CHUNK] for start in range(0, len(issues), CHUNK)]


_ROLLED_OVER = re.compile(r" \(rollover( [0-9]+)?\)$")
_OVER = frozenset({CycleStatus.COMPLETED, CycleStatus.CANCELED})


def next_planned(source: CycleItem, known: Iterable[CycleItem]) -> CycleItem | None:
    """The first cycle that is planned for the time after this one."""
    planned = (one for one in known if one.status is CycleStatus.PLANNED and one.id != source.id)
    later = [one for one in planned if one.starts_at >= source.ends_at]
    return min(later, key=lambda one: (one.starts_at, one.id), default=None)


def successor(source: CycleItem, *, id: str, name: str, now: datetime) -> CycleItem:
    """A cycle like this one, right after it and its days of rest."""
    starts_at = later(source.ends_at, source.cooldown_days)
    return CycleItem(
        workspace_id=source.workspace_id,
        id=id,
        name=name,
        starts_at=starts_at,
        ends_at=later(starts_at, source.length_days),
        length_days=source.length_days,
        cooldown_days=source.cooldown_days,
        created_at=now,
        updated_at=now,
    )


def successor_names(name: str, *, longest: int) -> Iterator[str]:
    """What the successor may be called, the best name first; one of a successor is counted on."""
    root = _ROLLED_OVER.sub("", name)
    for number in count(1):
        suffix = " (rollover)" if number == 1 else f" (rollover {number})"
        yield root[: longest - len(suffix)].rstrip() + suffix


@dataclass(frozen=True, slots=True)
class CycleHandover:
    """Two cycles as a rollover leaves them, and which one is current then."""

    source: CycleItem
    target: CycleItem
    active_id: str | None


def goes_another_way(target: CycleItem, wanted_id: str | None) -> bool:
    """Whether what was rolled over into this cycle is now to go elsewhere."""
    return target.status in _OVER or wanted_id not in (None, target.id)


def require_same_way(target: CycleItem, wanted_id: str | None) -> None:
    """Whoever rolls over what is being rolled over joins in, or is told what helps instead."""
    if target.status in _OVER:
        raise Conflict(
            f"This cycle is still being rolled over into {target.name!r}, which is {target.status.value}"
            " by now.",
            hint="That ends in some minutes: try again then, and it goes to the next PLANNED or a new cycle.",
        )
    if wanted_id not in (None, target.id):
        raise Conflict(
            f"This cycle is being rolled over into {target.name!r}.",
            hint=f"Leave targetCycleId out, say {target.id}, or try again in some minutes.",
        )


def hand_over(
    source: CycleItem,
    target: CycleItem,
    active_id: str | None,
    *,
    completes_source: bool,
    activates_target: bool,
) -> CycleHandover:
    if source.id == target.id:
        raise InvalidInput(
            "A cycle can't be rolled over into itself.", issues={"targetCycleId": "Another one."}
        )
    if target.status in _OVER:
        raise Conflict(
            f"The target is {target.status.value}, and takes nothing over.",
            hint="Choose a PLANNED cycle, or leave targetCycleId out.",
        )
    if (completes_source or activates_target) and source.status not in _OVER:
        source = source.changed(status=CycleStatus.COMPLETED)
        active_id = active_after(source, active_id)
    if activates_target:
        target = target.changed(status=CycleStatus.ACTIVE)
        active_id = active_after(target, active_id)
    return CycleHandover(source, target, active_id)
