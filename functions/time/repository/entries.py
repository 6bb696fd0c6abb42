"""Time entries: a stretch of work, by a person or an agent, perhaps on an issue. One may still be running."""

from datetime import datetime
from typing import Any

from forge.context import Context
from forge.errors import Conflict
from forge.store.items import Item
from forge.store.keys import At, Key, Partition
from forge.store.places import In
from forge.store.transactions import Transaction
from forge.work.record.log import events
from forge.work.workspace.people.members import BELONGINGS

_SUBJECT = "time-entry"

ENTRIES = Partition("WS#{workspace_id}#UPDATED#TIME")
ENTRIES_OF = Partition("WS#{workspace_id}#ACTOR#{owner_id}#TIME")
ENTRIES_OF_ISSUE = Partition("WS#{workspace_id}#ISSUE#{issue_id}#TIME")
_AGE = "{started_at}#{id}"


class TimeEntryItem(Item):
    """Exactly one of user and agent: an agent's key works for the agent."""

    stored = At("WS#{workspace_id}#TIME#{owner_id}", "{id}")
    indexed = (
        In("updated", ENTRIES, _AGE),
        In("agent", ENTRIES_OF, _AGE),
        In("subject", ENTRIES_OF_ISSUE, _AGE),
    )

    workspace_id: str
    id: str
    user_id: str | None = None
    agent_id: str | None = None
    issue_id: str | None = None
    description: str | None = None
    started_at: datetime
    ended_at: datetime | None = None
    """None while it runs."""
    billable: bool = False
    hourly_rate: float | None = None

    @property
    def owner_id(self) -> str:
        return str(self.agent_id or self.user_id)


class RunningTimerItem(Item):
    """Says that somebody's timer runs, and for which entry; whoever stops it takes it away."""

    # One place for each person or agent, so that a second timer finds it taken.
    stored = At(BELONGINGS, "TIMER")

    workspace_id: str
    owner_id: str
    entry_id: str
    issue_id: str | None = None

    @property
    def entry_key(self) -> Key:
        return TimeEntryItem.at(self.workspace_id, self.owner_id, self.entry_id)


def begun(ctx: Context, issue_id: str | None, *, started_at: datetime, **fields: Any) -> TimeEntryItem:
    """A new entry of the caller's."""
    agent_id = ctx.caller.agent_id
    return TimeEntryItem(
        workspace_id=ctx.caller.workspace_id,
        id=ctx.new_id("time"),
        user_id=None if agent_id else ctx.caller.user_id,
        agent_id=agent_id,
        issue_id=issue_id,
        started_at=started_at,
        **fields,
    )


def start(tx: Transaction, entry: TimeEntryItem) -> None:
    """Store an entry that runs from now on; refused where another one does."""
    tx.create(entry)
    tx.create(RunningTimerItem.of(entry, entry_id=entry.id), refusal=_already_running)
    events.record_change(tx, _SUBJECT, entry.id, action="start", after=entry, issue_id=entry.issue_id)


def stop(tx: Transaction, timer: RunningTimerItem, entry: TimeEntryItem) -> TimeEntryItem:
    """End the running entry, as it became; two who do it at once end it once."""
    # Another machine's clock may be behind the one that started it.
    after = entry.changed(ended_at=max(tx.origin.now, entry.started_at))
    tx.replace(after)
    tx.delete(timer)
    events.record_change(
        tx, _SUBJECT, entry.id, action="stop", before=entry, after=after, issue_id=entry.issue_id
    )
    return after


def log(tx: Transaction, entry: TimeEntryItem) -> None:
    """Store an entry that is over."""
    tx.create(entry)
    events.record_change(tx, _SUBJECT, entry.id, action="log", after=entry, issue_id=entry.issue_id)


def _already_running(taken: dict[str, Any] | None) -> Exception:
    return Conflict(
        "You have a timer running already.",
        hint="End it with time.stop, then start this one.",
        details={"entryId": RunningTimerItem.from_attributes(taken).entry_id} if taken else None,
    )
