"""The end of a run as its agent reports it, and where the issue goes then."""

from typing import Any

from forge.contract.terms import EngagementMode
from forge.work.issues import transitions
from forge.work.issues.changes import IssueChange
from forge.work.issues.issues import CLOSED, IssueItem
from forge.work.runs.runs import CONTRACT_VERSION, RunItem, RunStatus
from forge.work.workspaces.statuses import StatusCategory, StatusCopy
from forge.work.workspaces.workspaces import WorkspaceItem
from functions.runs.rules.gates import Report

_LEFT_WHERE_IT_IS = CLOSED | {StatusCategory.IN_REVIEW}


def review_status(workspace: WorkspaceItem, issue: IssueItem, run: RunItem) -> StatusCopy | None:
    """Where done work goes to be reviewed, if the workspace says so and the issue is not that far yet."""
    if run.engagement_mode is not EngagementMode.EXECUTE or issue.category in _LEFT_WHERE_IT_IS:
        return None
    status = workspace.status(workspace.review_status_id or "")
    return status if status and status.category is StatusCategory.IN_REVIEW else None


def complete(change: IssueChange, run: RunItem, report: Report) -> None:
    """The run is over with its report, and perhaps the issue moves on."""
    reported = run.changed(
        last_event_at=change.now,
        produced_artifact_ids=report.artifact_ids,
        completion_meta=_meta(run, report),
    )
    change.ended.append(reported.over(RunStatus.COMPLETED, change.now, summary=report.summary))
    change.let_go({run.id})
    status = review_status(change.desk.workspace, change.issue, run)
    if status:
        transitions.move(change, status, by_run_id=run.id)


def _meta(run: RunItem, report: Report) -> dict[str, Any]:
    said = {"confidence": report.confidence, "verdict": report.verdict}
    known = {name: word for name, word in said.items() if word is not None}
    return {"contractVersion": CONTRACT_VERSION, "mode": run.engagement_mode, **known}
