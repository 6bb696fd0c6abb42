"""A task: a request that a worker carries out, because it may take longer than anybody waits."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from forge.auth.actors import is_same
from forge.context import Caller
from forge.errors import NotFound
from forge.store.keys import At
from forge.store.places import KeptFor
from forge.store.table import Table
from forge.work.record.texts import KeptText
from forge.work.workspace.jobs import LeasedJob

KEPT = timedelta(days=7)


class TaskState(StrEnum):
    PENDING = "PENDING"
    RUNNING = "RUNNING"
    DONE = "DONE"


class TaskItem(LeasedJob):
    stored = At("WS#{workspace_id}#TASK#{id}", "META")
    kept = KeptFor(KEPT, since="created_at")
    queue, named, lease = "tasks", "taskId", timedelta(minutes=10)

    state: TaskState = TaskState.PENDING
    invocation: dict[str, Any]
    """The call as a worker makes it: who calls what, with which arguments."""
    key_id: str
    user_id: str | None = None
    agent_id: str | None = None
    created_at: datetime
    finished_at: datetime | None = None
    answer: KeptText | None = None
    """The answer that gateway.result gives."""

    def is_free(self, now: datetime) -> bool:
        """Whether a worker may take it: nobody else is at it."""
        return self.state is not TaskState.DONE and not self.is_leased(now)

    def done(self, answer: KeptText, now: datetime) -> "TaskItem":
        return self.changed(
            state=TaskState.DONE, answer=answer, finished_at=now, leased_until=None, look_at=None
        )


def get(table: Table, caller: Caller, task_id: str) -> TaskItem:
    """A task of the caller, made with this key or another one of the same agent or person."""
    missing = NotFound(
        f"There is no task {task_id[:60]!r}.", hint="gateway.execute answers with the id of a task of yours."
    )
    found = table.get(TaskItem, TaskItem.at(caller.workspace_id, task_id), missing=missing)
    if not is_same(caller, found.key_id, user_id=found.user_id, agent_id=found.agent_id):
        raise missing
    return found
