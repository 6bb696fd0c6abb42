"""What a run has to show before it can be completed, by its mode, and where its issue goes then."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from forge.contract.terms import EngagementMode
from forge.errors import Conflict, InvalidInput, ModeForbidden
from forge.store.strangers import is_known
from forge.work.content.artifacts.artifacts import ArtifactItem, SourceType
from forge.work.issues.changes import IssueChange
from forge.work.issues.edits import transitions
from forge.work.issues.inbox.rows import ENDS_WITH
from forge.work.issues.issues import CLOSED, NO_CLAIM, ChecklistItem, IssueItem
from forge.work.issues.runs.reports import Confidence, RunVerdict
from forge.work.issues.runs.runs import CONTRACT_VERSION, RunItem, RunStatus
from forge.work.workspace.statuses import StatusCategory, StatusCopy
from forge.work.workspace.workspaces import WorkspaceItem

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

Text = Mapping[str, str | bool | None]
"""A result or a follow-up: its fields by name."""


@dataclass(frozen=True, slots=True)
class RunReport:
    """What an agent says of its run at the end."""

    summary: str | None
    artifact_ids: list[str]
    results: Sequence[Text]
    follow_ups: Sequence[Text]
    confidence: Confidence | None
    verdict: RunVerdict | None


@dataclass(frozen=True, slots=True)
class Expected:
    """What is asked of a run, and which of the artifacts that it names are there."""

    issue: IssueItem
    is_artifact_required: bool
    checklist: Sequence[ChecklistItem]
    artifacts: Mapping[str, ArtifactItem | None]

    def with_artifact(self, made: ArtifactItem | None) -> "Expected":
        """With one that comes into being together with the report."""
        return replace(self, artifacts={**self.artifacts, made.id: made}) if made else self


def expected_of(
    run: RunItem,
    issue: IssueItem,
    checklist: Sequence[ChecklistItem],
    artifacts: Mapping[str, ArtifactItem | None],
) -> Expected:
    """What the issue asks for; of a run for a step nothing: its reviewer judges by what the step asks for."""
    if run.execution_step_id is not None:
        return Expected(issue, is_artifact_required=False, checklist=(), artifacts=artifacts)
    return Expected(issue, issue.artifact_required, checklist, artifacts)


def require_all(mode: EngagementMode, expected: Expected, report: RunReport) -> None:
    """One error for everything that a run in this mode still has to show."""
    issues: dict[str, str] = {}
    for field, text in problems(mode, expected, report):
        issues[field] = f"{issues[field]} {text}" if field in issues else text
    if issues:
        raise InvalidInput(
            f"This {mode} run can't be completed like that: see {', '.join(issues)}.",
            issues=issues,
            hint=_NEEDS.get(mode),
        )


def problems(mode: EngagementMode, expected: Expected, report: RunReport) -> Iterator[Problem]:
    if not (report.summary or "").strip():
        yield "summary", "Say what you did or found."
    yield from _of_artifacts(expected, report)
    yield from _of_sizes(report)
    match mode:
        case EngagementMode.EXECUTE:
            yield from _of_execution(expected, report)
        case EngagementMode.RESEARCH if report.confidence is None:
            yield "confidence", "Say how sure you are: LOW, MEDIUM or HIGH."
        case EngagementMode.REVIEW if report.verdict is None:
            yield "verdict", "Say APPROVE or REQUEST_CHANGES."
        case EngagementMode.DISCUSS:
            yield from _of_discussion(report)
        case mode if not is_known(mode):
            yield (
                "runId",
                f"What a {mode} run has to report is known to a newer Forge only: complete it there.",
            )


def _of_artifacts(expected: Expected, report: RunReport) -> Iterator[Problem]:
    given = report.artifact_ids
    unknown = [one for one in given if expected.artifacts[one] is None]
    if unknown:
        names = ", ".join(dict.fromkeys(unknown))
        yield "producedArtifactIds", f"Unknown: {names}. artifacts.list shows the known ones."
    if len(set(given)) < len(given):
        yield "producedArtifactIds", "Name each artifact once."


def _of_sizes(report: RunReport) -> Iterator[Problem]:
    if _bytes_of(report.results) > _MAX_RESULTS:
        yield "verificationResult", f"At most {_MAX_RESULTS // 1000} KB of text in all."
    if _bytes_of(report.follow_ups) > _MAX_FOLLOW_UPS:
        yield "followUps", f"At most {_MAX_FOLLOW_UPS // 1000} KB of text in all."


def _bytes_of(items: Sequence[Text]) -> int:
    texts = (value for item in items for value in item.values() if isinstance(value, str))
    return sum(len(text.encode()) for text in texts)


def _of_execution(expected: Expected, report: RunReport) -> Iterator[Problem]:
    made = [artifact for one in report.artifact_ids if (artifact := expected.artifacts[one])]
    if expected.is_artifact_required and not any(_is_linked(one, expected.issue.id) for one in made):
        yield (
            "producedArtifactIds",
            "The issue requires an artifact linked to it: artifacts.create with its issueId makes one.",
        )
    # Items that say nothing ask for nothing; whether the issue has them as done does not count.
    asked = [item for item in expected.checklist if item.label.strip()]
    unmet = [item.label.strip() for item in asked if not _is_met(item, report.results)]
    if unmet:
        names = ", ".join(repr(label[:_SHOWN_OF_LABEL]) for label in unmet)
        yield "verificationResult", f"Not reported as done: {names}."


def _is_linked(artifact: ArtifactItem, issue_id: str) -> bool:
    """It belongs to the issue, or was made of it."""
    source = (artifact.source_type, artifact.source_id)
    return artifact.issue_id == issue_id or source == (SourceType.ISSUE, issue_id)


def _is_met(item: ChecklistItem, results: Iterable[Text]) -> bool:
    """An item with an id is met only under its id; another by its label, whatever the case."""
    if item.id is not None:
        return any(result["done"] and result["id"] == item.id for result in results)
    label = item.label.strip().lower()
    return any(result["done"] and str(result["label"]).strip().lower() == label for result in results)


def _of_discussion(report: RunReport) -> Iterator[Problem]:
    given = {
        "producedArtifactIds": report.artifact_ids,
        "verificationResult": report.results,
        "followUps": report.follow_ups,
    }
    for field, values in given.items():
        if values:
            yield field, "A discussion only replies: leave this out."


_LEFT_WHERE_IT_IS = CLOSED | {StatusCategory.IN_REVIEW}


def review_status(workspace: WorkspaceItem, issue: IssueItem, run: RunItem) -> StatusCopy | None:
    """Where done work goes to be reviewed, unless the workspace leaves it or the issue is that far."""
    if not ends_work(run) or issue.category in _LEFT_WHERE_IT_IS:
        return None
    return workspace.status_once_completed


def next_status(
    workspace: WorkspaceItem, issue: IssueItem, run: RunItem, *, wanted: StatusCopy | None
) -> StatusCopy | None:
    """Where the issue goes with the end of the run: where its agent says, or else perhaps to review."""
    status = wanted or review_status(workspace, issue, run)
    return status if status and status.id != issue.status_id else None


def require_execution(run: RunItem, *, given: Mapping[str, object]) -> None:
    """What changes the issue is for runs that may."""
    names = [name for name, value in given.items() if value is not None]
    if names and run.engagement_mode is not EngagementMode.EXECUTE:
        raise ModeForbidden(
            f"A {run.engagement_mode} run can't be completed with {' and '.join(names)}: that needs EXECUTE.",
            hint="Leave it out, and say in the summary or in followUps what should happen.",
            details={"mode": run.engagement_mode, "allowedModes": [EngagementMode.EXECUTE]},
        )


def ends_work(run: RunItem) -> bool:
    """Whether the run is for the issue itself: one step is not all of it."""
    return run.engagement_mode is EngagementMode.EXECUTE and run.execution_step_id is None


def require_work(run: RunItem) -> None:
    """Who judges or plans ends its run by what it owes: nobody waits for a report instead."""
    if run.duty is not None:
        ending = ENDS_WITH.get(run.duty, "what it is for")
        raise Conflict(
            f"This run is to {run.duty}: it ends with {ending}.",
            hint="agent.context.bundle {issueId, runId} says with which arguments.",
        )


def complete(
    change: IssueChange,
    run: RunItem,
    report: RunReport,
    *,
    status: StatusCopy | None,
    is_auto: bool = False,
    usage: Mapping[str, object] = MappingProxyType({}),
) -> None:
    """The run is over with its report, and perhaps the issue moves on."""
    is_claimed = ends_work(run) and change.issue.is_claimed(change.now)
    reported = run.changed(
        reported_under=change.issue.claim_session if is_claimed else None,
        last_event_at=change.now,
        produced_artifact_ids=report.artifact_ids,
        completion_meta=_meta(run, report),
        **usage,
    )
    change.ended.append(reported.over(RunStatus.COMPLETED, change.now, summary=report.summary))
    change.let_go({run.id})
    if ends_work(run):
        # What is done must not be given to the next who asks for work.
        own = NO_CLAIM if change.issue.claimed_by_agent_id == run.agent_id else {}
        change.set(queued=False, queued_from=None, times_given_back=0, **own)
    if status:
        transitions.move(change, status, by_run_id=run.id, is_auto=is_auto)


def _meta(run: RunItem, report: RunReport) -> dict[str, Any]:
    said = {"confidence": report.confidence, "verdict": report.verdict}
    known = {name: word for name, word in said.items() if word is not None}
    return {"contractVersion": CONTRACT_VERSION, "mode": run.engagement_mode, **known}
