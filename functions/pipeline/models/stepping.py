"""The loop of a pipeline: what is due, and what came of it."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from forge.contract.models import Model, Omittable, Sections
from functions.pipeline.models.starting import Workspace

Verdict = Literal["APPROVE", "APPROVE_WITH_NOTES", "REVISE", "PASS", "PASS_WITH_NOTES", "FAIL", "SKIP"]
Count = Annotated[float, Field(ge=0, le=10**12)]
"""A number, as clocks of some callers give fractions of a millisecond; it counts whole."""
FileName = Annotated[str, Field(min_length=1, max_length=180)]
Content = Annotated[str, Field(max_length=4_000_000)]


class GivenFinding(Model, alias_generator=None):
    severity: Annotated[Literal["CRITICAL", "MAJOR", "MINOR"], Field(description="How grave.")]
    description: Annotated[str, Field(min_length=1, max_length=2000, description="What is wrong.")]


class GivenArtifact(Model, alias_generator=None):
    name: Annotated[FileName, Field(description="E.g. design.md.")]
    content: Annotated[Content, Field(description="All of it.")]


class NextAction(
    Model,
    alias_generator=None,
    rare=["previous_setup_only", "previous_model", "previous_cost_usd", "verdict", "findings"],
):
    workspace: Workspace
    prompt: Annotated[
        bool, Field(description="False: prompts are one line each, which agents exchange for all of it.")
    ] = True
    previous_action_complete: Annotated[bool, Field(description="The agent, command or file is done.")] = (
        False
    )
    previous_action_id: Annotated[
        str | None,
        Field(max_length=40, description="action_id that this is about; makes repeating harmless."),
    ] = None
    previous_tokens: Annotated[Count, Field(description="Tokens that it took.")] = 0
    previous_cost_usd: Annotated[
        float | None, Field(ge=0, le=10**6, description="What it cost, where that is known.")
    ] = None
    previous_duration_ms: Annotated[Count, Field(description="How long it took.")] = 0
    previous_model: Annotated[str, Field(max_length=100, description="The model that did it.")] = ""
    previous_setup_only: Annotated[
        bool, Field(description="As the action said; then it never counts for one that is more than setup.")
    ] = False
    user_response: Annotated[
        str | None, Field(max_length=2000, description="One of the options that were offered.")
    ] = None
    user_feedback: Annotated[
        str | None, Field(max_length=20_000, description="A person's words, for the next agent.")
    ] = None
    artifacts: Annotated[list[GivenArtifact], Field(max_length=20, description="Files to put first.")] = []
    verdict: Annotated[
        Verdict | None,
        Field(description="Of a review, beside its file; of a command, FAIL, or SKIP to go on without it."),
    ] = None
    findings: Annotated[list[GivenFinding], Field(max_length=100, description="Of a review.")] = []


class ReportResult(Model, alias_generator=None, rare=["setup_only", "model"]):
    workspace: Workspace
    phase: Annotated[str, Field(max_length=40, description="The phase of the action, e.g. phase-3.")]
    action_id: Annotated[str | None, Field(max_length=40, description="The action that this is about.")] = (
        None
    )
    tokens_used: Annotated[Count, Field(description="Tokens that it took.")] = 0
    duration_ms: Annotated[Count, Field(description="How long it took.")] = 0
    model: Annotated[str, Field(max_length=100, description="The model that did it.")] = ""
    setup_only: Annotated[
        bool, Field(description="As the action said; then it never counts for one that is more than setup.")
    ] = False


class FindingView(Model, alias_generator=None):
    severity: str
    description: str


class Reported(Model, alias_generator=None):
    next_action_hint: str
    verdict_parsed: str
    findings: list[FindingView]
    retry: Omittable[bool] = None
    warning: str
    display_message: str


class ReportedResult(Model, alias_generator=None):
    """The same of a report alone, in the order of its contract."""

    state_updated: bool
    artifact_written: str
    verdict_parsed: str
    findings: list[FindingView]
    next_action_hint: str
    retry: Omittable[bool] = None
    warning: str
    display_message: str


class GetPrompt(Model, alias_generator=None):
    workspace: Workspace
    action_id: Annotated[str, Field(max_length=40, description="The spawn_agent that is due.")]
    task: Annotated[
        str | None, Field(max_length=10, description="Of several agents: the number of yours.")
    ] = None


class PromptView(Model, alias_generator=None):
    agent: str
    prompt: str
    output_file: str


class ShareView(Model, alias_generator=None):
    id: str
    title: str
    prompt: str
    input_files: list[str]
    output_file: str


class PostMethodView(Model, alias_generator=None):
    command: Omittable[list[str]] = None
    instruction: Omittable[str] = None
    mcp_tool: Omittable[str] = None
    mcp_params: Omittable[dict[str, str]] = None
    body_source: str


class FindingCounts(Model, alias_generator=None):
    critical: int
    minor: int


class Analytics(Model, alias_generator=None):
    """What a pipeline took so far."""

    pipeline: str
    effort: str
    flow_template: str
    total_tokens: int
    total_duration_ms: int
    total_duration: str
    estimated_cost_usd: float
    phases_executed: int
    phases_skipped: int
    retries: int
    review_findings: FindingCounts


class ActionView(Sections, alias_generator=None):
    """Which fields there are, the type says."""

    type: str
    action_id: str = ""
    warning: str = ""
    display_message: str = ""
    report_result: Reported | None = None
    current_phase: str = ""
    current_phase_status: str = ""
    still_waiting: bool = False
    retry_after: int = 0
    analytics: Analytics | None = None
    agent: str = ""
    prompt: str = ""
    model: str = ""
    phase: str = ""
    input_files: list[str] = []
    output_file: str = ""
    parallel_task_ids: list[str] | None = None
    parallel_tasks: list[ShareView] = []
    name: str = ""
    title: str = ""
    present_to_user: str = ""
    options: list[str] = []
    post_method: PostMethodView | None = None
    commands: list[str] = []
    setup_only: bool = False
    path: str = ""
    content: str = ""
    summary: str = ""
    summary_path: str = ""


class ResumeInfo(Model, alias_generator=None):
    workspace: Workspace


class Revisions(Model):
    design_revisions: int
    task_revisions: int
    design_inline_revisions: int
    task_inline_revisions: int


class Retried(Model):
    task: str
    impl_retries: int
    review_retries: int


class FailureView(Model):
    phase: str
    message: str
    timestamp: datetime


class Resumed(Model):
    workspace: str
    current_phase: str
    current_phase_status: str
    completed_phases: list[str]
    skipped_phases: list[str]
    passed_over: list[str]
    effort: str
    flow_template: str
    auto_approve: bool
    skip_pr: bool
    use_current_branch: bool
    debug: bool
    branch: str | None
    spec_name: str
    revisions: Revisions
    error: FailureView | None
    pending_tasks: list[str]
    completed_tasks: list[str]
    skipped_tasks: list[str]
    total_tasks: int
    phase_log_entries: int
    total_tokens: int
    total_duration_ms: Annotated[int, Field(alias="totalDuration_ms")]
    estimated_cost_usd: float
    tasks_with_retries: list[Retried]
    checkpoint_revision_pending: dict[str, bool]
    design_revise_cap_reached: bool
    pending_human_gate: str | None
    pending_action: dict[str, Any] | None
    last_updated: datetime


class Abandon(Model, alias_generator=None):
    workspace: Workspace
    reason: Annotated[str, Field(max_length=2000, description="Why.")] = ""


class Abandoned(Model):
    workspace: str
    current_phase_status: str
