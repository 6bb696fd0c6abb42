"""Who may decide a request, to what a yes is one, and how the decision is written down."""

import json
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256

from forge.context import Caller
from forge.errors import Conflict, Forbidden
from forge.store.items import Part
from forge.store.transactions import Transaction
from forge.work.log.events import Wake, record
from forge.work.people.members import ADMIN_ROLES, MemberItem
from forge.work.requests import requests
from forge.work.requests.announcements import REQUEST_SETTLED, RequestSettled
from forge.work.requests.requests import SHORT, RequestItem, RequestStatus, RequestTextItem, beginning


def require_may_decide(caller: Caller, request: RequestItem, *, is_watching: bool) -> None:
    """Whom it is for, whoever administers the workspace, and people who watch its issue."""
    is_asked = caller.user_id is not None and caller.user_id == request.assigned_user_id
    if not (is_asked or caller.role in ADMIN_ROLES or is_watching):
        raise Forbidden(
            "This request is for its assignee, people who watch its issue, and admins to decide.",
            hint="Watch the issue with issues.watch, or ask one of them.",
        )


def require_requester(caller: Caller, request: RequestItem) -> None:
    """An agent's key is the agent, and never the person who owns it."""
    if caller.agent_id is not None:
        is_requester = caller.agent_id == request.requested_by_agent_id
    else:
        is_requester = caller.user_id is not None and caller.user_id == request.requested_by_user_id
    if not is_requester:
        raise Forbidden(
            "Only who asked can close the vote.", hint="Tell them in a comment that it may be closed."
        )


def require_open(request: RequestItem) -> None:
    if request.status is not RequestStatus.OPEN:
        raise Conflict(
            f"This request is {request.status}, and was perhaps decided by somebody else.",
            hint='To decide it again, actionRequests.transition it to "OPEN" first.',
        )


def shown_hash(request: RequestItem, texts: RequestTextItem, *, source_state: str = "") -> str:
    """Stands for all that whoever decides is shown; `source_state` for what the request was made from."""
    shown = {
        "title": request.title,
        "body": texts.body,
        "kind": request.kind,
        "payload": _known(request.payload) if request.payload else None,
        "options": [_known(one) for one in texts.options],
        "issueId": request.issue_id,
        "source": source_state,
    }
    return sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()[:32]


def require_shown(request: RequestItem, texts: RequestTextItem, *, given: str | None, state: str) -> None:
    """A yes is one to what was shown: not to what it became since, nor to another version of it.

    Who does not say what that was has seen it as it was asked.
    """
    if (given or request.shown_hash) != shown_hash(request, texts, source_state=state):
        raise Conflict(
            "What this request asks for changed since it was shown.",
            hint='Look at it again with actionRequests.list {"id": …, "include": ["card"]}, and accept it '
            "with the shownHash that it has now.",
        )


def settled(
    request: RequestItem, status: RequestStatus, *, resolution: str | None, caller: Caller, now: datetime
) -> RequestItem:
    """The request in another status; one that is open again was decided by nobody."""
    is_open = status is RequestStatus.OPEN
    return request.changed(
        status=status,
        resolved_at=None if is_open else now,
        resolved_by_user_id=None if is_open else caller.user_id,
        resolved_by_agent_id=None if is_open else caller.agent_id,
        resolution=beginning(resolution),
        answer_waits=False,
    )


def told_of(before: RequestItem, after: RequestItem, *, dispatched: bool | None = None) -> RequestSettled:
    said = {"resolution": after.resolution[:SHORT]} if after.resolution else {}
    done = {} if dispatched is None else {"dispatched": dispatched}
    return RequestSettled(
        status=after.status,
        previous_status=before.status,
        kind=after.kind,
        issue_id=after.issue_id,
        **said,
        **done,
    )


def tell(
    tx: Transaction,
    before: RequestItem,
    after: RequestItem,
    told: RequestSettled,
    *,
    wakes: Sequence[Wake] = (),
) -> None:
    """Where no issue changes along."""
    record(
        tx,
        REQUEST_SETTLED,
        told,
        subject_id=after.id,
        action=after.status.lower(),
        before=before,
        after=after,
        issue_id=after.issue_id,
        wakes=wakes,
    )


def settle_alone(
    tx: Transaction,
    request: RequestItem,
    texts: RequestTextItem,
    status: RequestStatus,
    *,
    resolution: str,
    is_answer: bool = False,
) -> None:
    """Decided otherwise than by who was asked: stored and told, and nobody is called.

    Where it is the answer for an agent, that finds it in its inbox.
    """
    origin = tx.origin
    after = settled(request, status, resolution=resolution, caller=origin.caller, now=origin.now)
    after = after.changed(answer_waits=is_answer and request.requested_by_agent_id is not None)
    requests.save(tx, after, texts, resolution=resolution)
    tell(tx, request, after, told_of(request, after))


def accepted_by(member: MemberItem | None, note: str | None) -> str:
    return f"Accepted by {_called(member)}" + (f" — {note}" if note else "")


def settled_by(member: MemberItem | None, status: RequestStatus, reason: str | None) -> str:
    return f"{status.capitalize()} by {_called(member)}" + (f": {reason}" if reason else "")


def declined_by(member: MemberItem | None, reason: str | None) -> str:
    return f"Declined by {_called(member)}" + (f": {reason}" if reason else "")


def _called(member: MemberItem | None) -> str:
    if member is None:
        return "operator"
    return f"@{member.handle}" if member.handle else member.name or "operator"


def _known(part: Part) -> dict[str, object]:
    """Without what another build added, which nobody here is shown."""
    return {name: getattr(part, name) for name in sorted(type(part).model_fields)}
