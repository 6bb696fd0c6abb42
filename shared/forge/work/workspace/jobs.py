"""Jobs: what a worker does because a row says so, and the sweep minds until it is done.

The row is the truth. A message is only a reason to look at it: one too many does no harm, and where none came
or whoever took it died, the sweep sends another.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import ClassVar, Self, TypeVar

from forge.jsontext import BadJson, decode
from forge.store.items import Item
from forge.store.keys import Key
from forge.store.places import DueAt, In
from forge.store.store import Store
from forge.work.record.log.events import UNSENT_AFTER, record_change
from forge.work.workspace.workers import Worker


class Unreadable(Exception):
    """A queue message that no worker can act on; after its last try it goes to the dead letters."""


class Job(Item):
    indexed: ClassVar[tuple[In | DueAt, ...]] = (DueAt("look_at"),)

    queue: ClassVar[str]
    named: ClassVar[str]
    """Where messages on it say which job they are about."""
    is_in_turns: ClassVar[bool] = False
    """Whether messages about the same are taken one after the other."""
    again_after: ClassVar[timedelta] = UNSENT_AFTER
    """When the sweep looks once more at one that it has sent a message for."""

    workspace_id: str
    look_at: datetime | None = None
    """When the sweep sends a message for it, in case that there is none."""

    @property
    def called(self) -> str:
        """The name by which queue messages refer to this job."""
        raise NotImplementedError


class LeasedJob(Job):
    """A job that takes a while: the worker that began it holds a lease, and no other begins it meanwhile."""

    lease: ClassVar[timedelta]
    """Longer than a worker lives: after that, another one begins anew."""

    id: str
    leased_until: datetime | None = None

    @property
    def called(self) -> str:
        return self.id

    def is_leased(self, now: datetime) -> bool:
        return self.leased_until is not None and self.leased_until > now

    def leased(self, now: datetime, **fields: object) -> Self:
        """Ours for a while. If we die, the sweep looks when the lease is over."""
        until = now + self.lease
        return self.changed(leased_until=until, look_at=until, **fields)


LeasedT = TypeVar("LeasedT", bound=LeasedJob)


def send(store: Store, job: Job, *, delay_seconds: int = 0) -> None:
    """Have a worker look at it."""
    send_about(store, type(job), job.workspace_id, job.called, delay_seconds=delay_seconds)


def send_all(store: Store, jobs: Sequence[Job]) -> None:
    """The same for many of one kind, in few requests."""
    for kind in {type(job) for job in jobs}:
        messages = [_message(kind, job.workspace_id, job.called) for job in jobs if type(job) is kind]
        store.queues.send_all(kind.queue, messages)


def send_about(
    store: Store, kind: type[Job], workspace_id: str, called: str, *, delay_seconds: int = 0
) -> None:
    """The same without the job itself."""
    message = _message(kind, workspace_id, called)
    group = f"{workspace_id}/{called}" if kind.is_in_turns else None
    store.queues.send(kind.queue, message, delay_seconds=delay_seconds, group=group)


def _message(kind: type[Job], workspace_id: str, called: str) -> dict[str, object]:
    return {"workspaceId": workspace_id, kind.named: called}


def read(kind: type[Job], text: str) -> tuple[str, str]:
    """The workspace of the job that a message is about, and what it is called."""
    try:
        message = decode(text)
        place = message["workspaceId"], message[kind.named]
    except (BadJson, KeyError, TypeError) as reason:
        raise Unreadable(f"no message about a {kind.named}") from reason
    if not all(isinstance(one, str) for one in place):
        raise Unreadable(f"no message about a {kind.named}")
    return place


def resend(kind: type[Job], worker: Worker, key: Key) -> bool:
    """For the sweep: the message was lost, or its worker, or it could not wait for so long.

    A message first, and another look later: so a crash in between sends one too many.
    """
    job = worker.store.table.find(kind, key)
    if job is None or job.look_at is None or job.look_at > worker.now:
        return False
    send(worker.store, job)
    tx = worker.begin(job.workspace_id)
    tx.replace(job.changed(look_at=worker.now + job.again_after))
    worker.store.commit(tx)
    return True


def save(worker: Worker, job: LeasedT, subject_type: str, *, action: str) -> LeasedT:
    """As it became by what a worker did; VersionMoved where another one was faster."""
    tx = worker.begin(job.workspace_id)
    tx.replace(job)
    record_change(tx, subject_type, job.id, action=action)
    worker.store.commit(tx)
    return job.changed(version=job.version + 1)
