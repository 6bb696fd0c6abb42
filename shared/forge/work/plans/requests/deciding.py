"""Who may decide a request, to what a yes is one, and how the decision is written down."""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256

from forge.context import Caller
from forge.errors import Conflict, Forbidden, InvalidInput
from forge.store.items import Part
from forge.store.keys import Key
from forge.store.transactions import Transaction
from forge.work.plans.requests import requests
from forge.work.plans.requests.announcements import REQUEST_SETTLED, RequestSettled
from forge.work.plans.requests.requests import (
    SHORT,
    SNOOZED_FOR,
    RequestItem,
    RequestStatus,
    RequestTextItem,
    beginning,
    find_whole,
    keys_of_request,
)
from forge.work.record.log.events import record
from forge.work.record.log.rows import Wake
from forge.work.workspace.people.members import ADMIN_ROLES, MemberItem
from forge.work.workspace.workers import Worker

LONGEST_SNOOZE = timedelta(days=366)


def may_decide(caller: Caller, request: RequestItem, *, is_watching: bool) -> bool:
    """Whom it is for, whoever administers the workspace, and people who watch its issue; never an agent."""
    if caller.agent_id is not None or caller.user_id is None:
        return False
    return caller.user_id == request.assigned_user_id or caller.role in ADMIN_ROLES or is_watching


def require_may_decide(caller: Caller, request: RequestItem, *, is_watching: bool) -> None:
    if not may_decide(caller, request, is_watching=is_watching):
        raise Forbidden(
            "This request is for its assignee, people who watch its issue, and admins to decide.",
            hint="Ask one of them, or watch the issue with issues.watch if you are a person.",
        )


def is_requester(caller: Caller, request: RequestItem) -> bool:
    """An agent's key is the agent, and never the person who owns it."""
    if caller.agent_id is not None:
        return caller.agent_id == request.requested_by_agent_id
    return caller.user_id is not None and caller.user_id == request.requested_by_user_id


def require_may_move(
    caller: Caller, request: RequestItem, status: RequestStatus, *, is_watching: bool
) -> None:
    """Settling it is deciding it. Who asked may withdraw the question, and ask it again."""
    if status is RequestStatus.DISMISSED and request.is_waiting and is_requester(caller, request):
        return
    if status is RequestStatus.OPEN and _withdrew(caller, request):
        return
    is_of_another = request.assigned_user_id not in (None, caller.user_id)
    if status is RequestStatus.SNOOZED and is_of_another:
        raise Forbidden(
            "This request is put off by whom it is for.", hint="Decide it, or leave it to its assignee."
        )
    require_may_decide(caller, request, is_watching=is_watching)


def _withdrew(caller: Caller, request: RequestItem) -> bool:
    by = request.resolved_by_agent_id or request.resolved_by_user_id
    is_own = by is not None and by == (caller.agent_id or caller.user_id)
    return is_own and request.status is RequestStatus.DISMISSED and is_requester(caller, request)


def require_requester(caller: Caller, request: RequestItem) -> None:
    if not is_requester(caller, request):
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
    if status is RequestStatus.OPEN:
        return request.opened().changed(resolution=beginning(resolution))
    return request.changed(
        status=status,
        resolved_at=now,
        resolved_by_user_id=caller.user_id,
        resolved_by_agent_id=caller.agent_id,
        resolution=beginning(resolution),
        snoozed_until=None,
        answer_waits=False,
    )


def snoozed_until(given: datetime | None, status: RequestStatus, now: datetime) -> datetime | None:
    """Until when something is put off, which has to be a time to come."""
    if status is not RequestStatus.SNOOZED:
        if given is not None:
            raise InvalidInput("Only what is put off comes back.", issues={"until": "Only with SNOOZED."})
        return None
    until = given or now + SNOOZED_FOR
    if not now < until <= now + LONGEST_SNOOZE:
        raise InvalidInput(
            "A request is put off for a while.", issues={"until": "A time to come, a year from now at most."}
        )
    return until


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
    requests.save(tx, request, after, texts, resolution=resolution)
    tell(tx, request, after, told_of(request, after))


def come_back(worker: Worker, key: Key) -> bool:
    """Reopen a snoozed request whose time has come, and tell of it; whether it was one."""
    _, workspace_id, _, request_id = key.partition.split("#")
    known = worker.store.table.read(keys_of_request(workspace_id, request_id))
    found = find_whole(known, workspace_id, request_id)
    if found is None or found[0].status is not RequestStatus.SNOOZED:
        return False
    before, texts = found
    after = before.as_of(worker.now)
    if after is before:
        return False
    tx = worker.begin(workspace_id)
    requests.save(tx, before, after, texts, resolution=None)
    tell(tx, before, after, told_of(before, after))
    worker.store.commit(tx)
    return True


def accepted_by(member: MemberItem | None, note: str | None) -> str:
    return f"Accepted by {_called(member)}" + (f" — {note}" if note else "")


def settled_by(member: MemberItem | None, what: str, reason: str | None) -> str:
    return f"{what.capitalize()} by {_called(member)}" + (f": {reason}" if reason else "")


def _called(member: MemberItem | None) -> str:
    if member is None:
        return "operator"
    return f"@{member.handle}" if member.handle else member.name or "operator"


def _known(part: Part) -> dict[str, object]:
    """Without what another build added, which nobody here is shown."""
    return {name: getattr(part, name) for name in sorted(type(part).model_fields)}
