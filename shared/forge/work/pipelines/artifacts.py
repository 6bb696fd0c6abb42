"""The files of a pipeline: which there can be, and how a new version of one is taken in."""

import re
from datetime import datetime
from hashlib import sha256

from forge.errors import Conflict, InvalidInput, NotFound, PayloadTooLarge
from forge.store.physical import UPLOADS
from forge.work.pipelines.phases import PHASES, REQUEST_MD
from forge.work.pipelines.pipelines import PipelineArtifact, PipelineItem, Status

MAX_INLINE = 1024 * 1024
"""Bytes of a file that comes with a call."""
MAX_UPLOAD = 4 * 1024 * 1024
"""Bytes of one that is sent to its own URL: all of it is read to find verdicts and tasks."""

INSTRUCTIONS_MD, IMPROVEMENT_MD = "instructions.md", "improvement.md"
_OF_PHASES = frozenset({phase.output for phase in PHASES if phase.output})
_OF_TASKS = re.compile(r"(?:impl|review)-[0-9]{1,6}\.md")
WRITABLE = frozenset({*_OF_PHASES, IMPROVEMENT_MD} - {REQUEST_MD})


def implementation(task: str) -> str:
    return f"impl-{task}.md"


def review(task: str) -> str:
    return f"review-{task}.md"


def named(file: str, path: str) -> str:
    """The name of a file, also where it comes with the path of the pipeline that it is of."""
    return file.removeprefix(f"{path}/")


def require_writable(file: str, *, field: str) -> None:
    if file not in WRITABLE and not _OF_TASKS.fullmatch(file):
        known = ", ".join(sorted(WRITABLE))
        raise InvalidInput(
            f"{file[:60]!r} is no artifact that a pipeline takes.",
            issues={field: f"There are: {known}, impl-<n>.md, review-<n>.md."},
        )


def put(state: PipelineItem, file: str, text: str, *, now: datetime) -> PipelineItem:
    """The pipeline with a new version of a file, which is stored under a name of its own."""
    body = text.encode()
    digest = sha256(body).hexdigest()
    version = state.versions.get(file, 0) + 1
    blob = blob_of(state, file, version=version, mark=digest[:16])
    return taken(state, file, size=len(body), sha=digest, blob=blob, now=now)


def taken(state: PipelineItem, file: str, *, size: int, sha: str, blob: str, now: datetime) -> PipelineItem:
    """The same of bytes that are stored already."""
    version, seq = state.versions.get(file, 0) + 1, state.artifact_seq + 1
    one = PipelineArtifact(seq=seq, version=version, size=size, sha=sha, blob=blob, updated_at=now)
    return state.changed(
        artifacts=state.artifacts | {file: one},
        versions=state.versions | {file: version},
        artifact_seq=seq,
    )


def blob_of(state: PipelineItem, file: str, *, version: int, mark: str) -> str:
    """Two who write at the same time write two objects, and one of them becomes the version."""
    return f"pipelines/{state.workspace_id}/{state.name}/{file}/{version}-{mark}"


def no_such_artifact(file: str) -> NotFound:
    return NotFound(
        f"This pipeline has no {file[:60]!r}, or none of that version.",
        hint="pipeline_list_artifacts shows what there is.",
    )


def require_inline(text: str) -> None:
    if len(text.encode()) > MAX_INLINE:
        raise PayloadTooLarge(
            "An artifact in a call has 1 MB at most.",
            hint='Send it in three steps: pipeline_put_artifact {"workspace", "name", "size"} answers '
            "uploadUrl, uploadId and headers; PUT the bytes to uploadUrl with those headers; then "
            'pipeline_put_artifact {"workspace", "name", "uploadId"} stores it.',
        )


def require_open(state: PipelineItem) -> None:
    """What was given up stays as it was left."""
    if state.status is Status.ABANDONED:
        raise Conflict(
            "This pipeline is abandoned, so it takes no more artifacts.",
            hint="Begin another with pipeline_init.",
        )


def require_uploadable(size: int) -> None:
    if size > MAX_UPLOAD:
        raise PayloadTooLarge(
            f"An artifact has {MAX_UPLOAD:,} bytes at most.", hint="Leave out what agents need not read."
        )


def upload_of(state: PipelineItem, file: str, upload_id: str) -> str:
    """Where bytes arrive. The id is taken for a word of a name, and never for a path."""
    word = re.sub(r"[^A-Za-z0-9_]", "", upload_id)
    return f"{UPLOADS}{state.workspace_id}/{state.name}/{file}/{word}"
