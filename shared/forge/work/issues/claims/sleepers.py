"""Sleepers: claims that found nothing free, and wait until there is an issue for them.

Nothing is reserved for one and nothing is handed to it. It is woken when an issue becomes free, and then
tries to claim like everybody else, so that whoever is gone keeps no issue from the others.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Any

from forge.auth.narrowing import allows_issue
from forge.auth.sessions import said_session
from forge.context import Caller, Context, Narrowing
from forge.store.followers import follow
from forge.store.items import DerivedItem, Item
from forge.store.keys import At, Partition
from forge.store.places import KeptFor
from forge.store.transactions import Transaction
from forge.work.issues.followers import QueueItem
from forge.work.issues.issues import IssueItem
from forge.work.workspace.workspaces import WorkspaceItem

PREFIX = "slp"
KEPT = timedelta(hours=1)
"""How long after its end it can be asked what it came to."""
_KNOWN_FOR = timedelta(days=1)
"""So far ahead the workspace says that claims sleep: sleepers that follow one another write it once."""

SLEEPING = Partition("WS#{workspace_id}#QUEUE#SLEEPING")


class SleeperState(StrEnum):
    SLEEPING = "SLEEPING"
    CLAIMED = "CLAIMED"
    WITHDRAWN = "WITHDRAWN"


class SleeperItem(Item):
    stored = At("WS#{workspace_id}#SLEEPER#{id}", "META")
    kept = KeptFor(KEPT, since="ends_at")

    workspace_id: str
    id: str
    key_id: str
    agent_id: str | None = None
    user_id: str | None = None
    session_id: str
    """Of the call that fell asleep: what is claimed is claimed by it."""
    arguments: dict[str, Any]
    """What the call asked for."""
    project_ids: frozenset[str] = frozenset()
    label_ids: frozenset[str] = frozenset()
    """What its key was confined to."""
    state: SleeperState = SleeperState.SLEEPING
    created_at: datetime
    ends_at: datetime
    woken_at: datetime | None = None
    """Since when there may be something for it; None once it has looked."""
    lapses_at: datetime | None = None
    """When the first claim lapses that others have."""
    ended_at: datetime | None = None
    issue_id: str | None = None
    """The issue that it has claimed."""

    @property
    def narrowing(self) -> Narrowing:
        return Narrowing(self.project_ids, self.label_ids)

    def is_asleep(self, now: datetime) -> bool:
        return self.state is SleeperState.SLEEPING and now < self.ends_at

    def is_called(self, now: datetime) -> bool:
        """Whether there may be an issue for it by now."""
        return self.woken_at is not None or (self.lapses_at is not None and self.lapses_at <= now)

    def claimed(self, issue_id: str, now: datetime) -> "SleeperItem":
        return self.changed(state=SleeperState.CLAIMED, issue_id=issue_id, ended_at=now)

    def withdrawn(self, now: datetime) -> "SleeperItem":
        return self.changed(state=SleeperState.WITHDRAWN, ended_at=now)


class SleepingItem(DerivedItem):
    """A row for each that sleeps, which is found when an issue becomes free."""

    stored = At(SLEEPING, "{created_at}#{id}")
    kept = KeptFor(KEPT, since="ends_at")

    workspace_id: str
    id: str
    agent_id: str | None = None
    project_ids: frozenset[str] = frozenset()
    label_ids: frozenset[str] = frozenset()
    created_at: datetime
    ends_at: datetime

    @property
    def narrowing(self) -> Narrowing:
        return Narrowing(self.project_ids, self.label_ids)


def follows(sleeper: SleeperItem) -> Iterator[SleepingItem]:
    if sleeper.state is SleeperState.SLEEPING:
        yield SleepingItem.of(sleeper)


def sleeper_id(ctx: Context, arguments: Mapping[str, object]) -> str:
    """The same for a session that asks again, so that a lost answer makes no second one.

    Who names no session may have two windows open on one key, and each has to get work of its own.
    """
    session = said_session(ctx.caller)
    if session is None:
        return ctx.new_id(PREFIX)
    asked = sorted((name, repr(value)) for name, value in arguments.items())
    return f"{PREFIX}_{sha256(repr((ctx.caller.key_id, session, asked)).encode()).hexdigest()[:26]}"


def new_sleeper(
    ctx: Context, sleeper_id: str, *, seconds: int, arguments: Mapping[str, Any], lapses_at: datetime | None
) -> SleeperItem:
    caller, now = ctx.caller, ctx.now()
    return SleeperItem(
        workspace_id=caller.workspace_id,
        id=sleeper_id,
        key_id=caller.key_id,
        agent_id=caller.agent_id,
        user_id=caller.user_id,
        session_id=caller.session_id,
        arguments=dict(arguments),
        project_ids=caller.narrowing.project_ids,
        label_ids=caller.narrowing.label_ids,
        created_at=now,
        ends_at=now + timedelta(seconds=seconds),
        lapses_at=lapses_at,
    )


def fall_asleep(
    tx: Transaction, before: SleeperItem | None, sleeper: SleeperItem, workspace: WorkspaceItem
) -> None:
    """From now on, whoever frees an issue knows by the workspace that somebody is to be told."""
    if before is None:
        tx.create(sleeper)
    else:
        tx.replace(sleeper.changed(version=before.version))
    follow(tx, follows(before) if before else (), follows(sleeper))
    if workspace.claims_sleep_until is None or workspace.claims_sleep_until < sleeper.ends_at:
        tx.replace(workspace.changed(claims_sleep_until=sleeper.ends_at + _KNOWN_FOR))


def save(tx: Transaction, before: SleeperItem, after: SleeperItem) -> None:
    tx.replace(after)
    follow(tx, follows(before), follows(after))


def suits(row: IssueItem | QueueItem, *, agent_id: str | None, narrowing: Narrowing) -> bool:
    """Whether the queue may give it to somebody: it is not another agent's, and the key may see it."""
    is_theirs = row.assigned_agent_id not in (None, agent_id)
    return not is_theirs and allows_issue(narrowing, project_id=row.project_id, label_ids=row.label_ids)


def suits_caller(row: IssueItem | QueueItem, caller: Caller) -> bool:
    return suits(row, agent_id=caller.agent_id, narrowing=caller.narrowing)


def frees(before: Iterable[object], after: Iterable[object]) -> bool:
    """Whether a change of an issue put it among what is free to take, by what follows from it."""
    old = {row.key: row for row in before if isinstance(row, QueueItem)}
    free = [row for row in after if isinstance(row, QueueItem) and row.is_free]
    return any(old.get(row.key) != row for row in free)


_FIRST_LOOKS = ((timedelta(seconds=5), timedelta(seconds=10)), (timedelta(seconds=28), timedelta(seconds=58)))
_HALF_AN_HOUR, _AN_HOUR = timedelta(minutes=30), timedelta(hours=1)
_BETWEEN_LOOKS = timedelta(seconds=31)


def looks_at_queue(age: timedelta) -> bool:
    """Soon after it fell asleep, and then once an hour, it looks at the queue by itself.

    Who was putting an issue there when the workspace did not say yet that somebody sleeps is done when its
    call is over, which takes less than half a minute.
    """
    return any(first <= age < last for first, last in _FIRST_LOOKS) or _comes_round(age, _AN_HOUR)


def looks_at_lapsed(age: timedelta) -> bool:
    """Whether to look for lapsed claims this time: a claim that lapses leaves no event to wake a sleeper."""
    return _comes_round(age, _HALF_AN_HOUR)


def _comes_round(age: timedelta, every: timedelta) -> bool:
    return age >= every and age % every < _BETWEEN_LOOKS
