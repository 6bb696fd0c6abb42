"""The files of a pipeline, which no disk of the caller's is needed for, and the profile of its repository."""

from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.guards import Guarded, settles_nothing
from forge.contract.terms import Artifact
from forge.errors import InvalidInput, NotFound
from forge.store.transactions import overtaken
from forge.work.pipelines import artifacts
from forge.work.pipelines.announcements import PIPELINE_MOVED
from forge.work.pipelines.desk.opening import OpenPipeline, open_pipeline
from forge.work.pipelines.engine.progress import Progress
from forge.work.pipelines.pipelines import PipelineArtifactItem, ProfileItem
from forge.work.pipelines.prompts import profiles, workflow_rules
from forge.work.pipelines.prompts.profiles import Profile
from forge.work.pipelines.prompts.sent_files import SentFile
from functions.pipeline import repository
from functions.pipeline.models.artifacts import (
    ArtifactRow,
    Artifacts,
    ArtifactView,
    GetArtifact,
    ListArtifacts,
    ProfileSet,
    Put,
    PutArtifact,
    SetProfile,
)
from functions.pipeline.tools import namespace

_URL_SECONDS = 15 * 60
_TEXT = "text/markdown"


@namespace.writes(
    costs=Cost(reads=1, writes=1, items=6),
    emits=[PIPELINE_MOVED],
    files=("name",),
    guards=(settles_nothing("a file answers nothing", Guarded.PIPELINE),),
    asks=[
        "save an artifact of a pipeline",
        "upload to a pipeline",
        "write a pipeline artifact",
        "save what a pipeline agent wrote",
    ],
)
def pipeline_put_artifact(request: PutArtifact, ctx: Context) -> Put:
    """Store a file of a pipeline; one of the same name gets a new version, and the old one stays.

    Over 1 MB: give `size` instead of `content`, PUT the bytes to uploadUrl with its headers, then call again
    with uploadId. request.md can't be written. Example: {"workspace": ".specs/20260401-login",
    "name": "design.md", "content": "## Approach"}
    """
    name = artifacts.named(request.name, request.workspace)
    artifacts.require_writable(name, field="name")
    given = [one for one in (request.content, request.size, request.upload_id) if one is not None]
    if len(given) != 1:
        wrong = "Give content, size or uploadId, and only one of them."
        raise InvalidInput("Say what to store in one way.", issues={"content": wrong})
    opened = open_pipeline(ctx, request.workspace)
    artifacts.require_open(opened.state)
    if request.size is not None:
        return _upload(ctx, opened, name, request.size)
    text = request.content
    if text is None:
        text = _uploaded(ctx, opened, name, str(request.upload_id))
    else:
        artifacts.require_inline(text)
    progress = Progress(opened.state, repository.around(opened))
    progress.write(name, text)
    progress.happen("action-complete", opened.state.current_phase, outcome="artifact", detail=name)
    state = repository.settle_progress(ctx, opened, progress)
    stored = state.artifacts[name]
    return Put(name=name, size=stored.size, version=stored.version)


@namespace.reads(
    costs=Cost(reads=1).up_to(reads=2, because="an older version is read besides"),
    artifact=Artifact.TEXT,
    content="content",
    asks=[
        "read what a pipeline agent wrote",
        "an older version in a pipeline",
        "read the design of a pipeline",
    ],
)
def pipeline_get_artifact(request: GetArtifact, ctx: Context) -> ArtifactView:
    """Read a file of a pipeline, the newest version or the one that you name.

    Example: {"workspace": ".specs/20260401-login", "name": "design.md"}
    """
    opened = open_pipeline(ctx, request.workspace)
    state, name = opened.state, artifacts.named(request.name, request.workspace)
    missing = artifacts.no_such_artifact(name)
    if request.version is None:
        if not state.has(name):
            raise missing
        return ArtifactView(name=name, content=opened.texts[name], version=state.artifacts[name].version)
    key = PipelineArtifactItem.at(state.workspace_id, state.name, name, request.version)
    row = ctx.table.get(PipelineArtifactItem, key, missing=missing)
    content = ctx.services.store.blobs.get_text(row.blob)
    return ArtifactView(name=name, content=content, version=row.artifact_version)


