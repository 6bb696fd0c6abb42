"""How it stands with what somebody waits for, by its row alone. Pure."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple

from forge.auth.actors import is_same
from forge.context import Caller
from forge.store.items import Item
from forge.store.keys import sortable_time
from forge.work.issues.claims.sleepers import SleeperItem, SleeperState
from forge.work.issues.runs.runs import RunItem, RunStatus
from forge.work.plans.gateway.tasks import TaskItem, TaskState
from forge.work.plans.requests.requests import RequestItem, RequestStatus

LONGEST = timedelta(days=1)
"""How long somebody is waited for at most; what is not decided by then is answered as it is."""
LONGEST_ANSWER = 120
"""As much as the step of a run holds."""
_ANSWER = "answer"


class TaskStatus(StrEnum):
    WORKING = "working"
    INPUT_REQUIRED = "input_required"
    COMPLETED = "completed"
    CANCELLED = "cancelled"


class TaskStanding(NamedTuple):
    status: TaskStatus
    moved_at: datetime
    until: datetime
    """Until when it is waited at most."""
    says: str = ""
    """In words, for people."""
    asks: Mapping[str, Any] | None = None
    """What its client may be asked meanwhile."""


def owned_by(one: Item, caller: Caller) -> bool:
    """Whether it was this caller who asked, by whichever of its keys."""
    if isinstance(one, SleeperItem | TaskItem):
        return is_same(caller, one.key_id, user_id=one.user_id, agent_id=one.agent_id)
    if isinstance(one, RunItem):
        return one.agent_id == caller.agent_id and caller.run_id in (None, one.id)
    if isinstance(one, RequestItem):
        asker = one.requested_by_agent_id or one.requested_by_user_id
        is_of_run = caller.run_issue_id in (None, one.issue_id)
        return asker is not None and asker == (caller.agent_id or caller.user_id) and is_of_run
    return False


def standing(one: Item, since: datetime, now: datetime, *, can_ask: bool = False) -> TaskStanding:
    """`can_ask`: whether the client that wants to know puts questions to its people."""
    if isinstance(one, SleeperItem):
        return _of_sleeper(one, since, now)
    if isinstance(one, RequestItem):
        return _of_request(one.as_of(now), since, now)
    if isinstance(one, RunItem):
        return _of_run(one, since, now, can_ask=can_ask)
    if isinstance(one, TaskItem):
        return _of_job(one, since)
    raise TypeError(f"nobody waits for a {type(one).__name__}")


def _of_sleeper(one: SleeperItem, since: datetime, now: datetime) -> TaskStanding:
    if not _is_same(one.created_at, since):
        # The same session has fallen asleep anew.
        return TaskStanding(TaskStatus.CANCELLED, one.created_at, one.ends_at)
    if one.state is SleeperState.WITHDRAWN:
        return TaskStanding(TaskStatus.CANCELLED, one.ended_at or one.created_at, one.ends_at)
    if one.is_asleep(now):
        return TaskStanding(TaskStatus.WORKING, one.created_at, one.ends_at, "Nothing is free to claim yet.")
    return TaskStanding(TaskStatus.COMPLETED, one.ended_at or one.ends_at, one.ends_at)


def _is_same(moment: datetime, since: datetime) -> bool:
    """As exactly as times are written."""
    return sortable_time(moment) == sortable_time(since)


def _of_request(one: RequestItem, since: datetime, now: datetime) -> TaskStanding:
    until = since + LONGEST
    if one.is_waiting:
        is_over = now >= until
        said = f"Nobody has decided about {one.title!r} yet."
        return TaskStanding(
            TaskStatus.COMPLETED if is_over else TaskStatus.WORKING, until if is_over else since, until, said
        )
    own = one.requested_by_agent_id or one.requested_by_user_id
    is_withdrawn = one.status is RequestStatus.DISMISSED and own in (
        one.resolved_by_agent_id,
        one.resolved_by_user_id,
    )
    status = TaskStatus.CANCELLED if is_withdrawn else TaskStatus.COMPLETED
    return TaskStanding(status, one.resolved_at or since, until)


def _of_run(one: RunItem, since: datetime, now: datetime, *, can_ask: bool) -> TaskStanding:
    until = since + LONGEST
    is_this = one.waiting_since is not None and _is_same(one.waiting_since, since)
    if one.status is not RunStatus.WAITING or not is_this:
        return TaskStanding(TaskStatus.COMPLETED, one.last_event_at, until)
    if now >= until:
        return TaskStanding(TaskStatus.COMPLETED, until, until)
    reason = one.current_step or ""
    if one.asks_client and can_ask:
        return TaskStanding(TaskStatus.INPUT_REQUIRED, since, until, reason, {_ANSWER: _question(reason)})
    return TaskStanding(TaskStatus.WORKING, since, until, reason)


def _of_job(one: TaskItem, since: datetime) -> TaskStanding:
    status = TaskStatus.COMPLETED if one.state is TaskState.DONE else TaskStatus.WORKING
    return TaskStanding(status, one.finished_at or since, since + LONGEST)


def _question(reason: str) -> Mapping[str, Any]:
    """It sets the agent to work again, which the agent may do by itself; it decides nothing for a person."""
    field = {"type": "string", "title": "Answer", "maxLength": LONGEST_ANSWER}
    schema = {"type": "object", "properties": {_ANSWER: field}, "required": [_ANSWER]}
    return {
        "method": "elicitation/create",
        "params": {"mode": "form", "message": reason, "requestedSchema": schema},
    }


class ClientsWord(NamedTuple):
    """What a client's people have said to the question of a run; without words they said no."""

    words: str | None


def answered(responses: Mapping[str, Any]) -> ClientsWord | None:
    """None where there is no answer to it."""
    given = responses.get(_ANSWER)
    if not isinstance(given, dict) or given.get("action") not in ("accept", "decline", "cancel"):
        return None
    content = given.get("content")
    words = content.get(_ANSWER) if given["action"] == "accept" and isinstance(content, dict) else None
    return ClientsWord(str(words)[:LONGEST_ANSWER] if words else None)


def outcome(one: RequestItem | RunItem, *, url: str = "", resolution: str | None = None) -> dict[str, Any]:
    """What the call that waited is answered in the end, where the row says it."""
    if isinstance(one, RunItem):
        return {
            "id": one.id,
            "status": one.status.value,
            "currentStep": one.current_step,
            "lastEventAt": sortable_time(one.last_event_at),
        }
    by = {"resolvedByUserId": one.resolved_by_user_id, "resolvedByAgentId": one.resolved_by_agent_id}
    told = {
        "id": one.id,
        "url": url,
        "status": one.status.value,
        "resolution": resolution,
        "resolvedAt": sortable_time(one.resolved_at) if one.resolved_at else None,
        **by,
    }
    return {name: value for name, value in told.items() if value is not None}
