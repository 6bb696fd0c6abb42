"""Beginning a pipeline: what is typed, fetched, asked and confirmed."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from forge.contract.models import Model, Omittable, Sections
from forge.work.pipelines.pipelines import FOLDER, SourceType
from functions.pipeline.rules.starting import External

LongText = Annotated[str, Field(max_length=100_000)]


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
    """Either `errors`, or what to resume, or what to begin."""

    errors: list[str] = []
    resume_mode: str = ""
    workspace: str = ""
    instruction: str = ""
    spec_name: str = ""
    source_type: str = ""
    source_url: str = ""
    source_id: str = ""
    core_text: str = ""
    flags: FlagsView | None = None
    fetch_needed: FetchNeeded | None = None


def _text_or_nothing(given: Any) -> object:
    return given if isinstance(given, str) else None


def _number_or_nothing(given: Any) -> object:
    is_number = isinstance(given, int | float) and not isinstance(given, bool) and abs(given) < 1e9
    return int(given) if is_number else None


def _labels(given: Any) -> object:
    """As texts, or as the objects with names that GitHub's own program gives."""
    rows = given if isinstance(given, list) else []
    names = (row.get("name") if isinstance(row, dict) else row for row in rows)
    return [name for name in names if isinstance(name, str)]


Lenient = Annotated[str | None, BeforeValidator(_text_or_nothing), Field(max_length=100_000)]
Points = Annotated[int | None, BeforeValidator(_number_or_nothing)]
Labels = Annotated[list[str], BeforeValidator(_labels)]


class ExternalContext(Model, alias_generator=None, extra="ignore"):
    """Whatever has another type than is due is left out, and so is what nobody knows."""

    github_title: Annotated[Lenient, Field(description="Of a GitHub issue.")] = None
    github_body: Annotated[Lenient, Field(description="Its text.")] = None
    github_labels: Annotated[Labels, Field(description="Its labels.")] = []
    jira_summary: Annotated[Lenient, Field(description="Of a Jira issue.")] = None
    jira_description: Annotated[Lenient, Field(description="Its text.")] = None
    jira_issue_type: Annotated[Lenient, Field(description="E.g. Bug.")] = None
    jira_story_points: Annotated[Points, Field(description="Its story points.")] = None
    linear_title: Annotated[Lenient, Field(description="Of a Linear issue.")] = None
    linear_description: Annotated[Lenient, Field(description="Its text.")] = None
    linear_labels: Annotated[Labels, Field(description="Its labels.")] = []
    linear_estimate: Annotated[Points, Field(description="Its estimate.")] = None
    source_id: Annotated[Lenient, Field(description="The issue's number or key.")] = None
    source_url: Annotated[Lenient, Field(description="Where it is.")] = None


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
    effort: Annotated[str, Field(max_length=20, description="S, M or L, as the person chose.")]
    workspace_slug: Annotated[str | None, Field(max_length=200, description="What to call it.")] = None
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
    task_text: Annotated[LongText | None, Field(description="The text, where there is no issue.")] = None
    user_confirmation: Annotated[Confirmation | None, Field(description="What the person confirmed.")] = None
    discussion_answers: Annotated[LongText | None, Field(description="The person's answers.")] = None


class SkippedPhase(Model, alias_generator=None):
    phase_id: str
    label: str


class EffortOption(Model, alias_generator=None):
    skipped_phases: list[SkippedPhase]
    recommended: bool


class NeedsConfirmation(Model, alias_generator=None):
    detected_effort: str
    effort_options: dict[str, EffortOption]
    current_branch: str
    is_main_branch: bool
    enriched_request_body: Omittable[str] = None
    message: str


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


def external_of(given: ExternalContext | None) -> External:
    """The same of every tracker: the first that says anything."""
    if given is None:
        return External()
    found = next((one for one in _by_tracker(given) if not one.is_empty), External())
    return found._replace(source_id=given.source_id, source_url=given.source_url)


def _by_tracker(given: ExternalContext) -> list[External]:
    return [
        External(
            SourceType.GITHUB,
            given.github_title or "",
            given.github_body or "",
            labels=tuple(given.github_labels),
        ),
        External(
            SourceType.JIRA,
            given.jira_summary or "",
            given.jira_description or "",
            given.jira_story_points or 0,
            issue_type=given.jira_issue_type or "",
        ),
        External(
            SourceType.LINEAR,
            given.linear_title or "",
            given.linear_description or "",
            given.linear_estimate or 0,
            tuple(given.linear_labels),
        ),
    ]
