"""The worker of tasks: makes the call that nobody waits for, and keeps its answer."""

from forge.context import Services
from forge.errors import DomainError
from forge.jsontext import encode
from forge.store.transactions import VersionMoved
from forge.wire.edge import Edge
from forge.wire.invocation import read_answer
from forge.work.plans.gateway.tasks import TaskItem, TaskState
from forge.work.record import texts
from forge.work.workspace import jobs
from forge.work.workspace.workers import worker_of

SECONDS = 290.0
"""What a task may take, when its own limit is not shorter."""


def perform(edge: Edge, services: Services, text: str) -> bool:
    """Carry a task out, unless somebody else is at it or it is done; whether it was.

    Whoever dies before the answer is kept makes the next one do it again: the call carries an idempotency
    key, so that what has taken effect does not a second time.
    """
    worker = worker_of(services, TaskItem.queue)
    task = services.store.table.find(TaskItem, TaskItem.at(*jobs.read(TaskItem, text)))
    if task is None or not task.is_free(worker.now):
        return False
    try:
        taken = jobs.save(worker, task.leased(worker.now, state=TaskState.RUNNING), "task", action="begin")
    except VersionMoved:
        # Another worker was faster.
        return False
    told = edge.invoke({**task.invocation, "seconds": SECONDS}, seconds=SECONDS)
    try:
        answer = read_answer(told)
    except DomainError as error:
        # What the gateway says, whether it went well or not.
        answer = encode(error.as_object("task"))
    name = f"{task.workspace_id}/{task.id}/answer"
    kept = texts.keep(services.store.blobs, answer, name=name)
    jobs.save(worker, taken.done(kept, worker.now), "task", action="finish")
    return True
