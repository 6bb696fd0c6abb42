"""Looking for issues, and looking at one."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, WithJsonSchema

from forge.contract.fields import (
    AgentRef,
    CycleRef,
    Id,
    InitiativeRef,
    IssueId,
    LabelRef,
    Limit,
    PagedRows,
    PersonRef,
    ProjectRef,
    StatusRef,
)
from forge.contract.models import Model, Omittable, Page, Sections
from forge.work.content.attachments.views import AttachmentBrief
from forge.work.content.comments.views import CommentView
from forge.work.issues.issues import Priority
from forge.work.issues.relations.relations import RelationView
from forge.work.issues.runs.views import RunView
from forge.work.issues.views import CheckView, IssueDetail, IssueRow
from forge.work.record.search.search import Coverage
from forge.work.workspace.statuses import StatusCategory


class OrderBy(StrEnum):
    UPDATED_AT = "updatedAt"
    CREATED_AT = "createdAt"
    PRIORITY = "priority"
    IDENTIFIER = "identifier"
    TITLE = "title"


class IssueOrder(StrEnum):
    ASC = "asc"
    DESC = "desc"


Ids = Annotated[list[Id] | None, Field(max_length=100)]


_SELDOM_FILTERED_BY = [
    "status_id",
    "status_categories",
    "priority",
    "project_ids",
    "assignee_id",
    "unassigned",
    "cycle_id",
    "cycle_ids",
    "without_cycle",
    "initiative_id",
    "initiative_ids",
    "without_initiative",
    "created_by_viewer",
    "order_by",
    "order",
    "fields",
]


class ListIssues(PagedRows, rare=_SELDOM_FILTERED_BY):
    query: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=200,
            description="Words of title or description, the last also in part. Finds done issues too.",
        ),
    ] = None
    status: Annotated[
        str | None, Field(min_length=1, max_length=80, description="A status by id, name or category.")
    ] = None
    status_id: Annotated[StatusRef | None, Field(description="In this status.")] = None
    status_categories: Annotated[
        list[StatusCategory] | None,
        Field(max_length=8, description="In statuses of these categories."),
    ] = None
    priority: Annotated[Priority | None, Field(description="Of this priority.")] = None
    priorities: Annotated[list[Priority] | None, Field(max_length=8, description="Of one of these.")] = None
    project_id: Annotated[ProjectRef | None, Field(description="Of this project.")] = None
    project_ids: Annotated[
        list[ProjectRef] | None, Field(max_length=100, description="Of one of these projects.")
    ] = None
    label_ids: Annotated[
        list[LabelRef] | None, Field(max_length=100, description="With one of these labels.")
    ] = None
    assignee_id: Annotated[PersonRef | None, Field(description="Assigned to this person.")] = None
    assigned_agent_id: Annotated[AgentRef | None, Field(description="Of this agent.")] = None
    unassigned: Annotated[bool | None, Field(description="Nobody has it.")] = None
    queued: Annotated[bool | None, Field(description="Waits in the queue, or does not.")] = None
    cycle_id: Annotated[CycleRef | None, Field(description="Of this cycle.")] = None
    cycle_ids: Annotated[
        list[CycleRef] | None, Field(max_length=100, description="Of one of these cycles.")
    ] = None
    without_cycle: Annotated[bool | None, Field(description="Or without a cycle.")] = None
    initiative_id: Annotated[InitiativeRef | None, Field(description="Of this initiative's projects.")] = None
    initiative_ids: Annotated[
        list[InitiativeRef] | None, Field(max_length=100, description="Of these initiatives' projects.")
    ] = None
    without_initiative: Annotated[bool | None, Field(description="Or outside every initiative.")] = None
    created_by_viewer: Annotated[bool, Field(description="Written by you.")] = False
    include_done: Annotated[bool | None, Field(description="Done ones, too; canceled ones always are.")] = (
        None
    )
    order_by: Annotated[OrderBy | None, Field(description="Default: priority.")] = None
    order: Annotated[IssueOrder, Field(description="asc reverses the order.")] = IssueOrder.DESC
    limit: Limit = 20


class Issues(Page[IssueRow]):
    coverage: Omittable[Coverage] = None


class AssignedRow(IssueRow):
    claimed: bool


class HowManyComments(Model):
    limit: Annotated[int, Field(ge=1, le=100, description="The newest so many.")] = 20


class Include(Model, rare=["attachments", "current_run", "labels"]):
    description: Annotated[bool, Field(description="Texts and checklist.")] = False
    comments: Annotated[
        bool | HowManyComments,
        # A union can't be published, so the richer form stands for both.
        WithJsonSchema(
            {
                "type": "object",
                "description": "The newest; true for 20.",
                "properties": {"limit": {"type": "integer", "description": "1-100"}},
            }
        ),
    ] = False
    attachments: Annotated[bool, Field(description="Files and links.")] = False
    relations: Annotated[bool, Field(description="Related issues.")] = False
    current_run: Annotated[bool, Field(description="The run under way.")] = False
    labels: Annotated[bool, Field(description="Always shown.")] = False

    @property
    def comment_limit(self) -> int:
        if isinstance(self.comments, HowManyComments):
            return self.comments.limit
        return HowManyComments().limit if self.comments else 0


class GetIssue(Model):
    id: IssueId
    include: Annotated[Include | None, Field(description="Sections to add.")] = None


class Issue(IssueDetail, Sections):
    """A section that was asked for and is empty is null or an empty list; others are left out."""

    description: str | None = None
    expected_output: str | None = None
    verification_checklist: list[CheckView] | None = None
    comments: list[CommentView] | None = None
    comments_truncated: Omittable[bool] = None
    attachments: list[AttachmentBrief] | None = None
    attachments_truncated: Omittable[bool] = None
    relations: list[RelationView] | None = None
    current_run: RunView | None = None


class AssignedIssues(
    PagedRows, rare=["agent_id", "profile_key", "project_id", "include_done", "cursor", "fields"]
):
    agent_id: Annotated[AgentRef | None, Field(description="The agent; default yourself.")] = None
    profile_key: Annotated[AgentRef | None, Field(description="Or the agent's profile key.")] = None
    project_id: Annotated[ProjectRef | None, Field(description="Only of this project.")] = None
    include_done: Annotated[bool, Field(description="Also done and canceled ones.")] = False
