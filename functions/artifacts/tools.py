"""The artifacts' tools."""

from forge.context import Context
from forge.contract.effects import FILTERED, Cost
from forge.contract.models import Page
from forge.contract.terms import EXECUTE_ONLY
from forge.contract.terms import Artifact as Form
from forge.contract.tools import Namespace
from forge.errors import InvalidInput
from forge.work.content.artifacts import artifacts
from forge.work.content.artifacts.announcements import ARTIFACT_WRITTEN
from forge.work.content.artifacts.artifacts import ArtifactItem, ArtifactStatus
from forge.work.content.artifacts.drafts import draft
from forge.work.issues.desks import Desk
from forge.work.issues.pages.listing import Pager
from forge.work.record import texts
from forge.work.workspace.people import runtimes
from functions.artifacts import rules
from functions.artifacts.models import (
    ArchiveArtifact,
    ArtifactDetail,
    ArtifactRow,
    CreateArtifact,
    GetArtifact,
    ListArtifacts,
    Promote,
    UpdateArtifact,
    VersionView,
)
from functions.artifacts.repository import shelves, sources

namespace = Namespace("artifacts", "Keep documents: decisions, runbooks, reports, and what issues ask for.")


@namespace.reads(
    costs=Cost(reads=2).up_to(reads=6, because=FILTERED),
    asks=[
        "what has been documented",
        "overview of reports",
        "documents about an issue",
        "look through decisions",
    ],
)
def list(request: ListArtifacts, ctx: Context) -> Page[ArtifactRow]:
    """List artifacts without their texts, the one that changed last first: of everything, or of one issue.

    Archived ones come with includeArchived or status ARCHIVED. Pass nextCursor as cursor for more;
    `truncated` means that more may follow although the page is short. artifacts.get gives the text.
    Example: {"artifactType": "RUNBOOK", "limit": 20}
    """
    pager = Pager(Page[ArtifactRow], request.fields)
    return pager.page(shelves.read_list(ctx, request), ArtifactRow.of)


@namespace.reads(
    costs=Cost(reads=2).up_to(reads=4, because="an older version, and its issue, are read besides"),
    artifact=Form.TEXT,
    content="body",
    asks=["open a document", "full text of a report", "see what a report says"],
)
def get(request: GetArtifact, ctx: Context) -> ArtifactDetail:
    """Return one artifact with its text, by id or by slug, and what its last 10 versions were.

    A text over 40,000 characters comes in parts: pass nextOffset as offset, with the version that you began
    with. Look at its summary with artifacts.list first. Example: {"slug": "deploy-runbook", "version": 2}
    """
    if (request.id is None) is (request.slug is None):
        wrong = "Give id or slug, and only one of them."
        raise InvalidInput("Say which artifact, in one way.", issues={"id": wrong, "slug": wrong})
    artifact, versions = shelves.read_whole(ctx, artifact_id=request.id, slug=request.slug)
    number = rules.require_version(artifact, request.version)
    version = shelves.get_version(ctx, artifact, number, last=versions)
    text = texts.read(ctx.services.store.blobs, version.body)
    body, rest = texts.part_of(text, offset=request.offset, limit=request.limit)
    views = [VersionView.of(one) for one in versions]
    return ArtifactDetail.of(artifact, version=number, body=body, next_offset=rest, versions=views)


@namespace.writes(
    for_runs=True,
    modes=EXECUTE_ONLY,
    costs=Cost(reads=1, writes=1, items=9).up_to(reads=2, items=10, because="an agent at work is heard"),
    emits=[ARTIFACT_WRITTEN],
    asks=[
        "attach a report",
        "save a document",
        "store the evidence",
        "upload a result",
        "write down what I found",
    ],
)
def create(request: CreateArtifact, ctx: Context) -> ArtifactRow:
    """Create an artifact, for an issue or for the workspace, and return it without its text.

    Name its id in runs.complete as one of producedArtifactIds.
    Example: {"title": "Why the login hangs", "body": "# Findings\\n…", "artifactType": "REPORT"}
    """
    desk = sources.open_target(ctx, request.issue_id) if request.issue_id else None
    if desk is None:
        shelves.require_unnarrowed(ctx.caller)
    artifact = draft(
        ctx,
        title=request.title,
        issue_id=desk.issue.id if desk else None,
        kind=request.artifact_type,
        status=request.status,
        slug=request.slug,
        summary=request.summary or None,
        evidence=runtimes.evidence_of(ctx),
    )
    version = artifacts.written(ctx, artifact, request.body)
    tx = ctx.plan()
    artifacts.add(tx, artifact, version, desk=desk, action="create")
    return ArtifactRow.of(artifact)


