"""Acting on messages of the dispatch queue: at once, so that a receiver that hangs holds up nobody."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

from forge.work.background.deliveries.deliveries import DeliveryItem
from forge.work.background.deliveries.delivering import deliver
from forge.work.background.deliveries.fanning import fan_out
from forge.work.content.destinations import messages
from forge.work.content.destinations.messages import DeliveryMessage, Posted
from forge.work.workspace.people.announcements import AgentStatusChanged
from forge.work.workspace.workers import Worker

MOST_AT_ONCE = 10
"""As many as come in one batch."""

_BUILT_LATE = (Posted, AgentStatusChanged)
"""Models are built with their first use, which must not be that of several threads together."""

Acted = Future[DeliveryItem | None]


def consume(worker: Worker, text: str) -> DeliveryItem | None:
    """Do what a message says; what became of a delivery that was tried."""
    message = messages.read(text)
    if isinstance(message, DeliveryMessage):
        return deliver(worker, message.workspace_id, message.delivery_id)
    fan_out(worker, message)
    return None


@contextmanager
def under_way(worker: Worker, texts: Sequence[str]) -> Iterator[list[Acted]]:
    """All of them at once; each tells by itself how it went."""
    for model in _BUILT_LATE:
        model.model_rebuild()
    with ThreadPoolExecutor(MOST_AT_ONCE, thread_name_prefix="dispatch") as pool:
        yield [pool.submit(consume, worker, text) for text in texts]
