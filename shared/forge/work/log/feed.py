"""The log as callers are told of it: newest first, with names, and only what their key may see."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple, TypedDict

from forge.auth import narrowing
from forge.context import Caller
from forge.store import keys
from forge.store.codec import decode_item
from forge.store.keys import Key
from forge.store.pages import MAX_READ, Found, Listing, read_page
from forge.store.table import EVERYTHING, Attributes, SortRange, Table
from forge.work.issues import issue_keys
from forge.work.log import log_keys
from forge.work.log.events import EventKind, LogItem
from forge.work.paging.sights import is_narrowed, page_of_visible
from forge.work.people import people_keys
from forge.work.people.members import MemberItem
from forge.work.workspaces import workspace_keys

_MOST_BESIDE = 100
"""People and issues of a page: what one request can read."""


class Recent(NamedTuple):
    """A page of events, and the names of the people in it; who left has none any more."""

    found: Found[LogItem]
    names: dict[str, str | None]


def list_recent(
    table: Table,
    caller: Caller,
    *,
    subject_type: str | None,
    subject_id: str | None,
    kinds: frozenset[EventKind],
    before: datetime | None,
    limit: int,
    cursor: str | None,
) -> Recent:
    """Events that this caller may see, newest first. Audit-only rows are not events."""
    workspace_id, narrowed = caller.workspace_id, is_narrowed(caller)
    partition, index, issue = log_keys.log(workspace_id), None, None
    if subject_type == "issue" and subject_id:
        subject_id = _issue_id(table, workspace_id, subject_id)
        issue = issue_keys.head(workspace_id, subject_id)
    if subject_type and subject_id:
        partition, index = log_keys.log_of_subject(workspace_id, subject_type, subject_id), "subject"

    def accepts(row: LogItem) -> bool:
        return (
            row.kind is not None
            and (not kinds or row.kind in kinds)
            and (subject_type is None or row.subject_type == subject_type)
            # A narrowed key sees what happened to issues that it may see, and nothing else.
            and (not narrowed or row.issue_id is not None)
        )

    # Rows begin with their time, so that this bound leaves out those of the very moment itself.
    until = SortRange(last=keys.sortable_time(before)) if before else EVERYTHING
    listing = Listing(keys.workspace_prefix(workspace_id), partition, index, until, is_descending=True)
    most = MAX_READ if narrowed else limit
    read = read_page(table, LogItem, listing, limit=most, cursor=cursor, accepts=accepts)
    sight = _sight(caller, table, read.items, issue=issue if narrowed else None)
    page = page_of_visible(read, sight.visible, considered=len(sight.considered), limit=limit)
    return Recent(page, sight.names)


def _issue_id(table: Table, workspace_id: str, given: str) -> str:
    """The id behind an identifier like `DEMO-12`; any other text is taken for an id, known or not."""
    identifier = issue_keys.IDENTIFIER.fullmatch(given)
    if identifier is None:
        return given
    prefix, number = identifier.groups()
    settings, reference = (
        workspace_keys.workspace(workspace_id),
        keys.reference(workspace_id, str(int(number))),
    )
    rows = table.find_rows([settings, reference])
    if len(rows) < 2 or decode_item(rows[settings])["key_prefix"] != prefix.upper():
        return given
    return str(decode_item(rows[reference])["issue_id"])


class _Sight(NamedTuple):
    """As far as one request can tell: the rows that it covers, those among them to be seen, and names."""

    considered: list[LogItem]
    visible: list[LogItem]
    names: dict[str, str | None]


def _sight(caller: Caller, table: Table, rows: list[LogItem], *, issue: Key | None) -> _Sight:
    """What the caller may see of these rows. `issue` is the one that a narrowed key asked for by name."""
    needed: set[Key] = {issue} if issue else set()
    considered: list[LogItem] = []
    for row in rows:
        more = needed | _beside(row, caller)
        if len(more) > _MOST_BESIDE:
            break
        needed = more
        considered.append(row)
    found = table.find_rows(needed)
    if issue in found:
        narrowing.require_issue(caller, **_scope(found[issue]))
    visible = [row for row in considered if _may_see(caller, row, found)]
    members = [
        MemberItem.from_attributes(row)
        for key, row in found.items()
        if key.partition == people_keys.members(caller.workspace_id)
    ]
    names = {member.user_id: member.name for member in members}
    return _Sight(considered, visible, names)


def _beside(row: LogItem, caller: Caller) -> set[Key]:
    """What else has to be read for a row: who did it and, for a narrowed key, the issue it is about."""
    needed = {people_keys.member(row.workspace_id, row.actor_user_id)} if row.actor_user_id else set()
    if row.issue_id and is_narrowed(caller):
        needed.add(issue_keys.head(row.workspace_id, row.issue_id))
    return needed


class _Scope(TypedDict):
    project_id: str | None
    label_ids: Iterable[str]


def _scope(head: Attributes) -> _Scope:
    known = decode_item({name: head[name] for name in ("project_id", "label_ids") if name in head})
    return _Scope(project_id=known.get("project_id"), label_ids=known.get("label_ids") or ())


def _may_see(caller: Caller, row: LogItem, found: Mapping[Key, Attributes]) -> bool:
    if not is_narrowed(caller):
        return True
    head = found.get(issue_keys.head(row.workspace_id, row.issue_id or ""))
    return head is not None and narrowing.allows_issue(caller.narrowing, **_scope(head))
