"""The worker of tasks: makes the call that nobody waits for, and keeps its answer."""

from collections.abc import Mapping
from typing import Any

from forge.context import Services
from forge.errors import DomainError
from forge.jsontext import BadJson, decode, encode
from forge.store.transactions import VersionMoved
from forge.wire.edge import Edge
from forge.wire.invocation import read_answer
from forge.work.content.destinations.messages import Unreadable
from forge.work.plans.gateway.tasks import TaskItem
from forge.work.record import texts
from forge.work.record.log.events import record_change
from forge.work.workspace.workers import worker_of

TASKS = "tasks"
SECONDS = 290.0
"""What a task may take, when its own limit is not shorter."""


def perform(edge: Edge, services: Services, text: str) -> bool:
    """Carry a task out, unless somebody else is at it or it is done; whether it was.

    Whoever dies before the answer is kept makes the next one do it again: the call carries an idempotency
    key, so that what has taken effect does not a second time.
    """
    task = _find(services, text)
    if task is None or not task.is_free(services.now()):
        return False
    try:
        taken = _save(services, task.taken(services.now()), action="begin")
    except VersionMoved:
        # Another worker was faster.
        return False
    answer = _answer_of(edge.invoke({**task.invocation, "seconds": SECONDS}, seconds=SECONDS))
    name = f"{task.workspace_id}/{task.id}/answer"
    kept = texts.keep(services.store.blobs, answer, name=name)
    _save(services, taken.done(kept, services.now()), action="finish")
    return True


def _find(services: Services, text: str) -> TaskItem | None:
    try:
        message = decode(text)
        place = TaskItem.at(message["workspaceId"], message["taskId"])
    except (BadJson, KeyError, TypeError) as reason:
        raise Unreadable("not a message about a task") from reason
    return services.store.table.find(TaskItem, place)


def _answer_of(answer: Mapping[str, Any]) -> str:
    """What the gateway says, whether it went well or not."""
    try:
        return read_answer(answer)
    except DomainError as error:
        return encode(error.as_object("task"))


def _save(services: Services, task: TaskItem, *, action: str) -> TaskItem:
    ctx = worker_of(services, TASKS).context(task.workspace_id)
    tx = ctx.plan()
    tx.replace(task)
    record_change(tx, "task", task.id, action=action)
    ctx.commit()
    return task.changed(version=task.version + 1)
