"""Moving an issue to another status, with its time stamps, its runs and what it blocks."""

from forge.errors import InvalidInput
from forge.store.keys import Key
from forge.work.issues import issue_keys
from forge.work.issues.changes import IssueChange, keys_of_agents, keys_of_runs
from forge.work.issues.desks import Desk
from forge.work.issues.issues import CLOSED, IssueItem
from forge.work.log.events import EventKind
from forge.work.runs.runs import RunItem, RunStatus
from forge.work.workspaces.statuses import StatusCategory, StatusCopy
from forge.work.workspaces.workspaces import WorkspaceItem


def status_of(workspace: WorkspaceItem, status_id: str, *, field: str = "statusId") -> StatusCopy:
    found = workspace.status(status_id)
    if found is None:
        raise InvalidInput("Unknown status.", issues={field: "statuses.list shows the known ones."})
    return found


def needs(desk: Desk, status: StatusCopy) -> list[Key]:
    """What `move` has to find on the desk."""
    wanted = keys_of_agents(desk)
    if desk.issue.is_open != (status.category not in CLOSED):
        wanted += [issue_keys.head(desk.issue.workspace_id, other) for other in desk.issue.blocks]
    if status.category in CLOSED:
        wanted += keys_of_runs(desk, desk.issue.live_runs)
    return wanted


def move(change: IssueChange, status: StatusCopy, *, via: dict[str, object] | None = None) -> None:
    """The issue is in another status than this one now."""
    issue, desk = change.issue, change.desk
    heads = [issue_keys.head(issue.workspace_id, other) for other in issue.blocks]
    change.blocked = [found for head in heads if (found := desk.find(IssueItem, head))]
    stamp(change, status)
    change.announce(
        EventKind.ISSUE_STATUS_CHANGED,
        {"statusId": status.id, "from": issue.status_id, **(via or {})},
        action="transition",
        is_quiet=status.category in CLOSED,
    )
    if status.category in CLOSED:
        change.end_runs(issue.live_runs, lambda run: _ending(run, status, desk.ctx.caller.agent_id))
    elif desk.ctx.caller.agent_id and not via:
        seen = {"statusId": status.id, "category": status.category}
        change.work_on("TRANSITION", seen, current_step=f"→ {status.name}")


def stamp(change: IssueChange, status: StatusCopy) -> None:
    """Only the status and when it was reached, without telling anybody."""
    issue, now, category = change.issue, change.tx.origin.now, status.category
    change.set(
        status_id=status.id,
        category=category,
        started_at=issue.started_at or (now if category is StatusCategory.IN_PROGRESS else None),
        completed_at=(issue.completed_at or now) if category is StatusCategory.DONE else None,
        canceled_at=(issue.canceled_at or now) if category is StatusCategory.CANCELED else None,
    )


def _ending(run: RunItem, status: StatusCopy, caller_agent_id: str | None) -> tuple[RunStatus, str]:
    if status.category is StatusCategory.CANCELED:
        return RunStatus.ABANDONED, f"The issue was moved to {status.name}."
    if run.has_begun or run.agent_id == caller_agent_id:
        return RunStatus.COMPLETED, f"The issue was moved to {status.name}."
    return RunStatus.ABANDONED, f"The issue was moved to {status.name} before this run had begun."
