"""What the dispatch queue says: something happened, something is to be delivered, or an issue is free."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from forge.contract.models import Model
from forge.jsontext import BadJson, decode
from forge.work.record import links
from forge.work.workspace.jobs import Unreadable


class _Message(BaseModel):
    # What a newer build adds is none of our business.
    model_config = ConfigDict(alias_generator=to_camel, extra="ignore", frozen=True)


class WokenAgent(_Message):
    agent_id: str
    run_id: str | None = None


class EventMessage(_Message):
    id: str
    workspace_id: str
    kind: str
    subject_type: str
    subject_id: str
    issue_id: str | None = None
    """The issue that it is about in the end; the build before this one did not say."""
    payload: dict[str, Any]
    wakes: list[WokenAgent]
    created_at: datetime


class DeliveryMessage(_Message):
    delivery_id: str
    workspace_id: str


class FreedMessage(_Message):
    """Issues can be claimed, of which those are told who sleep until there is one."""

    model_config = ConfigDict(populate_by_name=True)

    workspace_id: str
    freed: list[str]
    before: str | None = None
    """Who was told already: all that fell asleep after this place among them."""


class Posted(Model):
    """What receivers get of an event: what `events.recent` shows, and where people see what it is about."""

    id: str
    kind: str
    subject_type: str
    subject_id: str
    payload: dict[str, Any]
    url: str | None
    created_at: datetime


def read(text: str) -> EventMessage | DeliveryMessage | FreedMessage:
    try:
        given = decode(text)
        return _kind_of(given).model_validate(given)
    except (BadJson, ValidationError) as reason:
        raise Unreadable("not a message of this build, nor of the one before") from reason


def _kind_of(given: object) -> type[EventMessage | DeliveryMessage | FreedMessage]:
    if isinstance(given, dict) and "deliveryId" in given:
        return DeliveryMessage
    return FreedMessage if isinstance(given, dict) and "freed" in given else EventMessage


def body_of(event: EventMessage, *, public_url: str) -> str:
    goal_id = event.payload.get("goalId")
    url = links.subject_url(
        public_url, event.subject_type, event.subject_id, issue_id=event.issue_id, goal_id=goal_id
    )
    return Posted.of(event, url=url).model_dump_json(by_alias=True)
