"""What the gateway answers: the exchange so far, in the words of its protocol."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from forge.context import Context
from forge.contract.catalog_tools import CatalogTool
from forge.contract.terms import Effect
from forge.errors import DomainError, Retold
from forge.store.physical import ANSWERS
from forge.work.overviews.tasks import awaiting
from forge.work.plans.gateway.failures import GatewayFailure, failure_of
from forge.work.plans.gateway.tasks import TaskItem
from forge.work.record.log import attempts
from forge.work.record.log.attempts import Attempt, CallOutcome
from forge.work.record.log.events import record_attempt
from functions.gateway.forms import NOTHING, URL_SECONDS, Affected, Formed
from functions.gateway.models import Execute
from functions.gateway.protocol import DEFAULT_EFFECTS, GatewayLimits, Intent, Isolation

_MOST_ECHOED = 200
"""Of what was not understood."""


@dataclass(slots=True)
class Exchange:
    """A request on its way, and what is known of it so far: failures tell that, too."""

    request: Execute
    ctx: Context
    tool: CatalogTool | None = None
    effect: Effect | None = None
    limits: GatewayLimits | None = None
    attempts: int = 0
    started: datetime = field(init=False)

    def __post_init__(self) -> None:
        self.started = self.ctx.now()

    @property
    def is_apart(self) -> bool:
        return self.tool is not None and self.ctx.toolbox.runs_apart(self.tool.name)

    def asked(self) -> dict[str, Any]:
        effect = self.effect or self.request.effect or DEFAULT_EFFECTS[self.request.intent]
        return {
            "intent": self.request.intent.value,
            "action": self.request.action,
            "effect": effect.value,
        }

    def meta(self) -> dict[str, Any]:
        return {
            "duration_ms": (self.ctx.now() - self.started) // timedelta(milliseconds=1),
            "mcp_name": self.tool.namespace if self.tool else "UNKNOWN",
            "isolation_used": Isolation.SUBPROCESS if self.is_apart else Isolation.AGENT,
            "attempts": self.attempts,
            "timeout_ms": self.limits.timeout_ms if self.limits else None,
        }

    def failed(self, failure: GatewayFailure, reason: DomainError | None = None) -> Retold:
        body = {
            "ok": False,
            "request": self.asked(),
            "error": failure.as_object(),
            "meta": self.meta(),
        }
        return Retold(body, reason or failure.as_error())


def told(exchange: Exchange, formed: Formed, affected: Affected = NOTHING) -> dict[str, Any]:
    return {
        "ok": True,
        "request": exchange.asked(),
        "result": {
            "artifact_type": exchange.request.artifact.value,
            "data": formed.data if formed.content is None else _linked(exchange.ctx, formed),
            "affected_files": affected.files,
            "affected_symbols": affected.symbols,
        },
        "meta": exchange.meta(),
    }


def pending(exchange: Exchange, task: TaskItem) -> dict[str, Any]:
    """A worker does it: the answer is asked for later."""
    ask = {"action": "gateway.result", "params": {"task_id": task.id}}
    answer = told(exchange, Formed({"task_id": task.id, "next": ask}))
    waits = awaiting.waits_for_job(exchange.ctx, task)
    told_of = {"waits": waits.model_dump(mode="json", by_alias=True)} if waits else {}
    return {**answer, "meta": {**answer["meta"], **progress(task)}, **told_of}


def progress(task: TaskItem) -> dict[str, Any]:
    return {"task_id": task.id, "task_state": task.state.value}


def _linked(ctx: Context, formed: Formed) -> dict[str, Any]:
    """Kept in the bucket for a day, and handed out by a link that is good for less."""
    content = formed.content or b""
    blobs, name = ctx.services.store.blobs, f"{ANSWERS}gateway/{ctx.caller.workspace_id}/{ctx.new_id('out')}"
    blobs.put(name, content, content_type=formed.content_type)
    url = blobs.url_to_get(
        name, content_type=formed.content_type, disposition="attachment", seconds=URL_SECONDS
    )
    return {
        "url": url,
        "size": len(content),
        "content_type": formed.content_type,
        "expires_in_seconds": URL_SECONDS,
    }


def retell(error: DomainError, arguments: Mapping[str, object]) -> dict[str, Any] | None:
    """What failed before or beside the exchange: bad arguments, and what nobody foresaw."""
    asked = {name: arguments.get(name) for name in ("intent", "action", "effect")}
    if asked["effect"] is None and asked["intent"] in list(Intent):
        asked["effect"] = DEFAULT_EFFECTS[Intent(str(asked["intent"]))].value
    return {
        "ok": False,
        "request": {
            name: one[:_MOST_ECHOED] if isinstance(one, str) else "UNKNOWN" for name, one in asked.items()
        },
        "error": failure_of(error).as_object(),
        "meta": {
            "duration_ms": 0,
            "mcp_name": "UNKNOWN",
            "isolation_used": Isolation.AGENT,
            "attempts": 0,
            "timeout_ms": None,
        },
    }


SUBJECT = "gateway"
_UNKNOWN = "UNKNOWN"
_MOST_NAME = 120


def audit(ctx: Context, arguments: Mapping[str, object], came_to: str | DomainError) -> None:
    action = arguments.get("action")
    said = _error(came_to) if isinstance(came_to, DomainError) else {}
    attempt = Attempt.that(
        CallOutcome.FAILURE if isinstance(came_to, DomainError) else CallOutcome.SUCCESS,
        arguments,
        session_id=ctx.caller.session_id,
        code=said.get("code") or said.get("type"),
        error=said.get("message"),
    )
    name = action[:_MOST_NAME] if isinstance(action, str) else ""
    record_attempt(ctx, attempt, subject_type=SUBJECT, subject_id=name or _UNKNOWN)


def _error(failure: DomainError) -> Mapping[str, object]:
    said = attempts.told_of(failure).get("error")
    return said if isinstance(said, Mapping) else {"code": failure.code, "message": failure.message}
