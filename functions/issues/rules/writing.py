"""A new issue, and an edit of one: what is asked for, what of it is really new, and what follows."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from forge.contract.references import Kind
from forge.errors import Conflict, InvalidInput, PreconditionFailed
from forge.work.content.comments.comments import preview
from forge.work.issues import assignments
from forge.work.issues.announcements import (
    ISSUE_EDITED,
    ISSUE_PRIORITIZED,
    IssueEdited,
    PriorityChanged,
)
from forge.work.issues.changes import IssueChange
from forge.work.issues.issues import ChecklistItem, IssueItem, Priority
from forge.work.issues.runs import modes
from forge.work.issues.runs.waking import Reason, WakeCall
from forge.work.workspace.meanings import unknown
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.projects.projects import ProjectItem

OF_HEAD = (
    "title",
    "priority",
    "project_id",
    "cycle_id",
    "parent_id",
    "due_date",
    "estimate",
    "artifact_required",
    "sla_minutes",
)
TEXTS = ("description", "expected_output")
_URGENT = frozenset({Priority.HIGH, Priority.URGENT})
MAX_ABOVE = 20
"""Issues above one another: each is a request of its own when the line is walked up."""
_MAX_CHECKLIST = 100_000
_SHOWN_IDS = 5
_SHOWN_OF_ID = 60


@dataclass(frozen=True, slots=True)
class Edit:
    """What an edit asks for that is really new."""

    head: Mapping[str, Any]
    texts: Mapping[str, str | None]
    checklist: list[ChecklistItem] | None

    @property
    def told(self) -> IssueEdited:
        """A long text is told only by its beginning, a checklist by its labels."""
        told = {name: preview(text) if text else None for name, text in self.texts.items()}
        labels = (
            {}
            if self.checklist is None
            else {"verification_checklist": [one.label for one in self.checklist]}
        )
        return IssueEdited(**self.head, **told, **labels)

    @property
    def is_empty(self) -> bool:
        return not self.head and not self.texts and self.checklist is None


def edit_of(
    issue: IssueItem,
    given: Mapping[str, Any],
    *,
    texts: Mapping[str, str | None],
    checklist: Sequence[ChecklistItem],
) -> Edit:
    """What of the given fields differs from what the issue, its texts and its checklist are now."""
    head = {name: given[name] for name in OF_HEAD if name in given and getattr(issue, name) != given[name]}
    new_texts = {name: given[name] or None for name in TEXTS if name in given}
    changed = {name: text for name, text in new_texts.items() if text != texts[name]}
    wanted = checklist_of(given) if "verification_checklist" in given else None
    return Edit(head, changed, wanted if wanted is not None and wanted != list(checklist) else None)


def checklist_of(given: Mapping[str, Any]) -> list[ChecklistItem]:
    """As it is asked for, if it is not too long to be kept, and its items can be told apart."""
    wanted = [ChecklistItem.model_validate(one) for one in given["verification_checklist"] or []]
    _require_size(wanted)
    _require_own_ids(wanted)
    return wanted


def edit(change: IssueChange, made: Edit) -> None:
    before = change.issue
    change.set(**made.head)
    change.announce(ISSUE_EDITED, made.told, action="update")
    if before.priority is not change.issue.priority:
        told = PriorityChanged(from_=before.priority, to=change.issue.priority)
        change.announce(ISSUE_PRIORITIZED, told, action="prioritize", calls=_calls(change))


def require_project(project: ProjectItem | None, given: str) -> None:
    if project is None:
        raise unknown(Kind.PROJECT, "projectId", given)
    if project.archived:
        raise Conflict("This project was archived.", hint="Choose another, or unarchive it.")


def require_agent(agent: AgentItem | None, given: str) -> None:
    if agent is None:
        raise unknown(Kind.AGENT, "assignedAgentId", given)
    assignments.require_available(agent)


def require_parent(issue: IssueItem, parent: IssueItem) -> IssueItem:
    if parent.id == issue.id:
        raise InvalidInput("An issue can't be its own parent.", issues={"parentId": "Name another issue."})
    return parent


def require_no_circle(issue: IssueItem, line: Sequence[IssueItem]) -> None:
    """The line is the new parent and what is above it, the nearest first."""
    if any(one.id == issue.id for one in line):
        raise Conflict("That issue is a part of this one.", hint="Clear its parentId first.")
    if len(line) > MAX_ABOVE:
        raise PreconditionFailed(
            f"That issue has {MAX_ABOVE} or more issues above it, which is as deep as parts can be nested.",
            hint="Choose a parent that stands higher.",
        )


def _calls(change: IssueChange) -> list[WakeCall]:
    """What has become urgent is told to whoever has it, as work and not as news."""
    issue = change.issue
    # On a closed issue there is nothing to do, however urgent it would be.
    if issue.priority not in _URGENT or not issue.is_open:
        return []
    agent = change.desk.names.agent(issue.assigned_agent_id)
    if agent is None:
        return []
    return [WakeCall(agent.id, Reason.ASSIGNED, modes.for_assignee(change.desk.workspace, agent, issue))]


def _require_size(checklist: Sequence[ChecklistItem]) -> None:
    if sum(len(item.model_dump_json().encode()) for item in checklist) > _MAX_CHECKLIST:
        raise InvalidInput(
            "The checklist is too long.", issues={"verificationChecklist": "At most 100 KB in all."}
        )


def _require_own_ids(checklist: Sequence[ChecklistItem]) -> None:
    """A result is reported under an id: one for two items would say of both that they are verified."""
    often = Counter(item.id for item in checklist if item.id is not None)
    shared = [repr(one[:_SHOWN_OF_ID]) for one, count in often.items() if count > 1]
    if shared:
        raise InvalidInput(
            "Items of the checklist share an id.",
            issues={
                "verificationChecklist": f"More than one item has the id {', '.join(shared[:_SHOWN_IDS])}: "
                "give each its own, or none."
            },
        )
