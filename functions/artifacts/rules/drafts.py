"""An artifact that is to be: what it is called, and how it changes."""

import re
from unicodedata import normalize

from forge.context import Context
from forge.work.artifacts.artifacts import ArtifactItem, ArtifactStatus, ArtifactType
from functions.artifacts.models import CreateArtifact, Promote, UpdateArtifact

MAX_TITLE = 200

_SUFFIX = 6
_STEM = 64 - _SUFFIX - len("-")
# What Markdown puts before the words of a line.
_MARKS = "#>*-+_` "


def draft(
    ctx: Context, request: CreateArtifact | Promote, *, title: str, issue_id: str | None, **more: object
) -> ArtifactItem:
    artifact_id, now, status = ctx.new_id("art"), ctx.now(), request.status
    kind = request.artifact_type or ArtifactType.DOCUMENT
    fields = {
        "workspace_id": ctx.caller.workspace_id,
        "id": artifact_id,
        "slug": request.slug or _slug_of(title, artifact_id, otherwise=kind),
        "title": title,
        "type": kind,
        "status": status,
        "issue_id": issue_id,
        "created_by_id": ctx.caller.user_id,
        "created_by_agent_id": ctx.caller.agent_id,
        "created_at": now,
        "updated_at": now,
        "archived_at": now if status is ArtifactStatus.ARCHIVED else None,
    }
    return ArtifactItem.model_validate(fields | more)


def edited(ctx: Context, artifact: ArtifactItem, request: UpdateArtifact) -> ArtifactItem:
    """With everything that was given but the text."""
    summary = (request.summary or None) if "summary" in request.model_fields_set else artifact.summary
    changed = artifact.changed(
        title=request.title or artifact.title,
        type=request.artifact_type or artifact.type,
        slug=request.slug or artifact.slug,
        summary=summary,
    )
    return with_status(ctx, changed, request.status or artifact.status)


def with_status(ctx: Context, artifact: ArtifactItem, status: ArtifactStatus) -> ArtifactItem:
    if status is artifact.status:
        return artifact
    is_archived = status is ArtifactStatus.ARCHIVED
    return artifact.changed(status=status, archived_at=ctx.now() if is_archived else None)


def title_of(text: str) -> str:
    """The first line that says something."""
    lines = (" ".join(line.split()).strip(_MARKS) for line in text.splitlines())
    return next(filter(None, lines), " ".join(text.split()))[:MAX_TITLE].strip()


def _slug_of(title: str, artifact_id: str, *, otherwise: str) -> str:
    """Readable by its title, unique by the artifact's id: nothing has to be looked up for it."""
    plain = normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    stem = "-".join(re.findall("[a-z0-9]+", plain))[:_STEM].strip("-")
    return f"{stem or otherwise.lower()}-{artifact_id[-_SUFFIX:].lower()}"