@namespace.reads(
    costs=Cost(reads=1),
    asks=["which artifacts does a pipeline have", "list the files of a pipeline"],
)
def pipeline_list_artifacts(request: ListArtifacts, ctx: Context) -> Artifacts:
    """List the files that a pipeline has, each in its newest version.

    Example: {"workspace": ".specs/20260401-login"}
    """
    state = open_pipeline(ctx, request.workspace).state
    rows = [ArtifactRow.of(one, name=name) for name, one in sorted(state.artifacts.items())]
    return Artifacts(data=rows)


@namespace.writes(
    idempotent=True,
    costs=Cost(reads=1, writes=1, items=6).up_to(items=7, because="instructions are a file of their own"),
    emits=[PIPELINE_MOVED],
    guards=(settles_nothing("it tells agents about the repository", Guarded.PIPELINE),),
    asks=["repository of a pipeline", "workflow rules of a pipeline"],
)
def pipeline_set_profile(request: SetProfile, ctx: Context) -> ProfileSet:
    """Say what is known of the repository, and the team's workflow rules; agents are told from then on.

    `profile` counts before what `files` show: send all paths, and the contents of Makefile, package.json and
    such. `instructions` with rules that can't be read are refused; empty ones mean none. Example:
    {"workspace": ".specs/20260401-login", "profile": {"test_command": "make test"}}
    """
    rules = workflow_rules.parse(request.instructions)
    opened = open_pipeline(ctx, request.workspace)
    if request.instructions is None and opened.state.has(artifacts.INSTRUCTIONS_MD):
        rules = workflow_rules.parse(opened.texts[artifacts.INSTRUCTIONS_MD])
    told, profile = _known(opened, request)
    profile = profile.model_copy(update={"last_updated": ctx.now()})
    progress = Progress(opened.state, repository.around(opened))
    if request.instructions is not None:
        progress.write(artifacts.INSTRUCTIONS_MD, request.instructions)
    progress.happen("action-complete", opened.state.current_phase, outcome="profile")
    # The time of the last change moves, so that there always is something to save.
    progress.set(updated_at=ctx.now(), artifact_seq=progress.state.artifact_seq + 1)
    state = repository.settle_progress(ctx, opened, progress)
    fresh = ProfileItem(workspace_id=state.workspace_id, pipeline=state.name, profile=profile)
    if ctx.pending is not None:
        known = (opened.profile or fresh).changed(profile=profile, told=told)
        if opened.profile is not None:
            ctx.pending.replace(known)
        else:
            ctx.pending.create(known, refusal=overtaken)
    return ProfileSet(
        workspace=state.path,
        languages=[one.name for one in profile.languages],
        test_command=profile.test_command,
        build_command=profile.build_command,
        rules=len(rules),
    )


def _known(opened: OpenPipeline, request: SetProfile) -> tuple[Profile, Profile]:
    """What callers said so far, and all that is known: what was left out now stays as it was."""
    before = opened.profile
    given = Profile(**request.profile.model_dump()) if request.profile else None
    told = profiles.over((before and before.told) or Profile(), given)
    if before is None or request.files:
        return told, profiles.profile_of([SentFile(one.path, one.content) for one in request.files], told)
    return told, profiles.over(before.profile, told)


def _upload(ctx: Context, opened: OpenPipeline, file: str, size: int) -> Put:
    artifacts.require_uploadable(size)
    upload_id = ctx.new_id("upl")
    sending = ctx.services.store.blobs.url_to_put(
        artifacts.upload_of(opened.state, file, upload_id),
        content_type=_TEXT,
        size=size,
        seconds=_URL_SECONDS,
    )
    return Put(name=file, size=size, upload_url=sending.url, upload_id=upload_id, headers=sending.headers)


def _uploaded(ctx: Context, opened: OpenPipeline, file: str, upload_id: str) -> str:
    """Its bytes are read once, and kept under a name of ours: what is sent again later changes nothing."""
    blobs, place = ctx.services.store.blobs, artifacts.upload_of(opened.state, file, upload_id)
    if blobs.find(place) is None:
        raise NotFound(
            "Nothing has arrived under this uploadId.",
            hint="PUT the bytes to uploadUrl first, with its headers; it ends after 15 minutes.",
        )
    try:
        return blobs.get_bytes(place, most=artifacts.MAX_UPLOAD).decode()
    except UnicodeDecodeError:
        raise InvalidInput("The file is no UTF-8 text.", issues={"uploadId": "Send text."}) from None
