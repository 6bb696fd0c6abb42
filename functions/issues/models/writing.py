"""Creating and editing issues."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field, StringConstraints

from forge.contract.checks import Check
from forge.contract.clearing import Changes, Clearable
from forge.contract.fields import AgentRef, CycleRef, IssueId, LabelRef, LongText, ProjectRef, StatusRef
from forge.contract.models import Model, Time
from forge.work.issues.issues import MAX_LABELS, Priority
from forge.work.issues.views import IssueRow

Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]
Estimate = Annotated[float, Field(ge=0, le=1_000_000), AfterValidator(lambda size: round(size, 4))]
LabelIds = Annotated[list[LabelRef], Field(max_length=50)]


SlaMinutes = Annotated[int, Field(ge=1, le=525_600)]

_SELDOM_GIVEN = ["status_id", "expected_output", "verification_checklist", "artifact_required", "sla_minutes"]


class CreateIssue(Model, rare=_SELDOM_GIVEN):
    elsewhere: ClassVar[Mapping[str, str]] = {
        "cycleId": "issues.update",
        "dueDate": "issues.update",
        "estimate": "issues.update",
        "parentId": "issues.update",
    }

    title: Annotated[Title, Field(description="One line, imperative mood.")]
    description: Annotated[LongText | None, Field(description="The whole text, as Markdown.")] = None
    project_id: Annotated[ProjectRef | None, Field(description="The project it belongs to.")] = None
    priority: Annotated[Priority, Field(description="How urgent it is.")] = Priority.NONE
    status_id: Annotated[StatusRef | None, Field(description="Where it starts.")] = None
    label_ids: Annotated[
        list[LabelRef], Field(max_length=MAX_LABELS, description=f"Its labels, at most {MAX_LABELS}.")
    ] = []
    expected_output: Annotated[LongText | None, Field(description="What a run must produce.")] = None
    verification_checklist: Annotated[
        list[Check], Field(max_length=50, description="What a run must verify.")
    ] = []
    artifact_required: Annotated[bool, Field(description="A run must produce an artifact for it.")] = False
    sla_minutes: Annotated[SlaMinutes | None, Field(description="Minutes until it should be closed.")] = None
    queue: Annotated[bool, Field(description="Whether it waits for somebody to take it.")] = False
    assigned_agent_id: Annotated[AgentRef | None, Field(description="The agent that gets it at once.")] = None


_SELDOM_EDITED = [
    "project_id",
    "cycle_id",
    "parent_id",
    "due_date",
    "estimate",
    "expected_output",
    "verification_checklist",
    "artifact_required",
    "sla_minutes",
    "clear",
]


class UpdateIssue(Changes, rare=_SELDOM_EDITED):
    elsewhere: ClassVar[Mapping[str, str]] = {
        "agentId": "issues.assign",
        "assignedAgentId": "issues.assign",
        "labelIds": "issues.setLabels",
        "labels": "issues.setLabels",
        "queued": "issues.setQueued",
        "status": "issues.transition",
        "statusId": "issues.transition",
    }

    id: IssueId
    title: Annotated[Title | None, Field(description="A new title.")] = None
    description: Annotated[LongText | None, Clearable(), Field(description="A new text.")] = None
    priority: Annotated[Priority | None, Field(description="A new priority.")] = None
    project_id: Annotated[ProjectRef | None, Clearable(), Field(description="Another project.")] = None
    cycle_id: Annotated[CycleRef | None, Clearable(), Field(description="Another cycle.")] = None
    parent_id: Annotated[IssueId | None, Clearable(), Field(description="The issue it is part of.")] = None
    due_date: Annotated[Time | None, Clearable(), Field(description="When it is due.")] = None
    estimate: Annotated[Estimate | None, Clearable(), Field(description="Its size.")] = None
    expected_output: Annotated[
        LongText | None, Clearable(), Field(description="What a run must produce.")
    ] = None
    verification_checklist: Annotated[
        list[Check] | None,
        Clearable(),
        Field(max_length=50, description="What a run must verify."),
    ] = None
    artifact_required: Annotated[bool | None, Field(description="A run must produce an artifact for it.")] = (
        None
    )
    sla_minutes: Annotated[
        SlaMinutes | None,
        Clearable(),
        Field(description="Minutes from its creation until it should be closed."),
    ] = None


class SetLabels(Model):
    issue_id: IssueId
    add: Annotated[LabelIds, Field(description=f"Labels to add; an issue has at most {MAX_LABELS}.")] = []
    remove: Annotated[LabelIds, Field(description="Labels to remove; removed before others are added.")] = []


class Labelled(Model):
    """`added` and `removed` are the ids of the labels that really changed."""

    issue: IssueRow
    added: list[str]
    removed: list[str]
