"""Beginning a pipeline: what is typed, fetched, asked and confirmed."""

from enum import StrEnum
from typing import Annotated, Self

from pydantic import BeforeValidator, Field

from forge.contract.fields import PagedRows
from forge.contract.models import Model, Omittable, Sections, Time
from forge.work.pipelines.pipelines import FOLDER, FilesOn, LearnsFrom
from functions.pipeline.estimates import Estimate
from functions.pipeline.models.external import ExternalContext, LongText


def _with_folder(given: object) -> object:
    if not isinstance(given, str) or not given.strip():
        return given
    bare = given.strip().rstrip("/")
    return bare if bare.startswith(FOLDER) or "/" in bare else FOLDER + bare


Workspace = Annotated[
    str,
    BeforeValidator(_with_folder),
    Field(
        pattern=r"^\.specs/[a-z0-9][a-z0-9-]{0,99}$",
        description="The pipeline's workspace, e.g. .specs/20260401-fix-auth-timeout.",
    ),
]


class Init(Model, alias_generator=None):
    arguments: Annotated[
        LongText, Field(description="What was typed: a text, an issue's URL, or a workspace; with flags.")
    ]
    current_branch: Annotated[
        str | None, Field(max_length=250, description="Output of git branch --show-current.")
    ] = None


class Standing(StrEnum):
    """Which pipelines a list has."""

    OPEN = "open"
    WAITING = "waiting"
    COMPLETED = "completed"
    ABANDONED = "abandoned"


class ListPipelines(PagedRows, alias_generator=None):
    status: Annotated[
        Standing | None, Field(description="open: not over; waiting: for a person. Else all of them.")
    ] = None
    mine: Annotated[bool, Field(description="Only those that you began.")] = False
    repository: Annotated[str | None, Field(max_length=200, description="Only of this one: owner/name.")] = (
        None
    )


class PipelineRow(Model, alias_generator=None):
    workspace: str
    title: str
    effort: str
    status: str
    current_phase: str
    branch: str | None
    repository: str | None
    updated_at: Time


class FlagsView(Model, alias_generator=None):
    auto: bool
    skip_pr: bool
    debug: bool
    discuss: bool
    effort_override: str | None
    current_branch: Omittable[str] = None


class FetchNeeded(Model, alias_generator=None):
    type: str
    fields: list[str]
    response_mapping: dict[str, str]
    command: Omittable[list[str]] = None
    mcp_tool: Omittable[str] = None
    mcp_params: Omittable[dict[str, str]] = None
    instruction: str


class Initialised(Sections, alias_generator=None):
    """Either `errors`, or what to resume, or what to begin; `candidates` are pipelines that may be meant."""

    errors: list[str] = []
    resume_mode: str = ""
    workspace: str = ""
    instruction: str = ""
    spec_name: str = ""
    source_type: str = ""
    source_url: str = ""
    source_id: str = ""
    core_text: str = ""
    task_text: str = ""
    flags: FlagsView | None = None
    fetch_needed: FetchNeeded | None = None
    candidates: list[PipelineRow] = []


class GivenFlags(Model, alias_generator=None, extra="ignore"):
    auto: Annotated[
        bool, Field(description="Go on without the design checkpoint where that is possible.")
    ] = False
    skip_pr: Annotated[bool, Field(description="Make no pull request.")] = False
    debug: Annotated[bool, Field(description="Keep more.")] = False
    discuss: Annotated[bool, Field(description="Ask questions first.")] = False
    effort_override: Annotated[str | None, Field(max_length=20, description="S, M or L.")] = None
    current_branch: Annotated[str | None, Field(max_length=250, description="As pipeline_init got it.")] = (
        None
    )


class Confirmation(Model, alias_generator=None, extra="ignore"):
    effort: Annotated[
        str,
        Field(max_length=2000, description="S, M or L, as the person chose; what they said besides counts."),
    ]
    workspace_slug: Annotated[
        str | None, Field(max_length=200, description="What to call it, in English words.")
    ] = None
    use_current_branch: Annotated[bool, Field(description="Instead of a new branch.")] = False
    enriched_request_body: Annotated[LongText | None, Field(description="As it was given back before.")] = (
        None
    )


class InitWithContext(Model, alias_generator=None):
    workspace: Workspace
    source_id: Annotated[str | None, Field(max_length=200, description="E.g. 42 or SOA-123.")] = None
    source_url: Annotated[str | None, Field(max_length=2000, description="The issue's URL.")] = None
    external_context: Annotated[
        ExternalContext | None, Field(description="What was fetched of the issue.")
    ] = None
    flags: Annotated[GivenFlags, Field(description="As pipeline_init gave them.")] = GivenFlags()
    repository: Annotated[
        str | None,
        Field(
            pattern=r"^[^/\s]+/[^/\s]+$", max_length=200, description="owner/name; else as source_url says."
        ),
    ] = None
    learn_from: Annotated[
        LearnsFrom, Field(description="Whose past agents are told of: all pipelines', or the repository's.")
    ] = LearnsFrom.WORKSPACE
    files: Annotated[
        FilesOn,
        Field(description="Where agents have their files: disk only where they share the caller's checkout."),
    ] = FilesOn.SERVER
    task_text: Annotated[
        LongText | None, Field(description="What the person typed; with an issue, what they added to it.")
    ] = None
    user_confirmation: Annotated[Confirmation | None, Field(description="What the person confirmed.")] = None
    discussion_answers: Annotated[LongText | None, Field(description="The person's answers.")] = None


class SkippedPhase(Model, alias_generator=None):
    phase_id: str
    label: str


class EffortOption(Model, alias_generator=None):
    skipped_phases: list[SkippedPhase]
    recommended: bool


class SpreadView(Model, alias_generator=None):
    p50: float
    p90: float


class EstimateView(Model, alias_generator=None):
    """What pipelines of this effort took."""

    sample_size: int
    tokens: SpreadView
    duration_min: SpreadView
    cost_usd: SpreadView
    confidence: str
    note: str

    @classmethod
    def of_past(cls, known: Estimate) -> Self:
        spreads = {
            name: SpreadView.of(getattr(known, name)) for name in ("tokens", "duration_min", "cost_usd")
        }
        return cls.of(known, **spreads, note="Of the last pipelines of this effort that came to their end.")


class NeedsConfirmation(Model, alias_generator=None):
    detected_effort: str
    effort_options: dict[str, EffortOption]
    current_branch: str
    is_main_branch: bool
    enriched_request_body: Omittable[str] = None
    message: str
    needs_workspace_slug: Omittable[bool] = None
    estimate: Omittable[EstimateView] = None
    estimate_display: Omittable[str] = None


class NeedsDiscussion(Model, alias_generator=None):
    questions: list[str]
    message: str


class Begun(Sections, alias_generator=None):
    """What is needed next, or `ready` with the pipeline that has begun."""

    needs_user_confirmation: NeedsConfirmation | None = None
    needs_discussion: NeedsDiscussion | None = None
    ready: bool = False
    workspace: str = ""
    effort: str = ""
    flow_template: str = ""
    skipped_phases: list[str] = []
    request_md_content: str = ""
    branch: str = ""
    create_branch: bool = False
    warning: str = ""
