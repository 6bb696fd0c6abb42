"""Acting on messages of the dispatch queue: at once, so that a receiver that hangs holds up nobody."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from functools import partial

from forge.work.background.deliveries import waking
from forge.work.background.deliveries.deliveries import DeliveryItem
from forge.work.background.deliveries.delivering import begin_together, deliver
from forge.work.background.deliveries.fanning import fan_out, fan_out_together
from forge.work.content.destinations import messages
from forge.work.content.destinations.messages import DeliveryMessage, EventMessage, FreedMessage, Posted
from forge.work.workspace.jobs import Unreadable
from forge.work.workspace.people.announcements import AgentStatusChanged
from forge.work.workspace.workers import Worker

MOST_AT_ONCE = 10
"""As many as come in one batch."""

_BUILT_LATE = (Posted, AgentStatusChanged)
"""Models are built with their first use, which must not be that of several threads together."""

AnyMessage = EventMessage | DeliveryMessage | FreedMessage
Acted = Future[DeliveryItem | None]
Act = Callable[[], DeliveryItem | None]


def consume(worker: Worker, text: str) -> DeliveryItem | None:
    """Do what a message says; what became of a delivery that was tried."""
    message = messages.read(text)
    if isinstance(message, DeliveryMessage):
        return deliver(worker, message.workspace_id, message.delivery_id)
    if isinstance(message, FreedMessage):
        waking.wake(worker, message)
        return None
    fan_out(worker, message)
    return None


@contextmanager
def under_way(
    worker: Worker, texts: Sequence[str], *, pool: ThreadPoolExecutor | None = None
) -> Iterator[list[Acted]]:
    """All of them at once; each tells by itself how it went. Without a pool they get one of their own."""
    for model in _BUILT_LATE:
        model.model_rebuild()
    begun = _begun_together(worker, texts)
    with nullcontext(pool) if pool else threads() as acting:
        yield [
            acting.submit(begun.get(place) or partial(consume, worker, text))
            for place, text in enumerate(texts)
        ]


def threads(most: int = MOST_AT_ONCE) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(most, thread_name_prefix="dispatch")


def _begun_together(worker: Worker, texts: Sequence[str]) -> dict[int, Act]:
    """What is left to do of those that could be begun in few requests, by their places."""
    kinds: dict[tuple[str, type], dict[int, AnyMessage]] = {}
    for place, text in enumerate(texts):
        with suppress(Unreadable):
            message = messages.read(text)
            kinds.setdefault((message.workspace_id, type(message)), {})[place] = message
    begun: dict[int, Act] = {}
    for (workspace_id, _), together in kinds.items():
        if len(together) > 1:
            acts = _begin(worker, workspace_id, [*together.values()])
            begun |= zip(together, acts, strict=False)
    return begun


def _begin(worker: Worker, workspace_id: str, together: Sequence[AnyMessage]) -> Sequence[Act]:
    """All of one kind; none where they can't be begun together."""
    events = [message for message in together if isinstance(message, EventMessage)]
    ids = [message.delivery_id for message in together if isinstance(message, DeliveryMessage)]
    try:
        if not (events or ids):
            return ()
        if not events:
            return begin_together(worker, workspace_id, ids)
        fan_out_together(worker, workspace_id, events)
    except Exception:  # noqa: BLE001 - each is tried by itself, and then told
        return ()
    return [lambda: None for _ in events]
