"""Authentication on the table: one conditional write, mostly two on the first call of a minute.

In a workspace with a ceiling, a key takes calls from it in portions: three writes when one is used up.

Free of pydantic, because the router does this before it knows which tool is called.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from forge.auth import rates
from forge.auth.entrance import MOST_FOLLOWERS, Touch, WorkspaceEnds, limited
from forge.auth.narrowing import without_gone
from forge.context import Door
from forge.errors import Unavailable
from forge.store.codec import decode_item
from forge.store.failures import ConditionFailed, lacks_room
from forge.store.keys import At, Key, Partition
from forge.store.physical import PARTITION, SORT
from forge.store.table import Table
from forge.work.workspace.key_records import Stored, is_live, record_of, time_in
from forge.work.workspace.people import ceilings

_USABLE = (
    f"attribute_exists({PARTITION}) AND attribute_not_exists(revoked_at) "
    "AND (attribute_not_exists(expires_at) OR expires_at > :now)"
)

TOUCHED = frozenset(
    [PARTITION, SORT, "expires_at", "last_used_at", "revoked_at"]
    + [f"{door}_{counted}" for door in rates.LIMITS for counted in ("window", "count", "granted")]
    + [*ceilings.NAMED]
    + [f"follower_{number}" for number in range(MOST_FOLLOWERS)]
)
"""Every attribute that the writes below name. No role that authenticates may name another of a key's item."""

CEILING = "calls_per_minute"
"""A copy of the workspace's, so that a key of one without a ceiling costs nothing more."""

_MOST_REMEMBERED = 1_000


# Here rather than beside their items, because the router authenticates without pydantic.
AUTHENTICATION = At(Partition("KEY#{key_hash}", outside="a key says which workspace it is of"), "KEY")
LABELS = Partition("WS#{workspace_id}#LABELS")
LABEL = At(LABELS, "LABEL#{id}")


