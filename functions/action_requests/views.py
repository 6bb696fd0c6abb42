"""Action requests as lists show them, and as the card of one."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from forge.contract.models import Model, Omittable, OmittableList
from forge.store.blobs import Blobs
from forge.store.readings import Readings
from forge.work.issues.issues import IssueItem
from forge.work.pipelines.announcements import PIPELINE
from forge.work.plans.approvals import approvals
from forge.work.plans.approvals.approvals import StepShown
from forge.work.plans.requests import cards
from forge.work.plans.requests.cards import FindIssue
from forge.work.plans.requests.deciding import shown_hash
from forge.work.plans.requests.requests import (
    SHORT,
    Option,
    RequestItem,
    RequestKind,
    RequestStatus,
    RequestTextItem,
    Severity,
)
from forge.work.workspace.people.names import Names


class OptionView(Model):
    key: str
    label: str
    description: Omittable[str] = None


class PayloadView(Model):
    status_id: Omittable[str] = None
    add: OmittableList[str] = []
    remove: OmittableList[str] = []
    user_ids: OmittableList[str] = []
    agent_id: Omittable[str] = None
    duplicate_of_issue_id: Omittable[str] = None


class RequestRow(Model):
    """`truncated` where texts are cut. The last ones, from requestedBy on, belong to the card."""

    id: str
    title: str
    body: str | None
    status: RequestStatus
    severity: Severity
    kind: RequestKind
    payload: PayloadView | None
    options: list[OptionView] | None
    voting_closed_at: datetime | None
    requested_by_user_id: str | None
    requested_by_agent_id: str | None
    assigned_user_id: str | None
    assigned_agent_id: str | None
    source_type: str | None
    source_id: str | None
    issue_id: str | None
    identifier: Omittable[str] = None
    due_at: datetime | None
    resolved_at: datetime | None
    resolved_by_user_id: str | None
    resolved_by_agent_id: Omittable[str] = None
    resolution: str | None
    snoozed_until: Annotated[Omittable[datetime], Field(description="When it is open again.")] = None
    truncated: Omittable[bool] = None
    shown_hash: Annotated[str, Field(description="Accept with it what you were shown, and nothing else.")]
    created_at: datetime
    requested_by: Omittable[str] = None
    assigned_to: Omittable[str] = None
    effect: Annotated[Omittable[str], Field(description="What accepting does.")] = None
    since: Annotated[OmittableList[str], Field(description="What happened since it was asked.")] = []
    steps: Annotated[
        OmittableList[StepShown], Field(description="Of the plan to approve, where one request is asked for.")
    ] = []
    lapses_at: Annotated[Omittable[datetime], Field(description="When it is dismissed unanswered.")] = None


def row_of(request: RequestItem, issue: IssueItem | None, names: Names) -> RequestRow:
    said = {"body": request.body, "resolution": request.resolution}
    is_cut = any(len(text) > SHORT for text in said.values() if text)
    shown = {name: text[:SHORT] if text else None for name, text in said.items()}
    return RequestRow.of(request, **_fields(request, issue, names), **shown, truncated=is_cut or None)


def card_of(
    request: RequestItem,
    texts: RequestTextItem | None,
    issue: IssueItem | None,
    *,
    names: Names,
    find: FindIssue,
    readings: Readings,
    blobs: Blobs | None,
) -> RequestRow:
    """All that whoever decides it needs to see; the steps of a plan where `blobs` has their texts."""
    whole = texts or RequestTextItem(workspace_id=request.workspace_id, request_id=request.id)
    asked_by = cards.called(
        names, user_id=request.requested_by_user_id, agent_id=request.requested_by_agent_id
    )
    plan = approvals.plan_in(readings, request)
    asked = cards.called(names, user_id=request.assigned_user_id, agent_id=request.assigned_agent_id)
    since = [*cards.since(request, issue, names), *approvals.since(plan, request)]
    more: dict[str, object] = {
        "body": approvals.said_beyond(whole.body, plan) if plan else whole.body,
        "options": _options(whole.options),
        "resolution": whole.resolution if request.resolution else None,
        "truncated": None,
        "requested_by": asked_by,
        "assigned_to": asked,
        "effect": approvals.effect_of(plan, readings) if plan else _effect(request, names, find),
        "since": since if request.status is RequestStatus.OPEN else [],
    }
    if plan and request.is_waiting:
        more["lapses_at"] = approvals.lapses_at(request)
        more["steps"] = approvals.steps_shown(plan, readings, names, blobs) if blobs else []
    if plan and texts:
        # A plan can grow while it waits, and the card shows it as it is now.
        more["shown_hash"] = shown_hash(request, texts, source_state=approvals.state_of(plan))
    return RequestRow.of(request, **_fields(request, issue, names) | more)


def _effect(request: RequestItem, names: Names, find: FindIssue) -> str:
    if request.source_type == PIPELINE and request.kind is RequestKind.FREE_FORM:
        return (
            f"If the pipeline {request.source_id} still waits with this, it goes on as the question says; "
            "else nothing changes."
        )
    return cards.effect_of(request, names, find)


def _fields(request: RequestItem, issue: IssueItem | None, names: Names) -> dict[str, object]:
    action = request.payload
    return {
        "payload": PayloadView.of(action) if action else None,
        "options": _options(request.options),
        "identifier": names.identifier(issue.number) if issue else None,
        "requested_by": None,
        "assigned_to": None,
        "effect": None,
        "since": [],
        "steps": [],
        "lapses_at": None,
    }


def _options(options: list[Option]) -> list[OptionView] | None:
    return [OptionView.of(one) for one in options] or None
