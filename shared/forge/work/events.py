"""The log: one row per mutation, which is its event, its audit entry and its outbox in one."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from pydantic import BaseModel

from forge.context import Caller
from forge.store import keys
from forge.store.items import Item
from forge.store.keys import IndexKey, Key
from forge.store.pages import Found, Listing, read_page
from forge.store.table import EVERYTHING, SortRange, Table
from forge.store.transactions import Transaction
from forge.work.members import MemberItem

KEPT = timedelta(days=400)
# What one request can read; a page with more people than that leaves the rest unnamed.
_MOST_ACTORS = 100
UNSENT_AFTER = timedelta(minutes=2)

Digest = dict[str, Any]

_NEVER_LOGGED = frozenset({"version", "webhook_secret", "key_hash", "live_keys"})


class EventKind(StrEnum):
    ISSUE_CREATED = "ISSUE_CREATED"
    ISSUE_UPDATED = "ISSUE_UPDATED"
    ISSUE_STATUS_CHANGED = "ISSUE_STATUS_CHANGED"
    ISSUE_PRIORITY_CHANGED = "ISSUE_PRIORITY_CHANGED"
    ISSUE_QUEUED = "ISSUE_QUEUED"
    COMMENT_CREATED = "COMMENT_CREATED"
    COMMENT_UPDATED = "COMMENT_UPDATED"
    PROJECT_CREATED = "PROJECT_CREATED"
    PROJECT_UPDATED = "PROJECT_UPDATED"
    AGENT_ASSIGNED = "AGENT_ASSIGNED"
    AGENT_RUN_STARTED = "AGENT_RUN_STARTED"
    AGENT_RUN_BLOCKED = "AGENT_RUN_BLOCKED"
    AGENT_RUN_COMPLETED = "AGENT_RUN_COMPLETED"
    AGENT_RUN_KICKED = "AGENT_RUN_KICKED"
    AGENT_CREATED = "AGENT_CREATED"
    AGENT_DELETED = "AGENT_DELETED"
    AGENT_STATUS_CHANGED = "AGENT_STATUS_CHANGED"
    AGENT_UPDATED = "AGENT_UPDATED"
    MEMBERSHIP_CREATED = "MEMBERSHIP_CREATED"
    MEMBERSHIP_REMOVED = "MEMBERSHIP_REMOVED"
    MEMBERSHIP_ROLE_CHANGED = "MEMBERSHIP_ROLE_CHANGED"


class Wake(BaseModel):
    """An agent to be told of an event, and the run that was opened or touched for it."""

    agent_id: str
    run_id: str


class LogItem(Item):
    workspace_id: str
    id: str
    kind: EventKind | None = None
    """None for a change that is audited but announced to nobody."""
    subject_type: str
    subject_id: str
    action: str
    tool: str
    actor_user_id: str | None = None
    actor_agent_id: str | None = None
    key_id: str
    request_id: str
    payload: dict[str, Any] = {}
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None
    issue_id: str | None = None
    """The issue that it is about in the end: a narrowed key sees the row only if it may see that."""
    wakes: list[Wake] = []
    """The agents that must be told, each with the run that waits for it."""
    created_at: datetime
    outbox_due: datetime | None = None
    """Until the row was handed to the dispatch queue: when the sweep has to do it instead."""

    @property
    def key(self) -> Key:
        return keys.log_row(self.workspace_id, self.created_at, self.id)

    @property
    def index_keys(self) -> tuple[IndexKey, ...]:
        subject = keys.log_of_subject(self.workspace_id, self.subject_type, self.subject_id)
        places = (IndexKey("subject", subject, self.key.sort),)
        return (*places, keys.due(self.key, self.outbox_due)) if self.outbox_due else places

    @property
    def purge_after(self) -> datetime:
        return self.created_at + KEPT


def record(
    tx: Transaction,
    kind: EventKind | None,
    *,
    subject: tuple[str, str],
    action: str,
    payload: Mapping[str, Any] | None = None,
    before: Item | None = None,
    after: Item | None = None,
    workspace_id: str | None = None,
    issue_id: str | None = None,
    wakes: Sequence[Wake] = (),
    event_id: str | None = None,
) -> LogItem:
    """Write the row of a mutation in its own transaction; of two items, only what really changed is kept."""
    origin = tx.origin
    old, new = _differences(before, after)
    row = LogItem(
        workspace_id=workspace_id or origin.caller.workspace_id,
        id=event_id or origin.new_id("evt"),
        kind=kind,
        subject_type=subject[0],
        subject_id=subject[1],
        action=action,
        tool=origin.tool,
        actor_user_id=origin.caller.user_id,
        actor_agent_id=origin.caller.agent_id,
        key_id=origin.caller.key_id,
        request_id=origin.request_id,
        payload=dict(payload or {}),
        before=old,
        after=new,
        issue_id=issue_id,
        wakes=[*wakes],
        created_at=origin.now,
        outbox_due=origin.now + UNSENT_AFTER if kind else None,
    )
    tx.create(row)
    return row


def record_change(
    tx: Transaction,
    subject_type: str,
    subject_id: str,
    *,
    action: str,
    before: Item | None = None,
    after: Item | None = None,
) -> LogItem:
    """Audit a change that is announced to nobody."""
    return record(tx, None, subject=(subject_type, subject_id), action=action, before=before, after=after)


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
) -> Found[LogItem]:
    """Events that this caller may see, newest first. Audit-only rows are not events."""
    narrowing = caller.narrowing
    is_narrowed = bool(narrowing.project_ids or narrowing.label_ids)

    def accepts(row: LogItem) -> bool:
        return (
            row.kind is not None
            # A narrowed key sees what happened to issues it may see; until issues exist, that is nothing.
            and not is_narrowed
            and (not kinds or row.kind in kinds)
            and (subject_type is None or row.subject_type == subject_type)
        )

    partition, index = keys.log(caller.workspace_id), None
    if subject_type and subject_id:
        partition, index = keys.log_of_subject(caller.workspace_id, subject_type, subject_id), "subject"
    # Rows begin with their time, so that this bound leaves out those of the very moment itself.
    until = SortRange(last=keys.sortable_time(before)) if before else EVERYTHING
    prefix = keys.workspace_prefix(caller.workspace_id)
    listing = Listing(prefix, partition, index, until, is_descending=True)
    return read_page(table, LogItem, listing, limit=limit, cursor=cursor, accepts=accepts)


def actor_names(table: Table, workspace_id: str, rows: Iterable[LogItem]) -> dict[str, str | None]:
    """The names of the people in these rows, in one request; who left has none any more."""
    wanted = dict.fromkeys(row.actor_user_id for row in rows if row.actor_user_id)
    found = table.find_rows(keys.member(workspace_id, user_id) for user_id in list(wanted)[:_MOST_ACTORS])
    members = [MemberItem.from_attributes(row) for row in found.values()]
    return {member.user_id: member.name for member in members}


def _differences(before: Item | None, after: Item | None) -> tuple[Digest | None, Digest | None]:
    """Only the fields that differ, and never a secret."""
    old = before.model_dump(mode="json") if before else {}
    new = after.model_dump(mode="json") if after else {}
    changed = {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)} - _NEVER_LOGGED
    return (
        {name: old[name] for name in changed if name in old} or None,
        {name: new[name] for name in changed if name in new} or None,
    )
