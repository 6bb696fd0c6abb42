"""The log: one row per mutation, which is its event, its audit entry and its outbox in one."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from forge.store import keys
from forge.store.items import Item
from forge.store.keys import IndexKey, Key
from forge.store.transactions import Transaction

KEPT = timedelta(days=400)


class EventKind(StrEnum):
    AGENT_CREATED = "AGENT_CREATED"
    AGENT_DELETED = "AGENT_DELETED"
    AGENT_STATUS_CHANGED = "AGENT_STATUS_CHANGED"
    AGENT_UPDATED = "AGENT_UPDATED"
    MEMBERSHIP_CREATED = "MEMBERSHIP_CREATED"
    MEMBERSHIP_REMOVED = "MEMBERSHIP_REMOVED"
    MEMBERSHIP_ROLE_CHANGED = "MEMBERSHIP_ROLE_CHANGED"


class LogItem(Item):
    workspace_id: str
    id: str
    kind: EventKind | None
    """None for a change that is audited but announced to nobody."""
    subject_type: str
    subject_id: str
    action: str
    tool: str
    actor_user_id: str | None
    actor_agent_id: str | None
    key_id: str
    request_id: str
    payload: dict[str, Any] = {}
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None
    created_at: datetime

    @property
    def key(self) -> Key:
        return keys.log_row(self.workspace_id, self.created_at, self.id)

    @property
    def index_keys(self) -> tuple[IndexKey, ...]:
        subject = keys.log_of_subject(self.workspace_id, self.subject_type, self.subject_id)
        return (IndexKey("subject", subject, self.key.sort),)

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
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> LogItem:
    """Write the row of a mutation in its own transaction. Never put a secret into it."""
    origin = tx.origin
    row = LogItem(
        workspace_id=origin.caller.workspace_id,
        id=origin.new_id("evt"),
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
        before=dict(before) if before else None,
        after=dict(after) if after else None,
        created_at=origin.now,
    )
    tx.create(row)
    return row
