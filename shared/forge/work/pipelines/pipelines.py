"""The pipeline aggregate: how far it is, what it handed out last, and which artifacts it has."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Self

from forge.store.items import DerivedItem, Item, Part
from forge.store.keys import At, Partition
from forge.store.places import In
from forge.work.pipelines import phases
from forge.work.pipelines.actions import Action
from forge.work.pipelines.phases import Effort
from forge.work.pipelines.prompts.profiles import Profile
from forge.work.pipelines.tasks import Task

FOLDER = ".specs/"


class Status(StrEnum):
    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    AWAITING_HUMAN = "awaiting_human"
    ABANDONED = "abandoned"
    COMPLETED = "completed"


class PipelineSource(StrEnum):
    GITHUB = "github_issue"
    JIRA = "jira_issue"
    LINEAR = "linear_issue"
    TEXT = "text"


class FilesOn(StrEnum):
    """Where agents read and write the files of a pipeline; the server keeps all of them either way."""

    SERVER = "server"
    DISK = "disk"


class LearnsFrom(StrEnum):
    """Whose past agents are told of: of all pipelines of the workspace, or of those of its repository."""

    WORKSPACE = "workspace"
    REPOSITORY = "repository"


class PipelineArtifact(Part):
    """The newest version of a file. `seq` orders all of them by when they came."""

    seq: int
    version: int
    size: int
    sha: str
    blob: str
    updated_at: datetime
    verdict: str | None = None
    """Of a review, as it was reported."""
    is_reported: bool = False
    """It was the result of an action already."""


class PhaseFailure(Part):
    phase: str
    message: str
    timestamp: datetime


OF_PIPELINE = Partition("WS#{workspace_id}#PIPE#{pipeline}")
"""All of a pipeline: its state, what it handed out last, its log, and every version of its artifacts."""


class PipelineItem(Item):
    stored = At(OF_PIPELINE, "META", pipeline="name")

    workspace_id: str
    name: str
    """Without the folder: `20260401-fix-auth-timeout`. It is data, and never a path here."""
    spec_name: str
    title: str = ""
    """The first line of the request."""
    effort: Effort
    branch: str | None = None
    source_type: PipelineSource = PipelineSource.TEXT
    source_url: str | None = None
    source_id: str | None = None
    repository: str | None = None
    """`owner/name`, as it was given or as the request's URL says."""
    learns_from: LearnsFrom = LearnsFrom.WORKSPACE
    request_sha: str | None = None
    """A digest of the request, so that confirming it twice begins one pipeline."""
    files: FilesOn = FilesOn.SERVER
    auto_approve: bool = False
    skip_pr: bool = False
    debug: bool = False
    use_current_branch: bool = False
    branch_classified: bool = False
    branch_pushed: bool = False
    needs_batch_commit: bool = False
    skipped_phases: list[str] = []
    passed_over: list[str] = []
    """What was skipped in fact, for whatever reason."""
    current_phase: str = phases.ANALYSIS
    status: Status = Status.PENDING
    design_revisions: int = 0
    task_revisions: int = 0
    design_inline_revisions: int = 0
    task_inline_revisions: int = 0
    """How often a person sent them back, where the others count what reviewers did."""
    critical_findings: int = 0
    minor_findings: int = 0
    """Of all reviews so far."""
    is_design_cap_reached: bool = False
    is_design_accepted: bool = False
    """A person accepted it already, where its reviews did not."""
    are_tasks_accepted: bool = False
    """A person goes on with a list that was sent back too often; what can't be read of it is a gate."""
    tasks: dict[str, Task] = {}
    artifacts: dict[str, PipelineArtifact] = {}
    versions: dict[str, int] = {}
    """How many versions each file had, removed ones included."""
    artifact_seq: int = 0
    action: Action | None = None
    """What was handed out and is neither reported nor answered."""
    action_number: int = 0
    answered_with: str = ""
    """What was said to the question before, while nothing but questions came since: it may come again."""
    feedback: str | None = None
    """For the next agent that is spawned."""
    question_id: str | None = None
    """The action request that asks what the action asks."""
    log_entries: int = 0
    total_tokens: int = 0
    total_duration_ms: int = 0
    told_cost_usd: float = 0
    priced_tokens: int = 0
    """Tokens whose cost was told; that of the others is estimated."""
    error: PhaseFailure | None = None
    created_by_user_id: str | None = None
    created_by_agent_id: str | None = None
    created_at: datetime
    updated_at: datetime
    phase_started_at: datetime | None = None

    @property
    def path(self) -> str:
        """As callers know it."""
        return FOLDER + self.name

    @property
    def completed_phases(self) -> list[str]:
        """Whatever comes before the current one, skipped ones included."""
        return phases.before(self.current_phase)

    @property
    def is_over(self) -> bool:
        return self.status in (Status.ABANDONED, Status.COMPLETED)

    @property
    def is_revision_pending(self) -> dict[str, bool]:
        """By checkpoint, whether a person sent back what it is about and was not shown it since."""
        sent_back = {
            phases.DESIGN_CHECKPOINT: self.design_inline_revisions,
            phases.TASKS_CHECKPOINT: self.task_inline_revisions,
        }
        return {
            checkpoint: times > 0 and self.current_phase in phases.before(checkpoint)
            for checkpoint, times in sent_back.items()
        }

    @property
    def rounds_done_again(self) -> int:
        """How often anything had to be done once more."""
        revisions = self.design_revisions + self.task_revisions
        by_people = self.design_inline_revisions + self.task_inline_revisions
        return revisions + by_people + sum(task.impl_retries for task in self.tasks.values())

    def has(self, file: str) -> bool:
        return file in self.artifacts

    def skips(self, phase: str) -> bool:
        return phase in self.skipped_phases

    def without(self, *files: str) -> Self:
        """Without these artifacts; their versions stay, for whoever compares."""
        return self.changed(
            artifacts={name: one for name, one in self.artifacts.items() if name not in files}
        )

    def with_tasks(self, tasks: Mapping[str, Task]) -> Self:
        return self.changed(tasks={**self.tasks, **tasks})


