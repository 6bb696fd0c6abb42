"""Rows of the log, and the marks of those that somebody has to be told of."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Self
from zlib import crc32

from forge.store.codec import Attribute
from forge.store.items import DerivedItem, Item, Part
from forge.store.keys import At, Key, Partition
from forge.store.places import DueAt, In, KeptFor
from forge.work.record.log.attempts import Attempt
from forge.work.record.log.kinds import ISSUE, MOVES, EventKind

KEPT = timedelta(days=400)


class Wake(Part):
    """An agent to be told of an event, and the run that was opened or touched for it, if there was room."""

    agent_id: str
    run_id: str | None = None


LOG = Partition("WS#{workspace_id}#LOG")
"""Of a workspace whose log is not spread, and the first one of any other."""
MOST_SHARDS = 16
TEXTS = frozenset({"title", "description"})
"""By which an issue is found."""
LOG_OF_SUBJECT = Partition("WS#{workspace_id}#SUBJECT#{subject_type}#{subject_id}")
LOG_OF_ISSUE = Partition("WS#{workspace_id}#ABOUT#{about_issue}")
"""Whatever is about an issue, whichever subject it has."""
LOG_OF_ACTOR = Partition("WS#{workspace_id}#ACTOR#{doer_id}")
_ROW = "{created_at}#{id}"
_OF_CLAIMS = frozenset({"claim", "release"})
_STATUS = "status_id"
_TOLD_STATUS = {"before": "from", "after": "statusId"}
"""Where the payload of a move says what it was before, and what it is since."""


class LogItem(Item):
    stored = At("WS#{workspace_id}#LOG{shard_name}", _ROW)
    indexed = (
        In("subject", LOG_OF_SUBJECT, _ROW, when="is_of_another_subject"),
        In("updated", LOG_OF_ISSUE, _ROW),
        In("agent", LOG_OF_ACTOR, _ROW),
        DueAt("outbox_due"),
    )
    kept = KeptFor(KEPT, since="created_at")
    is_sparse = True
    """Most rows stay below a kilobyte so, for which DynamoDB charges half."""

    workspace_id: str
    shard: int = 0
    """Of a log that is spread over partitions, because one would not take all that its workspace writes."""
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
    waits: list[str] = []
    """The waits that began or were settled with this change."""
    errand: str | None = None
    """The issue of which somebody has to be told elsewhere."""
    attempt: Attempt | None = None
    """What a call came to that changed nothing, or only passed another one on."""
    created_at: datetime
    outbox_due: datetime | None = None
    """Of a row that a build without marks wrote: when the sweep has to hand it to the queue."""

    def attributes(self) -> dict[str, Attribute]:
        """Nobody changes a row, so it needs no version; its issue and the status of a move are said once."""
        own = super().attributes()
        del own["version"]
        if self.issue_id == self.subject_id:
            own.pop("issue_id", None)
        for side, said, told in self.sides():
            if said.get(_STATUS) == told:
                del own[side]["M"][_STATUS]
        return own

    @classmethod
    def from_attributes(cls, attributes: Mapping[str, Attribute]) -> Self:
        row = super().from_attributes(attributes)
        whole = {side: {_STATUS: told} | said for side, said, told in row.sides()}
        return row.changed(issue_id=row.about_issue, **whole)

    def sides(self) -> list[tuple[str, dict[str, Any], str]]:
        """Of a move, what was kept of how it was and how it is, and the status that its payload tells."""
        found = []
        if self.kind is EventKind.ISSUE_STATUS_CHANGED:
            for side, name in _TOLD_STATUS.items():
                said, told = getattr(self, side), self.payload.get(name)
                if said is not None and told is not None:
                    found.append((side, said, told))
        return found

    @property
    def shard_name(self) -> str:
        return shard_name(self.shard)

    @property
    def is_of_another_subject(self) -> bool:
        """Rows of issues are found by what they are about."""
        return self.subject_type != ISSUE

    @property
    def doer_id(self) -> str | None:
        """Who moved an issue: what they did is found by them."""
        return (self.actor_agent_id or self.actor_user_id or None) if self.is_move else None

    @property
    def is_move(self) -> bool:
        """Whether an issue was changed; taking it, or giving it back, changes nothing of it."""
        return self.subject_type == ISSUE and self.kind in MOVES and self.action not in _OF_CLAIMS

    @property
    def changes_text(self) -> bool:
        """Whether an issue says something else since. Other events may name a title, and others have one."""
        if self.subject_type != ISSUE:
            return False
        is_told_by_payload = self.kind in (EventKind.ISSUE_CREATED, EventKind.ISSUE_UPDATED)
        named = {*(self.before or ()), *(self.after or ()), *(self.payload if is_told_by_payload else ())}
        return not TEXTS.isdisjoint(named)

    @property
    def about_issue(self) -> str | None:
        return self.issue_id or (self.subject_id if self.subject_type == ISSUE else None)


def shard_name(shard: int) -> str:
    """What its partitions end with; the first one has the name that all had before there were more."""
    return f"#{shard}" if shard else ""


def shard_of(thing_id: str, spread: int) -> int:
    """Where to write what is about a thing: all of it in one place."""
    return crc32(thing_id.encode()) % spread


def log_partitions(workspace_id: str, shards: int) -> list[str]:
    """Where all of a log is; whoever reads it merges them by time."""
    return [f"{LOG(workspace_id)}{shard_name(shard)}" for shard in range(shards)]


def log_of(workspace_id: str, subject_type: str, subject_id: str) -> tuple[str, str]:
    """Partition and index of what happened to one thing; to issues, among what is about them."""
    if subject_type == ISSUE:
        return LOG_OF_ISSUE(workspace_id, subject_id), "updated"
    return LOG_OF_SUBJECT(workspace_id, subject_type, subject_id), "subject"


class OutboxItem(DerivedItem):
    """That somebody has to be told of what a transaction logged; gone when they are."""

    stored = At("WS#{workspace_id}#OUTBOX{shard_name}", _ROW)
    indexed = (DueAt("outbox_due"),)
    is_sparse = True

    workspace_id: str
    shard: int = 0
    id: str
    """Of the first row, in whose shard all of them are."""
    rows: list[str] = []
    """Which rows of the log, by their ids."""
    freed: list[str] = []
    """Issues that can be claimed since."""
    created_at: datetime
    outbox_due: datetime
    """When the sweep has to send what the relay has not."""

    @property
    def shard_name(self) -> str:
        return shard_name(self.shard)

    @property
    def row_keys(self) -> list[Key]:
        return [LogItem.at(self.workspace_id, self.shard_name, self.created_at, row) for row in self.rows]
