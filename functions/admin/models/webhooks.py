"""Webhooks and what is sent to them and to agents, as operators order and see it."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from forge.contract.fields import AgentSubject, Paged
from forge.contract.models import Model, Omittable
from forge.work.background.deliveries.deliveries import DeliveryItem, DeliveryStatus, ReceiverType
from forge.work.record.log.kinds import EventKind

MAX_PREVIEW = 2_048


class CreateWebhook(Model):
    url: Annotated[
        str, Field(min_length=1, max_length=2048, description="Where events are posted; unique here.")
    ]
    secret: Annotated[
        str | None,
        Field(min_length=16, max_length=200, description="Signs what is sent; one is made by default."),
    ] = None
    events: Annotated[
        list[EventKind], Field(max_length=100, description="The kinds it hears of; all by default.")
    ] = []


class DeleteWebhook(Model):
    id: Annotated[str, Field(min_length=1, max_length=40, description="The webhook's id.")]


class NewSecret(Model):
    secret: Annotated[
        str | None, Field(min_length=16, max_length=200, description="The new one; one is made by default.")
    ] = None
    grace_hours: Annotated[
        int, Field(ge=0, le=168, description="How long the old one signs, too; 0 ends it at once.")
    ] = 24


class RotateSecret(NewSecret):
    id: Annotated[str, Field(min_length=1, max_length=40, description="The webhook's id.")]


class RotateAgentSecret(NewSecret):
    id: AgentSubject


class RotatedSecret(Model):
    id: str
    secret: str
    signs_alone_from: datetime


class WebhookView(Model):
    id: str
    url: str
    events: list[EventKind]
    active: bool
    created_at: datetime


class NewWebhook(WebhookView):
    secret: str


class ListDeliveries(Paged):
    status: Annotated[
        DeliveryStatus | None, Field(description="DEAD_LETTER for what was given up, and so on.")
    ] = None


class RetryDelivery(Model):
    id: Annotated[str, Field(min_length=1, max_length=60, description="The id in webhookDeliveries.list.")]


class DeliveryView(Model):
    id: str
    event_id: str
    kind: str
    webhook_id: Omittable[str] = None
    agent_id: Omittable[str] = None
    run_id: Omittable[str] = None
    status: DeliveryStatus
    attempt: int
    response_status: int | None
    response_body: str | None
    created_at: datetime
    scheduled_at: datetime
    delivered_at: datetime | None


def delivery_view(delivery: DeliveryItem) -> DeliveryView:
    is_agents = delivery.target_type is ReceiverType.AGENT
    said = delivery.response_body
    return DeliveryView.of(
        delivery,
        kind=delivery.event_kind,
        agent_id=delivery.target_id if is_agents else None,
        webhook_id=None if is_agents else delivery.target_id,
        response_body=said[:MAX_PREVIEW] if said is not None else None,
    )
