"""An event becomes deliveries: one for each agent that it wakes, one for each webhook that hears of it."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from forge.store.store import Store
from forge.work.background.deliveries import deliveries
from forge.work.background.deliveries.deliveries import DeliveryItem, DeliveryStatus, Receiver, ReceiverType
from forge.work.content.chat import telling
from forge.work.content.destinations import messages, webhooks
from forge.work.content.destinations.messages import EventMessage
from forge.work.content.destinations.webhooks import WebhookItem
from forge.work.record.log.events import UNSENT_AFTER
from forge.work.workspace import jobs
from forge.work.workspace.jobs import Unreadable
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.workers import Worker
from forge.work.workspace.workspaces import WorkspaceItem

_PRIVATE = frozenset({"note"})
"""What is only its owner's: no receiver hears of it, whatever happens to it."""
_MOST_ROWS = 25
"""In one transaction; each has the whole body of an event in it."""


class _AlreadyThere(Exception):
    """The same message came before; `delivery` is what it made then."""

    def __init__(self, attributes: dict[str, Any] | None) -> None:
        super().__init__("already there")
        self.delivery = DeliveryItem.from_attributes(attributes) if attributes else None


def fan_out(worker: Worker, event: EventMessage) -> int:
    """Make a row and send a message for each receiver; how many are new.

    Whoever dies on the way leaves the event's own message on the queue: the next one finds the rows that are
    there, and sends what nobody has tried yet.
    """
    return sum(_begin(worker, row) for row in _rows(worker, event.workspace_id, [event]))


def fan_out_together(worker: Worker, workspace_id: str, events: Sequence[EventMessage]) -> None:
    """The same for several of one workspace, in few requests.

    It fails where any of them came before, or can't be acted on: then each has to be tried alone.
    """
    rows = _rows(worker, workspace_id, events)
    for first in range(0, len(rows), _MOST_ROWS):
        portion = rows[first : first + _MOST_ROWS]
        tx = worker.begin(workspace_id)
        for row in portion:
            tx.create(row, refusal=_AlreadyThere)
        worker.store.commit(tx)
        jobs.send_all(worker.store, portion)


def _rows(worker: Worker, workspace_id: str, events: Sequence[EventMessage]) -> list[DeliveryItem]:
    workspace, agents = _read(worker.store, workspace_id, events)
    if workspace.deletes_at is not None:
        return []
    told = [event for event in events if event.subject_type not in _PRIVATE]
    heard = webhooks.list_all(worker.store.table, workspace_id) if told else []
    rows: list[DeliveryItem] = []
    for event in told:
        receivers = targets(event, agents, heard)
        if event.wakes and not any(one.type is ReceiverType.AGENT for one in receivers):
            telling.settle(worker.store, partial(worker.begin, workspace_id), event.kind, event.payload)
        body = messages.body_of(event, public_url=worker.public_url)
        rows += [a_delivery(event, target, body=body, now=worker.now) for target in receivers]
    return rows


def targets(
    event: EventMessage, agents: Mapping[str, AgentItem | None], heard: Iterable[WebhookItem]
) -> list[Receiver]:
    """Pure. An agent without a URL looks for itself: its run is there."""
    woken = [
        Receiver(ReceiverType.AGENT, wake.agent_id, wake.run_id)
        for wake in event.wakes
        if (agent := agents[wake.agent_id]) is not None and agent.webhook_url
    ]
    hearing = [Receiver(ReceiverType.WEBHOOK, one.id) for one in heard if one.hears_of(event.kind)]
    return woken + hearing


def a_delivery(event: EventMessage, target: Receiver, *, body: str, now: datetime) -> DeliveryItem:
    return DeliveryItem(
        workspace_id=event.workspace_id,
        id=deliveries.delivery_id(event.id, target),
        event_id=event.id,
        event_kind=event.kind,
        target_type=target.type,
        target_id=target.id,
        run_id=target.run_id,
        body=body,
        created_at=now,
        scheduled_at=now,
        look_at=now + UNSENT_AFTER,
    )


def _read(
    store: Store, workspace_id: str, events: Sequence[EventMessage]
) -> tuple[WorkspaceItem, dict[str, AgentItem | None]]:
    """The workspace of these events, and the agents that they wake by id."""
    workspace = WorkspaceItem.at(workspace_id)
    woken = {wake.agent_id for event in events for wake in event.wakes}
    agents = {agent_id: AgentItem.at(workspace_id, agent_id) for agent_id in sorted(woken)}
    known = store.table.read([workspace, *agents.values()])
    settings = known.find(WorkspaceItem, workspace)
    if settings is None:
        raise Unreadable("there is no such workspace")
    return settings, {agent_id: known.find(AgentItem, key) for agent_id, key in agents.items()}


def _begin(worker: Worker, row: DeliveryItem) -> bool:
    tx = worker.begin(row.workspace_id)
    tx.create(row, refusal=_AlreadyThere)
    try:
        worker.store.commit(tx)
    except _AlreadyThere as there:
        found = there.delivery
        if found and found.status is DeliveryStatus.PENDING and not found.attempt:
            jobs.send(worker.store, row)
        return False
    jobs.send(worker.store, row)
    return True
