"""What the backlog keeps of calls that came to nothing; what a call changed has its row already."""

from collections.abc import Mapping

from forge.context import Context
from forge.errors import DomainError
from forge.jsontext import decode
from forge.work.backlog.locks import holding
from forge.work.record.log import attempts
from forge.work.record.log.attempts import Attempt, CallOutcome
from forge.work.record.log.events import record_attempt

_REFUSED = '{"success":false'
"""How an answer begins that says that there is nothing to do."""


def audit(ctx: Context, arguments: Mapping[str, object], came_to: str | DomainError) -> None:
    told = _told(came_to)
    if told is None:
        return
    outcome = CallOutcome.SKIPPED if isinstance(came_to, str) else CallOutcome.FAILURE
    session = holding.session_of(ctx.caller)
    attempt = Attempt.that(
        outcome, arguments, session_id=session, code=told.get("code"), error=told.get("error")
    )
    facts, number, phase = attempts.learned(ctx), _number(arguments), arguments.get("targetPhase")
    repository = facts.get("repository")
    known = attempt.model_copy(
        update={
            "repository": repository,
            "issue_number": number,
            "phase": phase[: attempts.MOST_TEXT] if isinstance(phase, str) else None,
        }
    )
    is_about_work = repository is not None and number is not None
    record_attempt(
        ctx,
        known,
        subject_type="workflow" if is_about_work else "backlog",
        subject_id=f"{repository}#{number}" if is_about_work else repository or ctx.tool,
        issue_id=facts.get("issue_id"),
    )


def _told(came_to: str | DomainError) -> Mapping[str, object] | None:
    """What was refused or skipped, as it was told; None of a success."""
    if isinstance(came_to, DomainError):
        return attempts.told_of(came_to)
    if not came_to.startswith(_REFUSED):
        return None
    told: Mapping[str, object] = decode(came_to)
    return told


def _number(arguments: Mapping[str, object]) -> int | None:
    """As it was given: what is no number of an issue is among the arguments all the same."""
    given = arguments.get("issueNumber")
    return given if isinstance(given, int) and 0 < given < 10**10 else None
