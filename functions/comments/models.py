"""Comments as they come in and go out."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, WithJsonSchema

from forge.contract.fields import Fields, Id, IssueId, Paged, SomeText, up_to
from forge.contract.models import Model, Omittable, Page, Time
from forge.contract.terms import EngagementMode
from forge.work.content.comments.views import CommentView
from forge.work.issues.issues import LiveRun
from forge.work.issues.runs.reports import Confidence
from forge.work.plans.requests.asking import Ask
from functions.comments.revisions import Revisions

Reply = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80)]
Step = Annotated[str, StringConstraints(strip_whitespace=True, max_length=120)]
CommentId = Annotated[Id, Field(description="The comment's id.")]


class CreateComment(Model, rare=["suggested_replies", "confidence", "action_request"]):
    issue_id: IssueId
    body: Annotated[SomeText, Field(description="Markdown.")]
    suggested_replies: Annotated[list[Reply], Field(max_length=4, description="Answers to choose from.")] = []
    confidence: Annotated[Confidence | None, Field(description="How sure you are.")] = None
    action_request: Annotated[
        Ask | None, Field(description="What you ask a person to decide: see actionRequests.create.")
    ] = None


class UpdateComment(Model):
    id: CommentId
    body: Annotated[SomeText, Field(description="The new text, all of it.")]


class DeleteComment(Model):
    id: CommentId


class UpsertStatus(Model):
    issue_id: IssueId
    body: Annotated[SomeText, Field(description="Markdown: done, next, in the way.")]
    current_step: Annotated[Step | None, Field(description="What you do now; left out, it stays.")] = None


class ListComments(Model, rare=["before", "include", "fields"]):
    issue_id: IssueId
    before: Annotated[Time | None, Field(description="Only older ones.")] = None
    cursor: Annotated[
        Time | None,
        # Published like every cursor: one copies it, and need not know that here it is a time.
        WithJsonSchema({"type": "string", "description": "nextCursor of the last page."}),
    ] = None
    limit: Annotated[int, Field(ge=1, le=200, description="How many.")] = 50
    include: Annotated[
        list[Literal["revisions"]], Field(max_length=1, description="`revisions`: what each said before.")
    ] = []
    fields: Fields = None

    @property
    def end(self) -> datetime | None:
        """Before when: both say it, so the earlier counts."""
        return min(filter(None, (self.before, self.cursor)), default=None)


class GetHistory(Paged):
    id: CommentId
    limit: Annotated[int, up_to(50)] = 50


class EarlierText(Model):
    body: Annotated[str, Field(description="All of it.")]
    current_step: Omittable[str] = None
    edited_at: Annotated[datetime, Field(description="When it was written.")]


class RunOfComment(Model):
    """The run that an agent's comment began, or was a sign of life of."""

    id: str
    engagement_mode: EngagementMode

    @classmethod
    def of_live(cls, run: LiveRun | None) -> "RunOfComment | None":
        return cls(id=run.run_id, engagement_mode=run.mode) if run else None


class PostedComment(CommentView):
    action_request_id: str | None = None
    run: RunOfComment | None = None
    note: Omittable[str] = None


class DeletedComment(CommentView):
    deleted: bool = True
    deleted_at: datetime


class ListedComment(CommentView):
    revisions: Omittable[Revisions] = None
    revisions_truncated: Omittable[bool] = None


class Comments(Page[ListedComment]):
    """Its cursor is a time: comments of one moment are never on two pages."""
