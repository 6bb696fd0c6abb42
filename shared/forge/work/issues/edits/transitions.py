"""Moving an issue to another status, with its time stamps, its runs and what it blocks."""

from forge.store.keys import Key
from forge.work.issues.announcements import BY_REQUEST
from forge.work.issues.changes import IssueChange, keys_of_runs
from forge.work.issues.issues import CLOSED, NO_CLAIM, IssueItem
from forge.work.issues.runs.runs import RunItem, RunStatus
from forge.work.workspace.meanings import status_meant
from forge.work.workspace.statuses import StatusCategory, StatusCopy
from forge.work.workspace.workspaces import WorkspaceItem


def status_of(workspace: WorkspaceItem, given: str, *, field: str = "statusId") -> StatusCopy:
    """The status that is meant: by its id, its name, or a category that no other has."""
    wanted = status_meant(field, given, workspace.statuses)
    return next(status for status in workspace.statuses if status.id == wanted)


def runs_to_end(issue: IssueItem, status: StatusCopy) -> list[Key]:
    """What `move` decides on: where the issue closes, every live run."""
    return keys_of_runs(issue, issue.live_runs) if status.category in CLOSED else []


def issues_to_settle(issue: IssueItem, status: StatusCopy) -> list[str]:
    """What is freed or blocked again where the issue closes or opens."""
    return issue.blocks if issue.is_open != (status.category not in CLOSED) else []


def move(
    change: IssueChange,
    status: StatusCopy,
    *,
    by_run_id: str | None = None,
    by_request_id: str | None = None,
    via: str | None = None,
    is_auto: bool = False,
) -> None:
    """The issue is in another status than this one now; perhaps by a completed run or an accepted request.

    `via` is what else has moved it, so that it is no work of the caller's; nor is what follows by itself.
    """
    issue, caller_id = change.issue, change.caller_agent_id
    is_closing = status.category in CLOSED
    cause: dict[str, object] = {"via": "run-complete", "run_id": by_run_id} if by_run_id else {}
    cause |= {"via": BY_REQUEST, "action_request_id": by_request_id} if by_request_id else {}
    cause |= {"via": via} if via else {}
    cause |= {"auto": True} if is_auto else {}
    change.move_to(status, is_quiet=is_closing, **cause)
    if is_closing:
        change.set(**NO_CLAIM)
        change.end_runs(issue.live_runs, lambda run: _ending(run, status, caller_id))
    elif caller_id and not by_run_id and not via and not is_auto:
        change.work_on(current_step=f"→ {status.name}")


def _ending(run: RunItem, status: StatusCopy, caller_agent_id: str | None) -> tuple[RunStatus, str]:
    if status.category is StatusCategory.CANCELED:
        return RunStatus.ABANDONED, f"The issue was moved to {status.name}."
    if run.has_begun or run.agent_id == caller_agent_id:
        return RunStatus.COMPLETED, f"The issue was moved to {status.name}."
    return RunStatus.ABANDONED, f"The issue was moved to {status.name} before this run had begun."
