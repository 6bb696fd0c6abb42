"""How an artifact changes, and what one that is made of a text is called."""

from datetime import datetime

from forge.errors import InvalidInput
from forge.work.content.artifacts.artifacts import ArtifactItem, ArtifactStatus
from functions.artifacts.models import UpdateArtifact

MAX_TITLE = 200

# What Markdown puts before the words of a line.
_MARKS = "#>*-+_` "


def edited(artifact: ArtifactItem, request: UpdateArtifact, now: datetime) -> ArtifactItem:
    """With everything that was given but the text."""
    summary = request.given().get("summary", artifact.summary) or None
    changed = artifact.changed(
        title=request.title or artifact.title,
        type=request.artifact_type or artifact.type,
        slug=request.slug or artifact.slug,
        summary=summary,
    )
    return with_status(changed, request.status or artifact.status, now)


def with_status(artifact: ArtifactItem, status: ArtifactStatus, now: datetime) -> ArtifactItem:
    if status is artifact.status:
        return artifact
    is_archived = status is ArtifactStatus.ARCHIVED
    return artifact.changed(status=status, archived_at=now if is_archived else None)


def require_version(artifact: ArtifactItem, number: int | None) -> int:
    """The version that is asked for, which is the last one by default."""
    last = artifact.version_number
    if number is not None and number > last:
        wrong = f"The last version is {last}."
        raise InvalidInput(f"There is no version {number}.", issues={"version": wrong})
    return number or last


def title_of(text: str) -> str:
    """The first line that says something."""
    lines = (" ".join(line.split()).strip(_MARKS) for line in text.splitlines())
    return next(filter(None, lines), " ".join(text.split()))[:MAX_TITLE].strip()


def says_something_else(before: ArtifactItem, after: ArtifactItem) -> bool:
    """Whether the artifact says something else now, by its text, title, summary or type."""
    words = ("title", "summary", "type", "version_number")
    return any(getattr(before, name) != getattr(after, name) for name in words)
