"""Names as people know them: read for an answer, never copied onto issues, so that renaming is one write."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Protocol

from forge.store.keys import Key
from forge.store.readings import Readings
from forge.work.workspace.labels import LabelItem
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.projects.projects import ProjectItem
from forge.work.workspace.workspaces import WorkspaceItem

MAX_NAMES = 99
"""With the settings, what one request can read."""


class Names:
    """Those of the named things that were read; what is gone has no name, and what was not read raises."""

    __slots__ = ("_readings", "workspace")

    def __init__(self, workspace: WorkspaceItem, readings: Readings) -> None:
        self.workspace = workspace
        self._readings = readings

    def identifier(self, number: int) -> str:
        return f"{self.workspace.key_prefix}-{number}"

    def project(self, project_id: str | None) -> ProjectItem | None:
        if project_id is None:
            return None
        return self._readings.find(ProjectItem, ProjectItem.at(self.workspace.id, project_id))

    def agent(self, agent_id: str | None) -> AgentItem | None:
        if agent_id is None:
            return None
        return self._readings.find(AgentItem, AgentItem.at(self.workspace.id, agent_id))

    def label(self, label_id: str) -> LabelItem | None:
        return self._readings.find(LabelItem, LabelItem.at(self.workspace.id, label_id))

    def member(self, user_id: str | None) -> MemberItem | None:
        if user_id is None:
            return None
        return self._readings.find(MemberItem, MemberItem.at(self.workspace.id, user_id))


class Named(Protocol):
    """Whatever is shown with the names of its labels, its project and its agent."""

    @property
    def workspace_id(self) -> str: ...
    @property
    def label_ids(self) -> frozenset[str]: ...
    @property
    def project_id(self) -> str | None: ...
    @property
    def assigned_agent_id(self) -> str | None: ...


class Peopled(Protocol):
    """Whatever is shown with its author and those it is assigned to."""

    @property
    def workspace_id(self) -> str: ...
    @property
    def author_id(self) -> str | None: ...
    @property
    def assignee_ids(self) -> frozenset[str]: ...


def keys_of(issue: Named) -> list[Key]:
    """What has to be read to show an issue in a list."""
    workspace_id = issue.workspace_id
    wanted = [LabelItem.at(workspace_id, label_id) for label_id in sorted(issue.label_ids)]
    if issue.project_id:
        wanted.append(ProjectItem.at(workspace_id, issue.project_id))
    if issue.assigned_agent_id:
        wanted.append(AgentItem.at(workspace_id, issue.assigned_agent_id))
    return wanted


def people_of(issue: Peopled) -> list[Key]:
    """The people of an issue, for where it is shown in full."""
    people = {issue.author_id, *issue.assignee_ids} - {None}
    return [MemberItem.at(issue.workspace_id, str(user_id)) for user_id in sorted(map(str, people))]


def how_many_fit(wanted: Sequence[Iterable[Hashable]], *, most: int = MAX_NAMES) -> int:
    """How many rows, from the first, can have their names read in one request; always at least one."""
    needed: set[Hashable] = set()
    for place, row in enumerate(wanted):
        needed.update(row)
        if len(needed) > most and place:
            return place
    return len(wanted)