class TableKeys:
    def __init__(self, table: Table) -> None:
        self._table = table
        self._last: dict[tuple[str, Door], Stored] = {}
        """Records of keys that call seldom, as this process saw them last."""

    def touch(self, key_hash: str, door: Door, now: datetime) -> Touch:
        try:
            return self._counted(key_hash, door, now)
        except Unavailable as error:
            if not lacks_room(error):
                raise
            return self._uncounted(key_hash, door, now)

    def _counted(self, key_hash: str, door: Door, now: datetime) -> Touch:
        try:
            return self._admitted(self._begun(key_hash, door, now) or self._count(key_hash, door, now), door)
        except ConditionFailed as failed:
            if failed.old_item is None:
                return None, False
            stored = decode_item(failed.old_item)
        if not is_live(stored, now):
            return _stopped(stored, now)
        try:
            if int(stored[f"{door}_window"]) < rates.window_of(now):
                return self._admitted(self._begin(key_hash, door, now, stored), door)
            if _granted(stored, door) >= _limit(stored, door):
                return _spent(stored, door, now)
            portion = self._granted(stored, door, now, before=_granted(stored, door))
            return self._admitted(self._go_on(key_hash, door, now, stored, portion), door)
        except ConditionFailed:
            # Another call rolled the window, or the key ended meanwhile. Either is settled for this minute,
            # so asking again ends.
            return self._counted(key_hash, door, now)

    def _begun(self, key_hash: str, door: Door, now: datetime) -> dict[str, Any] | None:
        """The first call of a minute in one write, where the last one of the key tells how; else None."""
        known = self._last.pop((key_hash, door), None) if self._last else None
        if known is None or not rates.is_likely_first(int(known[f"{door}_window"]), _used(known, door), now):
            return None
        try:
            return self._roll(key_hash, door, now, known, _limit(known, door))
        except ConditionFailed:
            return None  # Another call was the first, or the key ended meanwhile.

    def _begin(self, key_hash: str, door: Door, now: datetime, stored: Stored) -> dict[str, Any]:
        """The first call of a minute."""
        granted = self._granted(stored, door, now) if CEILING in stored else _limit(stored, door)
        try:
            return self._roll(key_hash, door, now, stored, granted)
        except ConditionFailed:
            if CEILING not in stored:
                raise
            # Another call was the first. What was taken is this key's all the same.
            return self._go_on(key_hash, door, now, stored, granted)

    def _uncounted(self, key_hash: str, door: Door, now: datetime) -> Touch:
        """On a machine whose disk is full: what only reads shall go on, and whatever changes will fail."""
        found = self._table.look_up(AUTHENTICATION(key_hash))
        if found is None:
            return None, False
        stored = decode_item(found)
        return self._admitted(stored, door) if is_live(stored, now) else _stopped(stored, now)

    def glance(
        self, key_hash: str, door: Door, now: datetime, *, beside: tuple[str, str]
    ) -> tuple[Touch, Stored | None]:
        place, wanted = AUTHENTICATION(key_hash), Key(*beside)
        found = self._table.glance([place, wanted])
        attributes = found.get(place) or self._table.look_up(place)
        if attributes is None:
            return (None, False), None
        stored = decode_item(attributes)
        if not is_live(stored, now):
            return _stopped(stored, now), None
        # What was made a moment ago may be read a little late.
        row = found.get(wanted) or self._table.look_up(wanted)
        return (record_of(stored), not _is_used_up(stored, door, now)), row

    def take_place(self, key_hash: str, number: int, *, now: datetime, until: datetime) -> bool:
        return self._move_place(
            key_hash,
            number,
            "SET #place = :until",
            f"attribute_exists({PARTITION}) AND (attribute_not_exists(#place) OR #place <= :now)",
            {":now": now, ":until": until},
        )

    def leave_place(self, key_hash: str, number: int, *, until: datetime) -> None:
        self._move_place(key_hash, number, "REMOVE #place", "#place = :until", {":until": until})

    def _move_place(
        self, key_hash: str, number: int, expression: str, condition: str, values: Mapping[str, object]
    ) -> bool:
        place = AUTHENTICATION(key_hash)
        names = {"#place": f"follower_{number}"}
        try:
            self._table.update(place, expression, names=names, values=values, condition=condition)
        except ConditionFailed:
            return False
        return True

    def _admitted(self, stored: Stored, door: Door) -> Touch:
        """A key that is narrowed to labels costs one request more: those that are gone grant nothing."""
        record = record_of(stored)
        if CEILING not in stored and _used(stored, door) <= rates.QUIET:
            if len(self._last) >= _MOST_REMEMBERED:
                self._last.clear()
            self._last[record.key_hash, door] = stored
        if record.narrowing.label_ids:
            there = self._labels_there(record.workspace_id, record.narrowing.label_ids)
            record = record.replaced(narrowing=without_gone(record.narrowing, there))
        return record, True

    def _labels_there(self, workspace_id: str, label_ids: Iterable[str]) -> list[str]:
        places = {one: LABEL(workspace_id, one) for one in label_ids}
        known = self._table.read(places.values())
        return [one for one, place in places.items() if known.has(place)]

    def _count(self, key_hash: str, door: Door, now: datetime) -> dict[str, Any]:
        return self._update(
            key_hash,
            door,
            "SET last_used_at = :now ADD #count :one",
            f"{_USABLE} AND #window >= :window AND #count < :limit",
            {":now": now, ":one": 1, ":window": rates.window_of(now), ":limit": rates.LIMITS[door]},
        )

    def _roll(self, key_hash: str, door: Door, now: datetime, stored: Stored, granted: int) -> dict[str, Any]:
        expression = "SET last_used_at = :now, #window = :window, #count = :count"
        values = {":now": now, ":window": rates.window_of(now), ":count": rates.begun(door, granted)}
        portions: dict[str, str] = {}
        if CEILING in stored or f"{door}_granted" in stored:
            expression, values[":granted"] = f"{expression}, #granted = :granted", granted
            portions = {"#granted": f"{door}_granted"}
        return self._update(key_hash, door, expression, f"{_USABLE} AND #window < :window", values, portions)

    def _go_on(
        self, key_hash: str, door: Door, now: datetime, stored: Stored, portion: int
    ) -> dict[str, Any]:
        """With another portion when the one before is used up; others may get theirs at the same time."""
        return self._update(
            key_hash,
            door,
            "SET last_used_at = :now ADD #count :less, #granted :portion",
            f"{_USABLE} AND #window >= :window AND #granted <= :most",
            {
                ":now": now,
                ":window": rates.window_of(now),
                ":less": 1 - portion,
                ":portion": portion,
                ":most": _limit(stored, door) - portion,
            },
            {"#granted": f"{door}_granted"},
        )

    def _granted(self, stored: Stored, door: Door, now: datetime, *, before: int = 0) -> int:
        """A portion of what the workspace may call in this minute."""
        ceiling = int(stored[CEILING])
        wanted = min(rates.portion_of(ceiling, before), _limit(stored, door) - before)
        window, workspace_id = rates.window_of(now), stored["workspace_id"]
        taken = ceilings.take(self._table, workspace_id, window=window, wanted=wanted, ceiling=ceiling)
        if not taken:
            used = f"The {ceiling} calls that this workspace may make in a minute"
            raise limited(f"{used}, with all of its keys, are used up.", now)
        return taken

    def _update(
        self,
        key_hash: str,
        door: Door,
        expression: str,
        condition: str,
        values: Mapping[str, object],
        portions: dict[str, str] | None = None,
    ) -> dict[str, Any]:
        names = {"#window": f"{door}_window", "#count": f"{door}_count"}
        row = self._table.update(
            AUTHENTICATION(key_hash),
            expression,
            names=names | portions if portions else names,
            values=values,
            condition=condition,
        )
        return decode_item(row)


def _stopped(stored: Stored, now: datetime) -> Touch:
    record, until = record_of(stored), time_in(stored, "workspace_ends_at")
    is_over = record.expires_at is not None and record.expires_at <= now
    if until is not None and record.is_member and not is_over:
        raise WorkspaceEnds(record, until)
    return record, False


def _is_used_up(stored: Stored, door: Door, now: datetime) -> bool:
    """Whether the window that runs now has room for no other call."""
    is_running = int(stored[f"{door}_window"]) >= rates.window_of(now)
    return is_running and int(stored[f"{door}_count"]) >= rates.LIMITS[door]


def _limit(stored: Stored, door: Door) -> int:
    return int(stored.get("rate_per_minute", rates.LIMITS[door]))


def _used(stored: Stored, door: Door) -> int:
    """How many calls the window has counted."""
    return int(stored[f"{door}_count"]) - rates.begun(door, _limit(stored, door)) + 1


def _granted(stored: Stored, door: Door) -> int:
    """All at once, unless the workspace has a ceiling, and had one when the minute began."""
    limit = _limit(stored, door)
    return int(stored.get(f"{door}_granted", limit)) if CEILING in stored else limit


def _spent(stored: Stored, door: Door, now: datetime) -> Touch:
    limit = _limit(stored, door)
    if limit != rates.LIMITS[door]:
        raise limited(f"More than {limit} calls in this minute with this key, which is its own limit.", now)
    return record_of(stored), False