PIPELINES_LISTED = Partition("WS#{workspace_id}#PIPELINES")


class PipelineRowItem(DerivedItem):
    """What a list shows of a pipeline; written with it."""

    stored = At(OF_PIPELINE, "ROW", pipeline="name")
    indexed = (In("updated", PIPELINES_LISTED, "{updated_at}#{name}"),)

    workspace_id: str
    name: str
    spec_name: str
    title: str
    effort: Effort
    current_phase: str
    status: Status
    branch: str | None = None
    repository: str | None = None
    created_by_user_id: str | None = None
    created_by_agent_id: str | None = None
    created_at: datetime
    updated_at: datetime

    @property
    def path(self) -> str:
        return FOLDER + self.name

    @property
    def is_over(self) -> bool:
        return self.status in (Status.ABANDONED, Status.COMPLETED)


class PhaseLogItem(Item):
    """An entry of a pipeline's log: what one step took in tokens, time and money."""

    stored = At(OF_PIPELINE, "LOG#{number:06}")

    workspace_id: str
    pipeline: str
    number: int
    phase: str
    tokens: int = 0
    duration_ms: int = 0
    cost_usd: float | None = None
    model: str = ""
    timestamp: datetime


class PromptItem(DerivedItem):
    """The prompt of the action that was handed out last, so that asking again gives the same."""

    stored = At(OF_PIPELINE, "PROMPT")

    workspace_id: str
    pipeline: str
    action_id: str
    prompt: str
    warning: str = ""


class PipelineArtifactItem(Item):
    """One version of a file, for good."""

    stored = At(OF_PIPELINE, "FILE#{file}#{artifact_version:06}")

    workspace_id: str
    pipeline: str
    file: str
    artifact_version: int
    size: int
    sha: str
    blob: str
    created_at: datetime


class ProfileItem(Item):
    """What is known of the repository that a pipeline works in."""

    stored = At(OF_PIPELINE, "PROFILE")

    workspace_id: str
    pipeline: str
    profile: Profile
    told: Profile | None = None
    """What callers said of the repository, which counts before what its files show."""