@namespace.writes(
    for_runs=True,
    modes=EXECUTE_ONLY,
    idempotent=True,
    costs=Cost(reads=2, writes=1, items=9).up_to(reads=3, items=10, because="an agent at work is heard"),
    emits=[ARTIFACT_WRITTEN],
    asks=["revise a report", "replace the text of a document", "publish another version"],
)
def update(request: UpdateArtifact, ctx: Context) -> ArtifactRow:
    """Change an artifact and return it without its text; what is left out stays.

    Another body becomes a new version, and earlier ones are kept; everything else changes in place. Example:
    {"id": "art_01J…", "status": "ACCEPTED", "body": "# Findings\\nIt was the cache."}
    """
    artifact, desk = shelves.open_artifact(ctx, request.id, with_text=request.body is not None)
    changed, version = rules.edited(artifact, request, ctx.now()), None
    if request.body is not None and request.body != _text(ctx, artifact, desk):
        changed = changed.changed(version_number=artifact.version_number + 1)
        version = artifacts.written(ctx, changed, request.body)
    if changed == artifact:
        return ArtifactRow.of(artifact)
    if rules.says_something_else(artifact, changed):
        changed = changed.changed(evidence=runtimes.evidence_of(ctx))
    tx = ctx.plan()
    saved = artifacts.save(tx, artifact, changed, version=version, desk=desk, action="update")
    return ArtifactRow.of(saved)


@namespace.writes(
    modes=EXECUTE_ONLY,
    idempotent=True,
    costs=Cost(reads=2, writes=1, items=6).up_to(items=7, because="an agent at work is heard by its run"),
    emits=[ARTIFACT_WRITTEN],
    asks=["put a document away", "discard a report", "a report that is no longer valid"],
)
def archive(request: ArchiveArtifact, ctx: Context) -> ArtifactRow:
    """Archive an artifact and return it: lists leave it out, artifacts.get still finds it.

    Archiving it again does no harm. artifacts.update with another status brings it back.
    Example: {"id": "art_01J…"}
    """
    artifact, desk = shelves.open_artifact(ctx, request.id)
    changed = rules.with_status(artifact, ArtifactStatus.ARCHIVED, ctx.now())
    if changed == artifact:
        return ArtifactRow.of(artifact)
    tx = ctx.plan()
    saved = artifacts.save(tx, artifact, changed, version=None, desk=desk, action="archive")
    return ArtifactRow.of(saved)


@namespace.writes(
    modes=EXECUTE_ONLY,
    costs=Cost(reads=3, writes=1, items=9).up_to(items=10, because="an agent at work is heard by its run"),
    emits=[ARTIFACT_WRITTEN],
    asks=[
        "make a comment permanent",
        "convert a run's summary into a report",
        "record a decision from a comment",
        "a report from a comment or a run",
    ],
)
def promote(request: Promote, ctx: Context) -> ArtifactRow:
    """Make an artifact of what was said in a comment, a run's summary, an issue's text, a note or a chat.

    The text is copied, so that later changes of either do not show in the other; the artifact says where it
    comes from and belongs to the same issue. Notes are your own, messages of your own threads, and what is
    made of them is the workspace's unless you name an issue. Promoting it again makes another one.
    Example: {"sourceType": "comment", "sourceId": "cmt_01J…", "artifactType": "DECISION"}
    """
    source = sources.read(ctx, request)
    if source.desk is None:
        shelves.require_unnarrowed(ctx.caller)
    artifact = draft(
        ctx,
        title=request.title or source.title,
        issue_id=source.desk.issue.id if source.desk else None,
        kind=request.artifact_type,
        status=request.status,
        slug=request.slug,
        source_type=request.source_type,
        source_id=source.id,
    )
    version = artifacts.written(ctx, artifact, source.text)
    tx = ctx.plan()
    artifacts.add(tx, artifact, version, desk=source.desk, action="promote")
    return ArtifactRow.of(artifact)


def _text(ctx: Context, artifact: ArtifactItem, desk: Desk | None) -> str | None:
    version = shelves.find_version(ctx, artifact, desk)
    return texts.read(ctx.services.store.blobs, version.body) if version else None
