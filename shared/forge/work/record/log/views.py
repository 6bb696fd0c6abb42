"""Events as they are shown."""

from datetime import datetime
from typing import Any

from forge.contract.models import Model
from forge.work.record.log.kinds import EventKind


class EventRow(Model):
    id: str
    workspace_id: str
    kind: EventKind
    actor_id: str | None
    actor_agent_id: str | None
    subject_type: str
    subject_id: str
    payload: dict[str, Any]
    created_at: datetime
