"""Watchers: who follows an issue. Of the agents among them, only the assignee is woken by what happens."""

from datetime import datetime

from forge.auth.actors import identity_of
from forge.context import Caller, Context
from forge.store.items import Item
from forge.store.keys import At
from forge.store.transactions import Transaction, overtaken
from forge.work.issues.issues import OF_ISSUE, IssueItem


class WatchItem(Item):
    """Seen from the issue: exactly one of user and agent."""

    stored = At(OF_ISSUE, "X#WATCH#{watcher_id}")

    workspace_id: str
    issue_id: str
    id: str
    user_id: str | None = None
    agent_id: str | None = None
    created_at: datetime

    @property
    def watcher_id(self) -> str:
        return str(self.user_id or self.agent_id)

    @property
    def seen_by_watcher(self) -> "WatchingItem":
        return WatchingItem.of(self, watch_id=self.id)


class WatchingItem(Item):
    """Seen from the watcher, newest last."""

    stored = At("WS#{workspace_id}#WATCHING#{watcher_id}", "{created_at}#{issue_id}")

    workspace_id: str
    watcher_id: str
    issue_id: str
    watch_id: str
    created_at: datetime


def new_watch(
    ctx: Context, issue: IssueItem, *, user_id: str | None = None, agent_id: str | None = None
) -> WatchItem:
    return WatchItem(
        workspace_id=issue.workspace_id,
        issue_id=issue.id,
        id=ctx.new_id("wat"),
        user_id=user_id,
        agent_id=agent_id,
        created_at=ctx.now(),
    )


def own_watch(ctx: Context, issue: IssueItem) -> WatchItem:
    """The caller's: an agent's key watches for the agent, every other one for its user."""
    agent_id = ctx.caller.agent_id
    return new_watch(ctx, issue, agent_id=agent_id, user_id=None if agent_id else ctx.caller.user_id)


def add(tx: Transaction, watch: WatchItem) -> None:
    """Somebody who did not watch until now; who began just then is found when it is decided again."""
    tx.create(watch, refusal=overtaken)
    tx.create(watch.seen_by_watcher)


def remove(tx: Transaction, watch: WatchItem) -> None:
    tx.delete(watch)
    tx.delete(watch.seen_by_watcher)


def watcher_of(caller: Caller) -> str:
    """Whom a key watches for."""
    return identity_of(caller)
