"""Putting labels on an issue and taking them off."""

from collections.abc import Iterable

from forge.contract.references import Kind
from forge.errors import PreconditionFailed
from forge.work.issues.announcements import ISSUE_LABELLED, LabelsChanged
from forge.work.issues.changes import IssueChange
from forge.work.issues.issues import MAX_LABELS
from forge.work.workspace.meanings import unknown
from forge.work.workspace.people.names import Names


def relabel(change: IssueChange, *, add: Iterable[str], remove: Iterable[str]) -> tuple[list[str], list[str]]:
    """The labels that were really added and removed; the change is empty where there are none."""
    issue, names = change.issue, change.desk.names
    # A label that was deleted is not shown any more, so this is the moment to let go of it.
    known = {label_id for label_id in issue.label_ids if names.label(label_id)}
    after = frozenset((known - {*remove}) | {*add})
    added, removed = sorted(after - issue.label_ids), sorted(known - after)
    if not added and not removed:
        return [], []
    if len(after) > MAX_LABELS:
        raise PreconditionFailed(f"An issue has at most {MAX_LABELS} labels.", hint="Remove one first.")
    change.set(label_ids=after)
    change.announce(ISSUE_LABELLED, LabelsChanged(add=added, remove=removed), action="setLabels")
    return added, removed


def require_labels(names: Names, label_ids: Iterable[str], *, field: str) -> None:
    for label_id in label_ids:
        if names.label(label_id) is None:
            raise unknown(Kind.LABEL, field, label_id)
