"""An event becomes deliveries: one for each agent that it wakes, one for each webhook that hears of it."""

from collections.abc import Iterable, Mapping
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


class _AlreadyThere(Exception):
    """The same message came before; this is what it made."""

    def __init__(self, attributes: dict[str, Any] | None) -> None:
        super().__init__("already there")
        self.delivery = DeliveryItem.from_attributes(attributes) if attributes else None


def fan_out(worker: Worker, event: EventMessage) -> int:
    """Make a row and send a message for each receiver; how many are new.

    Whoever dies on the way leaves the event's own message on the queue: the next one finds the rows that are
    there, and sends what nobody has tried yet.
    """
    workspace, agents = _read(worker.store, event)
    if event.subject_type in _PRIVATE or workspace.deletes_at is not None:
        return 0
    heard = webhooks.list_all(worker.store.table, event.workspace_id)
    body = messages.body_of(event, public_url=worker.public_url)
    made = 0
    receivers = targets(event, agents, heard)
    if event.wakes and not any(one.type is ReceiverType.AGENT for one in receivers):
        begin = partial(worker.begin, event.workspace_id)
        telling.settle(worker.store, begin, event.kind, event.payload)
    for target in receivers:
        row = a_delivery(event, target, body=body, now=worker.now)
        made += _begin(worker, row)
    return made


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


def _read(store: Store, event: EventMessage) -> tuple[WorkspaceItem, dict[str, AgentItem | None]]:
    """Where it happened, and those that it wakes."""
    workspace = WorkspaceItem.at(event.workspace_id)
    agents = {wake.agent_id: AgentItem.at(event.workspace_id, wake.agent_id) for wake in event.wakes}
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
