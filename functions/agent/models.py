"""What is asked about, and the bundle that answers."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from forge.contract.fields import Id, IssueId
from forge.contract.models import Model, Omittable
from forge.work.artifacts.artifacts import ArtifactStatus, ArtifactType
from forge.work.comments.views import CommentView
from forge.work.issues.views import CheckView, IssueDetail
from forge.work.relations.views import RelationView
from forge.work.runs.protocol import RunProtocol
from forge.work.runs.views import RunView
from forge.work.workspaces.views import WorkspaceView


class BundleContext(Model):
    issue_id: Annotated[IssueId | None, Field(description="The issue: its id, or e.g. DEMO-12.")] = None
    thread_id: Annotated[Id | None, Field(description="Or the chat thread.")] = None


class BundledComment(CommentView):
    body_truncated: Omittable[bool] = None


class ArtifactBrief(Model):
    """artifacts.get gives the text, and all of a summary that ends with `…`."""

    id: str
    slug: str
    title: str
    type: ArtifactType
    status: ArtifactStatus
    summary: str | None
    updated_at: datetime


class CompletionContract(Model):
    """What an EXECUTE run must have done before it can be completed."""

    expected_output: str | None
    expected_output_truncated: Omittable[bool] = None
    verification_checklist: list[CheckView]
    verification_checklist_truncated: Omittable[bool] = None
    artifact_required: bool


class ContextBundle(Model):
    """All about an issue. What was too long to be sent is cut, and a field of its own says so."""

    workspace: WorkspaceView
    issue: IssueDetail
    description: str | None
    description_truncated: Omittable[bool] = None
    comments: list[BundledComment]
    comments_truncated: Omittable[bool] = None
    attachments: list[dict[str, object]] = []
    relations: list[RelationView]
    relations_truncated: Omittable[bool] = None
    current_run: RunView | None
    artifacts: list[ArtifactBrief]
    artifacts_truncated: Omittable[bool] = None
    completion_contract: CompletionContract
    run_protocol: RunProtocol
    external_resources: list[dict[str, object]] = []
