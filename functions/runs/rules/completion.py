"""The end of a run as its agent reports it, and where the issue goes then."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from forge.contract.terms import EngagementMode
from forge.errors import Conflict, ModeForbidden
from forge.work.issues.changes import IssueChange
from forge.work.issues.edits import transitions
from forge.work.issues.inbox.duties import ENDS_WITH
from forge.work.issues.issues import CLOSED, NO_CLAIM, IssueItem
from forge.work.issues.runs.runs import CONTRACT_VERSION, RunItem, RunStatus
from forge.work.workspace.statuses import StatusCategory, StatusCopy
from forge.work.workspace.workspaces import WorkspaceItem
from functions.runs.rules.gates import RunReport

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
    reported = run.changed(
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
        change.set(queued=False, **own)
    if status:
        transitions.move(change, status, by_run_id=run.id, is_auto=is_auto)


def _meta(run: RunItem, report: RunReport) -> dict[str, Any]:
    said = {"confidence": report.confidence, "verdict": report.verdict}
    known = {name: word for name, word in said.items() if word is not None}
    return {"contractVersion": CONTRACT_VERSION, "mode": run.engagement_mode, **known}
