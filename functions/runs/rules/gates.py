"""The gates of a completion: what a run has to show, by its mode. All that is missing is said at once."""

from collections.abc import Iterable, Iterator, Sequence

from forge.contract.models import Model
from forge.contract.terms import EngagementMode
from forge.errors import InvalidInput
from forge.store.keys import Key
from forge.work.artifacts import artifact_keys
from forge.work.artifacts.artifacts import ArtifactItem, SourceType
from forge.work.issues import issue_keys
from forge.work.issues.desks import Desk
from forge.work.issues.issues import BodyItem, ChecklistItem
from forge.work.runs.runs import RunItem
from functions.runs.models import CompleteRun, Verified

Problem = tuple[str, str]
"""A field, and what is wrong with it."""

_NEEDS = {
    EngagementMode.EXECUTE: "An EXECUTE run needs a summary, a done verificationResult for each item of the"
    " issue's checklist and, if the issue requires an artifact, one that is linked to it.",
    EngagementMode.RESEARCH: "A RESEARCH run needs a summary and a confidence: LOW, MEDIUM or HIGH.",
    EngagementMode.REVIEW: "A REVIEW run needs a summary and a verdict: APPROVE or REQUEST_CHANGES.",
    EngagementMode.DISCUSS: "A DISCUSS run needs a summary, and takes no artifacts, results or follow-ups.",
}

# Bytes, of which some characters take four: an item ends at 400 KB, and holds the summary besides.
_MAX_RESULTS = 130_000
_MAX_FOLLOW_UPS = 120_000
_SHOWN_OF_LABEL = 80


def require_all(desk: Desk, run: RunItem, *, request: CompleteRun) -> None:
    """One error for everything that this run still has to show."""
    issues: dict[str, str] = {}
    for field, text in _problems(desk, run, request=request):
        issues[field] = f"{issues[field]} {text}" if field in issues else text
    if issues:
        raise InvalidInput(
            f"This {run.engagement_mode} run can't be completed like that: see {', '.join(issues)}.",
            issues=issues,
            hint=_NEEDS[run.engagement_mode],
        )


def body_of(desk: Desk) -> BodyItem | None:
    """Where the checklist is."""
    return desk.find(BodyItem, issue_keys.body(desk.issue.workspace_id, desk.issue.id))


def keys_of_artifacts(workspace_id: str, request: CompleteRun) -> list[Key]:
    return [artifact_keys.artifact(workspace_id, one) for one in dict.fromkeys(request.produced_artifact_ids)]


def _problems(desk: Desk, run: RunItem, *, request: CompleteRun) -> Iterator[Problem]:
    if not (request.summary or "").strip():
        yield "summary", "Say what you did or found."
    yield from _of_artifacts(desk, request)
    yield from _of_sizes(request)
    match run.engagement_mode:
        case EngagementMode.EXECUTE:
            yield from _of_execution(desk, request)
        case EngagementMode.RESEARCH if request.confidence is None:
            yield "confidence", "Say how sure you are: LOW, MEDIUM or HIGH."
        case EngagementMode.REVIEW if request.verdict is None:
            yield "verdict", "Say APPROVE or REQUEST_CHANGES."
        case EngagementMode.DISCUSS:
            yield from _of_discussion(request)


def _of_artifacts(desk: Desk, request: CompleteRun) -> Iterator[Problem]:
    given, workspace_id = request.produced_artifact_ids, desk.issue.workspace_id
    unknown = [one for one in given if artifact_keys.artifact(workspace_id, one) not in desk.rows]
    if unknown:
        names = ", ".join(dict.fromkeys(unknown))
        yield "producedArtifactIds", f"Unknown: {names}. artifacts.list shows the known ones."
    if len(set(given)) < len(given):
        yield "producedArtifactIds", "Name each artifact once."


def _of_sizes(request: CompleteRun) -> Iterator[Problem]:
    if _bytes_of(request.verification_result) > _MAX_RESULTS:
        yield "verificationResult", f"At most {_MAX_RESULTS // 1000} KB of text in all."
    if _bytes_of(request.follow_ups) > _MAX_FOLLOW_UPS:
        yield "followUps", f"At most {_MAX_FOLLOW_UPS // 1000} KB of text in all."


def _bytes_of(items: Sequence[Model]) -> int:
    texts = (value for item in items for value in item.model_dump().values() if isinstance(value, str))
    return sum(len(text.encode()) for text in texts)


def _of_execution(desk: Desk, request: CompleteRun) -> Iterator[Problem]:
    if desk.issue.artifact_required and not any(
        _is_linked(artifact, desk.issue.id) for artifact in _artifacts(desk, request)
    ):
        yield (
            "producedArtifactIds",
            "The issue requires an artifact linked to it: artifacts.create with its issueId makes one.",
        )
    unmet = [
        item.label.strip() for item in _checklist(desk) if not _is_met(item, request.verification_result)
    ]
    if unmet:
        names = ", ".join(repr(label[:_SHOWN_OF_LABEL]) for label in unmet)
        yield "verificationResult", f"Not reported as done: {names}."


def _artifacts(desk: Desk, request: CompleteRun) -> list[ArtifactItem]:
    """Those of the produced artifacts that exist."""
    wanted = keys_of_artifacts(desk.issue.workspace_id, request)
    return [found for key in wanted if (found := desk.find(ArtifactItem, key))]


def _is_linked(artifact: ArtifactItem, issue_id: str) -> bool:
    """It belongs to the issue, or was made of it."""
    source = (artifact.source_type, artifact.source_id)
    return artifact.issue_id == issue_id or source == (SourceType.ISSUE, issue_id)


def _checklist(desk: Desk) -> list[ChecklistItem]:
    """The items that say something; whether the issue has them as done does not count."""
    body = body_of(desk)
    return [item for item in body.verification_checklist if item.label.strip()] if body else []


def _is_met(item: ChecklistItem, results: Iterable[Verified]) -> bool:
    """An item with an id is met only under its id; another by its label, whatever the case."""
    if item.id is not None:
        return any(result.done and result.id == item.id for result in results)
    label = item.label.strip().lower()
    return any(result.done and result.label.strip().lower() == label for result in results)


def _of_discussion(request: CompleteRun) -> Iterator[Problem]:
    given = {
        "producedArtifactIds": request.produced_artifact_ids,
        "verificationResult": request.verification_result,
        "followUps": request.follow_ups,
    }
    for field, values in given.items():
        if values:
            yield field, "A discussion only replies: leave this out."
