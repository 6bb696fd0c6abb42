"""What a rollover makes of two cycles, and where it goes if nobody says so."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import count

from forge.errors import Conflict, InvalidInput
from forge.work.content.cycles.cycles import CycleItem, CycleStatus
from functions.cycles.rules.keeping import active_after, later

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
