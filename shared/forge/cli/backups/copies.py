"""A copy of the table, as point-in-time recovery makes one: rows as they were, secrets included."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import partial

from forge.cli.backups.items import companions, quiet
from forge.cli.backups.places import place_of
from forge.cli.backups.wanted import DUE, Wanted, patiently
from forge.store import raw_rows
from forge.store.codec import decode_item, decode_value
from forge.store.items import Item
from forge.store.keys import OUTSIDE_EVERY_WORKSPACE, Key, workspace_prefix
from forge.store.physical import TTL
from forge.store.readings import Attributes, key_of
from forge.store.table import Table
from forge.work.backlog.repositories import RepositoryItem
from forge.work.overviews.exports.lines import is_passing
from forge.work.workspace.people.api_keys import ApiKeyItem
from forge.work.workspace.people.authentication import AUTHENTICATION, TOUCHED
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.workspaces import WorkspaceItem

_LEADING_OUT: Mapping[str, type[Item]] = {
    "MEMBERS": MemberItem,
    "KEYS": ApiKeyItem,
    "WORKSPACE": WorkspaceItem,
    "REPOSITORIES": RepositoryItem,
}
"""What there is something of outside its workspace, too."""
_REVOKED = "revoked_at"
_NOBODY_ELSES = ("WS#", "KEY#")


class TableCopy:
    """`Backup`: one workspace of it, or everything."""

    def __init__(self, table: Table, workspace_id: str | None, now: datetime) -> None:
        self._table = table
        self._workspace_id = workspace_id
        self._now = now
        self.prefix = workspace_prefix(workspace_id) if workspace_id else ""

    def rows(self) -> Iterator[Wanted]:
        for page in pages(self._table, self.prefix):
            kept = [row for row in page if not is_over(row, self._now)]
            for row in kept:
                yield _wanted(quiet(row))
            if self._workspace_id:
                outside = [key for row in kept for key in keys_outside(row)]
                for row in patiently(partial(raw_rows.found, self._table, outside)).values():
                    yield _wanted(row)

    def is_same(self, stored: Attributes, wanted: Wanted) -> bool:
        """But for how a key was used and whether it may be any more, and for what is not due yet."""
        used = TOUCHED if wanted.key.partition.startswith("KEY#") else DUE
        row = self.merged(stored, wanted).row
        return decode_item(quiet(stored), leaving_out=used) == decode_item(row, leaving_out=used)

    def merged(self, stored: Attributes, wanted: Wanted) -> Wanted:
        """What was revoked since stays revoked: to bring a leaked key back would be worse than losing one."""
        if _REVOKED in stored and _REVOKED not in wanted.row:
            return wanted._replace(row={**wanted.row, _REVOKED: stored[_REVOKED]})
        return wanted

    def clash(self, stored: Attributes, wanted: Wanted) -> str:
        return f"{wanted.key.partition} / {wanted.key.sort} was changed since."

    def is_anothers(self, wanted: Wanted) -> bool:
        """A name, an address or a person of the deployment that somebody else has by now."""
        return bool(self._workspace_id) and not wanted.key.partition.startswith(_NOBODY_ELSES)

    def missing_from(self, rows: list[Attributes]) -> list[Attributes]:
        """Those that were not there then."""
        known = patiently(partial(raw_rows.found, self._table, [key_of(row) for row in rows]))
        return [row for row in rows if key_of(row) not in known]


def pages(table: Table, prefix: str) -> Iterator[list[Attributes]]:
    after: Mapping[str, str] | None = None
    while True:
        page = patiently(partial(table.scan, prefix, after=after))
        after = page.next_position
        yield list(page)
        if after is None:
            return


def is_over(row: Attributes, now: datetime) -> bool:
    """Whether it is passing, or would have been removed by now."""
    partition, sort = key_of(row)
    inside = partition.split("#", 2)[-1] if not partition.startswith(OUTSIDE_EVERY_WORKSPACE) else ""
    is_expired = TTL in row and decode_value(row[TTL]) < now.timestamp()
    return is_expired or is_passing(inside, sort)


def keys_outside(row: Attributes) -> list[Key]:
    """Where something is that goes with a row of a workspace, and is in none."""
    kind = _LEADING_OUT.get(key_of(row).partition.split("#", 2)[-1])
    item = kind.from_attributes(row) if kind else None
    if isinstance(item, ApiKeyItem):
        return [AUTHENTICATION(one) for one in (item.key_hash, *item.live_keys)]
    return [one.key for one in companions(item)] if item else []


def named(row: Attributes) -> str:
    place = place_of(row)
    return place.name if place else "of another build"


def _wanted(row: Attributes) -> Wanted:
    return Wanted(named(row), row)
