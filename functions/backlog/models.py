"""What one says to the backlog, and what it answers."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from forge.contract.fields import Limit
from forge.contract.models import Model, Omittable
from forge.work.backlog.workflows.phases import WorkPhase
from forge.work.backlog.workflows.workflows import WorkflowOutcome
from forge.work.issues.backlog_rows.places import IssueType

Repository = Annotated[
    str | None,
    Field(
        pattern=r"^[^/\s]+/[^/\s]+$",
        max_length=200,
        description="owner/repo; the workspace's default one if left out.",
    ),
]
IssueNumber = Annotated[int, Field(ge=1, description="The issue's number, e.g. 12 of DEMO-12.")]
IncludeTypes = Annotated[list[IssueType], Field(max_length=4, description="Only these types.")]
ExcludeTypes = Annotated[list[IssueType], Field(max_length=4, description="Not these types.")]
LongText = Annotated[str | None, StringConstraints(max_length=50_000)]

AdvancePhase = Literal["research", "branch", "implementation", "testing", "commit", "pr", "review"]


class PriorityWord(StrEnum):
    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


_LEVELS = {"p0": "critical", "p1": "high", "p2": "medium", "p3": "low"}


def _in_words(given: object) -> object:
    """Of a level, as many trackers number them."""
    return _LEVELS.get(given.strip().lower(), given) if isinstance(given, str) else given


class CreateIssue(Model):
    title: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=256),
        Field(description="One line that says what is to be done."),
    ]
    priority: Annotated[PriorityWord, BeforeValidator(_in_words), Field(description="How urgent it is.")]
    type: Annotated[IssueType, Field(description="What kind of work it is.")]
    body: Annotated[LongText, Field(description="The whole text; else it is made of the following.")] = None
    context: Annotated[LongText, Field(description="Why it matters.")] = None
    acceptance_criteria: Annotated[
        list[Annotated[str, StringConstraints(min_length=1, max_length=2000)]],
        Field(max_length=100, description="What must hold when it is done."),
    ] = []
    technical_notes: Annotated[LongText, Field(description="Hints for whoever does it.")] = None
    repository: Repository = None


class SelectNextIssue(Model):
    include_types: IncludeTypes = []
    exclude_types: ExcludeTypes = []
    repository: Repository = None


class AdvanceWorkflow(Model):
    issue_number: IssueNumber
    target_phase: Annotated[AdvancePhase, Field(description="The phase that begins now.")]
    skip_justification: Annotated[
        str | None, Field(max_length=2000, description="Why phases, or the tests, are skipped.")
    ] = None
    tests_passed: Annotated[
        bool | None, Field(description="Whether the tests passed; asked for at commit and pr.")
    ] = None
    pr_title: Annotated[
        str | None, Field(max_length=256, description="Of the pull request; one is made by default.")
    ] = None
    pr_body: Annotated[LongText, Field(description="Of the pull request; one is made by default.")] = None
    repository: Repository = None


class ReleaseLock(Model):
    issue_number: IssueNumber
    reason: Annotated[
        WorkflowOutcome,
        Field(description="merged closes the issue, abandoned gives it back, completed leaves review."),
    ]
    repository: Repository = None


class ForceClaim(Model):
    issue_number: IssueNumber
    confirmation: Annotated[
        str, Field(max_length=200, description='Exactly "I understand this may cause conflicts".')
    ]
    repository: Repository = None


class GetWorkflowStatus(Model):
    issue_number: Annotated[int | None, Field(ge=1, description="One issue; else all that you hold.")] = None
    repository: Repository = None


class ListBacklog(Model):
    include_types: IncludeTypes = []
    exclude_types: ExcludeTypes = []
    limit: Limit = 20
    repository: Repository = None


class RenewLock(Model):
    issue_number: IssueNumber
    repository: Repository = None


class Answer(Model):
    """What every tool of the backlog says, whether or not it did what it was asked."""

    success: bool = True
    error: Omittable[str] = None
    code: Omittable[str] = None
    reason: Omittable[str] = None
    details: Omittable[dict[str, Any]] = None


Body = Annotated[str, Field(description="The beginning of its text; a quotation where that is on GitHub.")]
BodyTruncated = Annotated[Omittable[bool], Field(description="True where it says more than that.")]
IssueTrust = Annotated[Omittable[str], Field(description="UNTRUSTED where anybody on GitHub may write.")]


class CreatedIssue(Model):
    number: int
    title: str
    html_url: Annotated[str, Field(alias="html_url")]
    labels: list[str]
    id: str
    identifier: str


class Creation(Answer):
    issue: Omittable[CreatedIssue] = None


class NextIssue(Model):
    number: int
    id: str
    identifier: str
    title: str
    html_url: Annotated[str, Field(alias="html_url")]
    priority: str | None
    type: str | None
    priority_score: float
    age_in_days: int
    body: Body
    body_truncated: BodyTruncated = None
    trust: IssueTrust = None


class LockView(Model):
    session_id: str
    acquired_at: datetime
    lease_expires_at: Omittable[datetime] = None
    fence: Omittable[int] = None
    note: Annotated[
        Omittable[str], Field(description="Where your client names no session: who has the lock besides you.")
    ] = None


class Holder(Model):
    session_id: str
    acquired_at: datetime
    pid: int = 0


class ResumedWork(Model):
    """What somebody else left, and whoever takes the issue goes on with."""

    branch_name: str | None
    pr_number: int | None
    phase: WorkPhase


class CurrentPhase(Model):
    current_phase: WorkPhase


class Selection(Answer):
    issue: Omittable[NextIssue] = None
    lock: Omittable[LockView] = None
    workflow: Omittable[CurrentPhase] = None
    resumed: Omittable[ResumedWork] = None
    previous_holder: Omittable[Holder] = None


class AdvancedPhase(Model):
    previous_phase: WorkPhase
    current_phase: WorkPhase
    branch_name: Omittable[str] = None
    pr_number: Omittable[int] = None
    pr_url: Omittable[str] = None


class Advancement(Answer):
    workflow: Omittable[AdvancedPhase] = None


class ReleasedLock(Model):
    issue_number: int
    reason: WorkflowOutcome
    duration: int


class Release(Answer):
    released: Omittable[ReleasedLock] = None


class ClaimedIssue(Model):
    issue_number: int
    id: str
    identifier: str
    previous_holder: Holder | None
    body: Body
    body_truncated: BodyTruncated = None
    trust: IssueTrust = None


class ForcedClaim(Answer):
    claimed: Omittable[ClaimedIssue] = None
    lock: Omittable[LockView] = None
    resumed: Omittable[ResumedWork] = None


class PhaseChange(Model):
    from_: Annotated[WorkPhase, Field(alias="from")]
    to: WorkPhase
    timestamp: datetime


class WorkflowView(Model):
    issue_number: int
    title: str
    current_phase: WorkPhase
    branch_name: str | None
    tests_passed: bool | None
    pr_number: int | None
    lock_acquired_at: datetime
    lock_duration: int
    is_locked: bool
    phase_history: list[PhaseChange]
    repository: str
    locked_by_me: bool


class WorkflowStatus(Answer):
    workflows: list[WorkflowView] = []


class BacklogRow(Model):
    number: int
    title: str
    priority: str | None
    type: str | None
    priority_score: float
    age_in_days: int
    is_locked: bool
    locked_by: str | None
    status: str
    blocked_by: int | None
    taken_by: Omittable[list[str]] = None


class BacklogList(Answer):
    backlog: list[BacklogRow] = []
    total: int = 0


class Renewal(Answer):
    lock: Omittable[LockView] = None
