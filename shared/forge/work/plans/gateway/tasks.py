"""A task: a request that a worker carries out, because it may take longer than anybody waits."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from forge.context import Caller
from forge.errors import NotFound
from forge.store.items import Item
from forge.store.keys import At, Key
from forge.store.places import DueAt, KeptFor
from forge.store.store import Store
from forge.store.table import Table
from forge.work.record.log.events import UNSENT_AFTER
from forge.work.record.texts import KeptText
from forge.work.workspace.workers import Worker

QUEUE = "tasks"
KEPT = timedelta(days=7)
LEASE = timedelta(minutes=10)
"""Longer than a worker lives: after that, another one begins anew."""


class TaskState(StrEnum):
    PENDING = "PENDING"
    RUNNING = "RUNNING"
    DONE = "DONE"


class TaskItem(Item):
    stored = At("WS#{workspace_id}#TASK#{id}", "META")
    indexed = (DueAt("look_at"),)
    kept = KeptFor(KEPT, since="created_at")

    workspace_id: str
    id: str
    state: TaskState = TaskState.PENDING
    invocation: dict[str, Any]
    """The call as a worker makes it: who calls what, with which arguments."""
    key_id: str
    user_id: str | None = None
    agent_id: str | None = None
    created_at: datetime
    leased_until: datetime | None = None
    finished_at: datetime | None = None
    answer: KeptText | None = None
    """What whoever asks for the result is told."""
    look_at: datetime | None = None
    """When the sweep has a worker look at it, in case that none does."""

    def is_free(self, now: datetime) -> bool:
        """Whether a worker may take it: nobody else is at it."""
        if self.state is TaskState.DONE:
            return False
        return self.leased_until is None or self.leased_until <= now

    def taken(self, now: datetime) -> "TaskItem":
        until = now + LEASE
        return self.changed(state=TaskState.RUNNING, leased_until=until, look_at=until)

    def done(self, answer: KeptText, now: datetime) -> "TaskItem":
        return self.changed(
            state=TaskState.DONE, answer=answer, finished_at=now, leased_until=None, look_at=None
        )


def send(store: Store, task: TaskItem) -> None:
    """Have a worker look at it. A message too many does no harm, and the sweep makes up for one too few."""
    store.queues.send(QUEUE, {"workspaceId": task.workspace_id, "taskId": task.id})


def resend(worker: Worker, key: Key) -> bool:
    """For the sweep: the message was lost, or the worker died."""
    task = worker.store.table.find(TaskItem, key)
    if task is None or task.look_at is None or task.look_at > worker.now:
        return False
    send(worker.store, task)
    tx = worker.begin(task.workspace_id)
    tx.replace(task.changed(look_at=worker.now + UNSENT_AFTER))
    worker.store.commit(tx)
    return True


def get(table: Table, caller: Caller, task_id: str) -> TaskItem:
    """One's own: by the same key, or by another one of the same agent or person."""
    missing = NotFound(
        f"There is no task {task_id[:60]!r}.", hint="gateway.execute answers with the id of a task of yours."
    )
    found = table.get(TaskItem, TaskItem.at(caller.workspace_id, task_id), missing=missing)
    same_agent = found.agent_id is not None and found.agent_id == caller.agent_id
    same_user = found.user_id is not None and found.user_id == caller.user_id
    if found.key_id != caller.key_id and not same_agent and not same_user:
        raise missing
    return found
