"""The worker of erasures: step by step, each part written down when it is done; any may be repeated."""

from collections.abc import Callable, Sequence
from datetime import timedelta

from forge.errors import Unavailable
from forge.store.answers import NoAnswer, Refused
from forge.store.transactions import VersionMoved
from forge.work.background.erasures import of_people, of_workspaces
from forge.work.record.log import events
from forge.work.workspace import erasures, jobs
from forge.work.workspace.erasures import ErasureItem
from forge.work.workspace.workers import Worker

_SOON, _LATER = timedelta(seconds=30), timedelta(minutes=5)

Step = Callable[[Worker, ErasureItem], ErasureItem | None]
"""Does a part, and says how far it is; None where others have to finish something first."""


def consume(worker: Worker, text: str) -> bool:
    """Go on with an erasure as long as there is time, unless somebody else is at it; whether it went on."""
    order = erasures.find(worker.store.table, *jobs.read(ErasureItem, text))
    if order is None or not order.is_free(worker.now):
        return False
    steps: Sequence[Step] = of_workspaces.STEPS if order.is_of_workspace else of_people.STEPS
    try:
        order = _save(worker, order.taken(worker.now))
        while order.step < len(steps):
            if not worker.has_time():
                jobs.send(worker.store, _save(worker, order.given_back(worker.now + _SOON)))
                return True
            became = _done(worker, steps[order.step], order)
            if became is None:
                _save(worker, order.given_back(worker.now + _LATER))
                return True
            order = _save(worker, became)
        _finish(worker, order)
    except VersionMoved:
        # Another worker was faster, or somebody has undone the order.
        return False
    return True


def _done(worker: Worker, step: Step, order: ErasureItem) -> ErasureItem | None:
    try:
        return step(worker, order)
    except (Unavailable, Refused, NoAnswer):
        _save(worker, order.given_back(worker.now + _SOON))
        raise


def _save(worker: Worker, order: ErasureItem) -> ErasureItem:
    """No row of the log tells of it: a deleted workspace has none."""
    tx = worker.begin(order.workspace_id)
    tx.replace(order)
    worker.store.commit(tx)
    return order.changed(version=order.version + 1)


def _finish(worker: Worker, order: ErasureItem) -> None:
    tx = worker.begin(order.workspace_id)
    tx.replace(order.done(worker.now))
    if not order.is_of_workspace:
        events.record_change(tx, "erasure", order.id, action="finish")
    worker.store.commit(tx)
