"""An artifact that is to be: what it is called, and whose it is."""

import re
from unicodedata import normalize

from forge.context import Context
from forge.work.content.artifacts.artifacts import ArtifactItem, ArtifactStatus, ArtifactType

_SUFFIX = 6
_STEM = 64 - _SUFFIX - len("-")


def draft(
    ctx: Context,
    *,
    title: str,
    issue_id: str | None,
    kind: ArtifactType | None = None,
    status: ArtifactStatus = ArtifactStatus.DRAFT,
    slug: str | None = None,
    **more: object,
) -> ArtifactItem:
    artifact_id, now, kind = ctx.new_id("art"), ctx.now(), kind or ArtifactType.DOCUMENT
    fields = {
        "workspace_id": ctx.caller.workspace_id,
        "id": artifact_id,
        "slug": slug or _slug_of(title, artifact_id, otherwise=kind),
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


def _slug_of(title: str, artifact_id: str, *, otherwise: str) -> str:
    """Readable by its title, unique by the artifact's id: nothing has to be looked up for it."""
    plain = normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    stem = "-".join(re.findall("[a-z0-9]+", plain))[:_STEM].strip("-")
    return f"{stem or otherwise.lower()}-{artifact_id[-_SUFFIX:].lower()}"
