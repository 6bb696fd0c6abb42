"""Where an issue stands in a backlog: worked out from its project and its labels whenever it changes."""

from enum import StrEnum

from forge.store.folding import folded
from forge.work.issues.issues import BacklogPlace, IssueItem
from forge.work.workspace.workspaces import WorkspaceItem


class IssueType(StrEnum):
    BUG = "bug"
    FEATURE = "feature"
    CHORE = "chore"
    DOCS = "docs"


class BacklogStatus(StrEnum):
    BACKLOG = "backlog"
    IN_PROGRESS = "in-progress"
    IN_REVIEW = "in-review"
    BLOCKED = "blocked"


COLORS = {
    "type:bug": "#d73a4a",
    "type:feature": "#a2eeef",
    "type:chore": "#fef2c0",
    "type:docs": "#0075ca",
    "status:backlog": "#cfd3d7",
    "status:in-progress": "#0e8a16",
    "status:in-review": "#fbca04",
    "status:blocked": "#b60205",
}
"""The labels that every backlog has."""

BLOCKING = frozenset({"blocking", "blocker"})
"""Labels that say that others wait for the issue; people make them, or do not."""

KNOWN_LABELS = frozenset(COLORS) | BLOCKING

# Of several, the one that keeps the issue from being taken.
BY_WEIGHT = (
    BacklogStatus.BLOCKED,
    BacklogStatus.IN_REVIEW,
    BacklogStatus.IN_PROGRESS,
    BacklogStatus.BACKLOG,
)


def known_name(name: str) -> str | None:
    """The name by which backlogs know a label of this name; None for one that means nothing to them."""
    plain = folded(name)
    return plain if plain in KNOWN_LABELS else None


def type_label(issue_type: IssueType) -> str:
    return f"type:{issue_type}"


def status_label(status: BacklogStatus) -> str:
    return f"status:{status}"


def label_ids_of(workspace: WorkspaceItem) -> dict[str, str]:
    """The ids of the labels that backlogs know, by name."""
    return {name: label_id for label_id, name in workspace.backlog_labels.items()}


def placed(issue: IssueItem, workspace: WorkspaceItem) -> IssueItem:
    """The issue with its place as it is now."""
    place = place_of(issue, workspace)
    return issue if place == issue.backlog else issue.changed(backlog=place)


def place_of(issue: IssueItem, workspace: WorkspaceItem) -> BacklogPlace | None:
    repository_id = workspace.backlog_projects.get(issue.project_id or "")
    if repository_id is None or not issue.is_open:
        return None
    names = {workspace.backlog_labels.get(label_id, "") for label_id in issue.label_ids}
    return BacklogPlace(
        repository_id=repository_id,
        type=next((one.value for one in IssueType if type_label(one) in names), None),
        status=next((one for one in BY_WEIGHT if status_label(one) in names), BacklogStatus.BACKLOG).value,
        is_blocking=not names.isdisjoint(BLOCKING),
        is_blocked=issue.open_blockers > 0,
    )
