"""What the gateway keeps of each call: one row, whether it was refused, failed or went well."""

from collections.abc import Mapping

from forge.context import Context
from forge.errors import DomainError
from forge.work.record.log import attempts
from forge.work.record.log.attempts import Attempt, CallOutcome

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
    attempts.keep(ctx, attempt, subject_type=SUBJECT, subject_id=name or _UNKNOWN)


def _error(failure: DomainError) -> Mapping[str, object]:
    said = attempts.told_of(failure).get("error")
    return said if isinstance(said, Mapping) else {"code": failure.code, "message": failure.message}
