"""What one asks for: the words of a request, and the one change that its kind binds it to."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field, StringConstraints
from pydantic.alias_generators import to_camel

from forge.contract.fields import Id
from forge.contract.models import Model, Time
from forge.errors import InvalidInput
from forge.work.issues.issues import MAX_LABELS
from forge.work.plans.requests.requests import BoundAction, Option, RequestKind, Severity

Said = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]
Labels = Annotated[list[Said], Field(max_length=MAX_LABELS)]

_TAKES: dict[RequestKind, tuple[str, ...]] = {
    RequestKind.FREE_FORM: (),
    RequestKind.TRANSITION: ("status_id",),
    RequestKind.SET_LABELS: ("add", "remove"),
    RequestKind.ASSIGN: ("user_ids",),
    RequestKind.ASSIGN_AGENT: ("agent_id",),
    RequestKind.ARCHIVE: (),
    RequestKind.CLOSE_AS_DUPLICATE: ("duplicate_of_issue_id", "status_id"),
}
"""The fields of a payload that mean something for a kind; the others are dropped."""

_NEEDS: dict[RequestKind, tuple[str, ...]] = {
    RequestKind.TRANSITION: ("status_id",),
    RequestKind.ASSIGN: ("user_ids",),
    RequestKind.ASSIGN_AGENT: ("agent_id",),
    RequestKind.CLOSE_AS_DUPLICATE: ("duplicate_of_issue_id",),
}


class Choice(Model):
    key: Annotated[str, Field(min_length=1, max_length=80, description="What votes name.")]
    label: Annotated[str, Field(min_length=1, max_length=200, description="What people read.")]
    description: Annotated[str | None, Field(max_length=2000, description="More.")] = None


class Payload(Model, extra="ignore"):
    """By ids or names; what the kind does not take is dropped."""

    status_id: Annotated[Said | None, Field(description="TRANSITION, CLOSE_AS_DUPLICATE.")] = None
    add: Annotated[Labels, Field(description="SET_LABELS.")] = []
    remove: Annotated[Labels, Field(description="SET_LABELS.")] = []
    user_ids: Annotated[
        list[Said], Field(max_length=20, description="ASSIGN: the people whose issue it becomes, alone.")
    ] = []
    agent_id: Annotated[Said | None, Field(description="ASSIGN_AGENT.")] = None
    duplicate_of_issue_id: Annotated[Id | None, Field(description="CLOSE_AS_DUPLICATE.")] = None


class Ask(
    Model,
    rare=["severity", "kind", "payload", "options", "assigned_user_id", "assigned_agent_id", "due_at"],
):
    """What a request asks for, before it is known which issue it is about."""

    title: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=300),
        Field(description="One line."),
    ]
    body: Annotated[str | None, Field(max_length=10_000, description="Markdown.")] = None
    severity: Annotated[Severity, Field(description="How grave.")] = Severity.INFO
    kind: Annotated[RequestKind, Field(description="What a yes does.")] = RequestKind.FREE_FORM
    payload: Annotated[
        Payload | None,
        Field(
            description="By kind: {statusId}, {add, remove}, {userIds}, {agentId}, {},"
            " {duplicateOfIssueId, statusId?}."
        ),
    ] = None
    options: Annotated[list[Choice], Field(max_length=8, description="2 to 8 make it a poll.")] = []
    assigned_user_id: Annotated[Said | None, Field(description="Who shall decide.")] = None
    assigned_agent_id: Annotated[Said | None, Field(description="An agent to tell of it.")] = None
    due_at: Annotated[Time | None, Field(description="When an answer is needed.")] = None


def action_of(kind: RequestKind, payload: Payload | None, *, within: str = "") -> BoundAction | None:
    """What accepting would do, in the words of the caller; a request for nothing but an answer binds nothing.

    `within` is what stands before the names of fields, where the request is part of another call.
    """
    if kind is RequestKind.FREE_FORM:
        return None
    given = payload or Payload()
    for field in _NEEDS.get(kind, ()):
        if not getattr(given, field):
            raise _missing(kind, f"{within}payload.{to_camel(field)}")
    if kind is RequestKind.SET_LABELS and not (given.add or given.remove):
        raise _missing(kind, f"{within}payload.add")
    return BoundAction(**given.model_dump(include={*_TAKES[kind]}))


def options_of(given: Sequence[Choice], *, within: str = "") -> list[Option]:
    """The answers of a poll: none, or at least two that can be told apart."""
    keys = [one.key for one in given]
    if len(keys) == 1 or len(keys) != len(set(keys)):
        raise InvalidInput(
            "A poll has at least two options, each with a key of its own.",
            issues={f"{within}options": "Give 2 to 8 options with different keys."},
        )
    return [Option(**one.model_dump()) for one in given]


def require_issue_for(kind: RequestKind) -> None:
    """What changes an issue has to say which."""
    if kind is not RequestKind.FREE_FORM:
        raise InvalidInput(f"{kind} changes an issue.", issues={"issueId": f"{kind} needs it."})


def _missing(kind: RequestKind, field: str) -> InvalidInput:
    return InvalidInput(f"{kind} needs more in its payload.", issues={field: f"{kind} needs it."})
