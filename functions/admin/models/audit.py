"""Who changed what, as operators ask for it and see it."""

import re
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field
from pydantic.alias_generators import to_camel

from forge.contract.fields import Paged, up_to
from forge.contract.models import Model, Omittable, Time
from forge.jsontext import decode
from forge.work.record.log.attempts import CallOutcome
from forge.work.record.log.kinds import Entity
from forge.work.record.log.rows import LogItem

_FIELD = re.compile(r"[a-z]+(_[a-z]+)+")


class ListAudit(Paged):
    entity: Annotated[Entity | None, Field(description="Only changes of this kind of thing, e.g. issue.")] = (
        None
    )
    entity_id: Annotated[
        str | None,
        Field(min_length=1, max_length=120, description="Only of this one, by id or name; needs entity."),
    ] = None
    issue_number: Annotated[
        int | None,
        Field(
            ge=1,
            le=9_999_999_999,
            description="Only what is about this issue: it, its comments, runs and workflow. 12 is DEMO-12.",
        ),
    ] = None
    from_: Annotated[Time | None, Field(alias="from", description="Only changes at this time or later.")] = (
        None
    )
    to: Annotated[Time | None, Field(description="Only changes before this time.")] = None
    limit: Annotated[int, up_to(200)] = 50


class AuditActor(Model):
    """Whoever acts without a key, such as the sweep, is named in its place."""

    user_id: Omittable[str] = None
    agent_id: Omittable[str] = None
    key_id: str


class Tried(Model):
    """What a call came to; of a change, only that it happened."""

    outcome: CallOutcome = CallOutcome.SUCCESS
    level: Omittable[str] = None
    code: Omittable[str] = None
    error: Omittable[str] = None
    session_id: Omittable[str] = None
    repository: Omittable[str] = None
    issue_number: Omittable[int] = None
    phase: Omittable[str] = None
    params: Omittable[dict[str, Any]] = None


class AuditRow(Tried):
    id: str
    at: datetime
    tool: str
    entity: str
    entity_id: str
    action: str
    actor: AuditActor
    before: Omittable[dict[str, Any]] = None
    after: Omittable[dict[str, Any]] = None
    payload: Omittable[dict[str, Any]] = None
    request_id: str


def audit_row(row: LogItem) -> AuditRow:
    """What was announced is told only of a change that kept nothing of what was before and after it."""
    has_digest = row.before is not None or row.after is not None
    before, after = _beside(row.before, row.after), _beside(row.after, row.before)
    attempt = row.attempt
    tried = Tried.of(attempt, params=decode(attempt.params)) if attempt else Tried()
    return AuditRow.of(
        row,
        at=row.created_at,
        entity=row.subject_type,
        entity_id=row.subject_id,
        actor=AuditActor.of(row, user_id=row.actor_user_id, agent_id=row.actor_agent_id),
        before=_as_shown(before),
        after=_as_shown(after),
        payload=None if has_digest else row.payload or None,
        **dict(tried),
    )


def _beside(one: dict[str, Any] | None, other: dict[str, Any] | None) -> dict[str, Any] | None:
    """With what only the other has: it was empty here."""
    return one if one is None or other is None else dict.fromkeys(other) | one


def _as_shown(kept: Any) -> Any:
    """Fields by the names that callers know; what else is a key, such as an id, stays as it is."""
    if isinstance(kept, dict):
        return {_field(name): _as_shown(value) for name, value in kept.items()}
    return [_as_shown(one) for one in kept] if isinstance(kept, list) else kept


def _field(name: str) -> str:
    return to_camel(name) if _FIELD.fullmatch(name) else name
