"""The bundle and its sections: what says nothing, or is said elsewhere in the bundle, is left out of them."""

from datetime import datetime

from forge.contract.models import Model, Omittable, OmittableList
from forge.contract.terms import EngagementMode
from forge.work.backlog.github.views import BundledResource
from forge.work.content.artifacts.artifacts import ArtifactStatus, ArtifactType
from forge.work.content.attachments.views import AttachmentBrief
from forge.work.content.comments.comments import CommentKind
from forge.work.issues.issues import IssueKind, Priority
from forge.work.issues.relations.relations import Direction, RelationKind
from forge.work.issues.runs.protocol import RunProtocol
from forge.work.issues.runs.reports import Confidence
from forge.work.issues.runs.runs import RunStatus
from forge.work.issues.views import AgentBrief, LabelBrief, ProjectBrief, UserBrief
from forge.work.plans.budgets.allowances import RunLimits
from forge.work.workspace.people.runtimes import EvidenceKind
from forge.work.workspace.statuses import StatusCategory


class BundledWorkspace(Model):
    """Its settings are for operators: workspace.get shows them."""

    id: str
    key: str
    name: str


class BundledStatus(Model):
    id: str
    name: str
    category: StatusCategory


class BundledIssue(Model):
    """The head; issues.get shows every field, those without a value too."""

    id: str
    identifier: str
    title: str
    kind: IssueKind
    status: BundledStatus
    priority: Priority
    project: Omittable[ProjectBrief] = None
    labels: OmittableList[LabelBrief] = []
    assigned_agent: Omittable[AgentBrief] = None
    assignment_mode: Omittable[EngagementMode] = None
    assignees: OmittableList[UserBrief] = []
    author: Omittable[UserBrief] = None
    author_agent_id: Omittable[str] = None
    queued: Omittable[bool] = None
    claimed_by_id: Omittable[str] = None
    claimed_by_agent_id: Omittable[str] = None
    claim_expires_at: Omittable[datetime] = None
    open_blockers: Omittable[int] = None
    parent_id: Omittable[str] = None
    cycle_id: Omittable[str] = None
    due_date: Omittable[datetime] = None
    estimate: Omittable[float] = None
    sla_minutes: Omittable[int] = None
    created_at: datetime
    updated_at: datetime
    started_at: Omittable[datetime] = None
    completed_at: Omittable[datetime] = None
    canceled_at: Omittable[datetime] = None


class BundledComment(Model):
    id: str
    kind: CommentKind
    body: str
    body_truncated: Omittable[bool] = None
    author: Omittable[UserBrief] = None
    authoring_agent: Omittable[AgentBrief] = None
    current_step: Omittable[str] = None
    suggested_replies: OmittableList[str] = []
    confidence: Omittable[Confidence] = None
    created_at: datetime
    edited_at: Omittable[datetime] = None


class RelatedIssue(Model):
    id: str
    identifier: str
    title: str
    status: str


class BundledRelation(Model):
    id: str
    kind: RelationKind
    direction: Direction
    issue: RelatedIssue


class BundledResume(Model):
    agent: str
    session_id: str
    runtime_id: Omittable[str] = None


class BundledRun(Model):
    """`resume`: how its own agent said that it goes on."""

    id: str
    status: RunStatus
    agent_id: str
    engagement_mode: EngagementMode
    current_step: Omittable[str] = None
    trigger_kind: Omittable[str] = None
    started_at: datetime
    last_event_at: datetime
    resume: Omittable[BundledResume] = None


class ArtifactBrief(Model):
    """artifacts.get gives the text, and all of a summary that ends with `…`."""

    id: str
    slug: str
    title: str
    type: ArtifactType
    status: ArtifactStatus
    evidence: Omittable[EvidenceKind] = None
    summary: Omittable[str] = None
    updated_at: datetime


class BundledCheck(Model):
    id: Omittable[str] = None
    label: str
    kind: Omittable[str] = None
    value: Omittable[str] = None
    done: Omittable[bool] = None


class BundledStep(Model):
    """The step of a plan that the run is for; `feedback` is why it was sent back last."""

    id: str
    plan_id: str
    title: str
    body: Omittable[str] = None
    body_truncated: Omittable[bool] = None
    expected_output: Omittable[str] = None
    verification: OmittableList[BundledCheck] = []
    depends_on: list[str]
    feedback: Omittable[str] = None
    retry_count: int
    source_run_id: Omittable[str] = None


class BundledPlan(Model):
    """The plan that is to be made in the run."""

    id: str
    goal_id: Omittable[str] = None
    title: str


class CompletionContract(Model):
    """What an EXECUTE run must have done before it can be completed; of a step, what its judge looks for."""

    expected_output: Omittable[str] = None
    expected_output_truncated: Omittable[bool] = None
    verification_checklist: OmittableList[BundledCheck] = []
    verification_checklist_truncated: Omittable[bool] = None
    artifact_required: bool


class ContextBundle(Model):
    """All about an issue. What was too long to be sent is cut, and a field of its own says so."""

    workspace: BundledWorkspace
    issue: BundledIssue
    description: str | None
    description_truncated: Omittable[bool] = None
    comments: list[BundledComment]
    comments_truncated: Omittable[bool] = None
    attachments: list[AttachmentBrief]
    attachments_truncated: Omittable[bool] = None
    relations: list[BundledRelation]
    relations_truncated: Omittable[bool] = None
    current_run: BundledRun | None
    artifacts: list[ArtifactBrief]
    artifacts_truncated: Omittable[bool] = None
    step: Omittable[BundledStep] = None
    plan: Omittable[BundledPlan] = None
    completion_contract: CompletionContract
    limits: Omittable[RunLimits] = None
    run_protocol: RunProtocol
    external_resources: list[BundledResource]
    external_resources_truncated: Omittable[bool] = None
