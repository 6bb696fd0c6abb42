"""A pipeline that waits for a person asks with an action request, so that it is found where people look."""

from forge.store.keys import Key
from forge.store.readings import Readings
from forge.store.transactions import Transaction
from forge.work.pipelines.actions import Action
from forge.work.pipelines.announcements import PIPELINE
from forge.work.pipelines.pipelines import PipelineItem
from forge.work.plans.requests import deciding, raising
from forge.work.plans.requests.raising import Raised
from forge.work.plans.requests.requests import (
    RequestItem,
    RequestStatus,
    RequestTextItem,
    Severity,
    beginning,
)


def keys_of(state: PipelineItem) -> list[Key]:
    """Of the question that is open."""
    if state.question_id is None:
        return []
    return [
        RequestItem.at(state.workspace_id, state.question_id),
        RequestTextItem.at(state.workspace_id, state.question_id),
    ]


def put(tx: Transaction, state: PipelineItem, action: Action, *, yes: str, no: str) -> str:
    """Ask what the action asks; returns the id of the request."""
    caller, request_id = tx.origin.caller, tx.origin.new_id("ar")
    body = f"{action.present_to_user}\n\nAccept: `{yes}`. Decline: `{no}`. Your words reach the next agent."
    request = RequestItem(
        workspace_id=state.workspace_id,
        id=request_id,
        title=f"{state.spec_name} waits: {action.title or action.name}"[:300],
        body=beginning(body),
        severity=Severity.WARNING,
        requested_by_user_id=None if caller.agent_id else caller.user_id,
        requested_by_agent_id=caller.agent_id,
        assigned_user_id=state.created_by_user_id,
        source_type=PIPELINE,
        source_id=state.name,
        shown_hash="",
        created_at=tx.origin.now,
    )
    texts = RequestTextItem(workspace_id=state.workspace_id, request_id=request_id, body=body)
    shown = deciding.shown_hash(request, texts, source_state=action.id)
    raising.add_alone(tx, Raised(request.changed(shown_hash=shown), texts, None))
    return request_id


def close(tx: Transaction, readings: Readings, state: PipelineItem, *, said: str) -> None:
    """What was asked is answered elsewhere; `readings` hold its keys."""
    asked, text = keys_of(state)
    request, texts = readings.find(RequestItem, asked), readings.find(RequestTextItem, text)
    if request is None or texts is None or request.status is not RequestStatus.OPEN:
        return
    deciding.settle_alone(tx, request, texts, RequestStatus.RESOLVED, resolution=said)
