"""How a run waits, and what it may be parked for."""

from datetime import datetime

from forge.errors import Conflict
from forge.work.issues.claims.holds import TAKEN_OVER
from forge.work.issues.inbox import reading as inbox
from forge.work.issues.runs import silence
from forge.work.issues.runs.runs import Resume, RunItem, RunStatus
from forge.work.plans.requests.requests import RequestItem, no_such_request
from functions.runs.models.waiting import SetWaiting


def waiting(run: RunItem, request: SetWaiting, *, reason: str, now: datetime, is_awaited: bool) -> RunItem:
    """A run that waits from now on, or still does. `is_awaited`: its client comes back for the end.

    Its client's people are asked only by who waits: whoever said no is not asked again.
    """
    before = run.waiting_since if run.status is RunStatus.WAITING else None
    return run.resumed(now, current_step=reason).changed(
        status=RunStatus.WAITING,
        is_blocking=request.blocking,
        waiting_since=(before or now) if is_awaited else None,
        asks_client=is_awaited and request.wait,
        request_id=request.request_id,
        resume=Resume(**request.resume.model_dump()) if request.resume else None,
        watch_at=now + silence.LOOKED_AT_PARKED if request.request_id else None,
    )


def awaited(request: RequestItem | None, run: RunItem, *, given: str, now: datetime) -> RequestItem:
    """The request, which its agent has asked about the issue, and which is still to be decided."""
    if request is None or request.issue_id != run.issue_id or request.requested_by_agent_id != run.agent_id:
        raise no_such_request(given)
    if not request.as_of(now).is_waiting:
        raise Conflict(
            f"This request is {request.status} already: there is nothing to wait for.",
            hint=f'actionRequests.list {{"id": "{request.id}"}} shows what was decided; go on with that.',
            details={"reason": "answered", "requestId": request.id},
        )
    return request


def require_called(run: RunItem, now: datetime) -> None:
    """That nobody of its agent has taken it up since it was called for, unless they have fallen silent."""
    if inbox.of_run(run, now) is None:
        raise Conflict(
            "Another session of yours has taken this run up.",
            hint="Look for other work: agent.inbox has what nobody has begun.",
            details={"reason": TAKEN_OVER, "issueId": run.issue_id},
        )
