"""Names as people know them: read for an answer, never copied onto issues, so that renaming is one write."""

from collections.abc import Iterable, Mapping, Sequence

from forge.store.keys import Key
from forge.store.table import Attributes
from forge.work.issues.issues import IssueItem
from forge.work.people import people_keys
from forge.work.people.agents import AgentItem
from forge.work.people.members import MemberItem
from forge.work.planning import planning_keys
from forge.work.planning.projects import ProjectItem
from forge.work.workspaces import workspace_keys
from forge.work.workspaces.labels import LabelItem
from forge.work.workspaces.workspaces import WorkspaceItem

MAX_NAMES = 99
"""With the settings, what one request can read."""


class Names:
    """Whatever of the named things has been read; what has not, or is gone, has no name."""

    __slots__ = ("_rows", "workspace")

    def __init__(self, workspace: WorkspaceItem, rows: Mapping[Key, Attributes]) -> None:
        self.workspace = workspace
        self._rows = rows

    def identifier(self, number: int) -> str:
        return f"{self.workspace.key_prefix}-{number}"

    def project(self, project_id: str | None) -> ProjectItem | None:
        key = planning_keys.project(self.workspace.id, project_id or "")
        return ProjectItem.from_attributes(self._rows[key]) if key in self._rows else None

    def agent(self, agent_id: str | None) -> AgentItem | None:
        key = people_keys.agent(self.workspace.id, agent_id or "")
        return AgentItem.from_attributes(self._rows[key]) if key in self._rows else None

    def label(self, label_id: str) -> LabelItem | None:
        key = workspace_keys.label(self.workspace.id, label_id)
        return LabelItem.from_attributes(self._rows[key]) if key in self._rows else None

    def member(self, user_id: str | None) -> MemberItem | None:
        key = people_keys.member(self.workspace.id, user_id or "")
        return MemberItem.from_attributes(self._rows[key]) if key in self._rows else None


def keys_of(issue: IssueItem) -> list[Key]:
    """What has to be read to show an issue in a list."""
    workspace_id = issue.workspace_id
    wanted = [workspace_keys.label(workspace_id, label_id) for label_id in sorted(issue.label_ids)]
    if issue.project_id:
        wanted.append(planning_keys.project(workspace_id, issue.project_id))
    if issue.assigned_agent_id:
        wanted.append(people_keys.agent(workspace_id, issue.assigned_agent_id))
    return wanted


def people_of(issue: IssueItem) -> list[Key]:
    """The people of an issue, for where it is shown in full."""
    people = {issue.author_id, issue.claimed_by_id, *issue.assignee_ids} - {None}
    agents = {issue.author_agent_id, issue.claimed_by_agent_id} - {None}
    return [
        *(people_keys.member(issue.workspace_id, str(user_id)) for user_id in sorted(map(str, people))),
        *(people_keys.agent(issue.workspace_id, str(agent_id)) for agent_id in sorted(map(str, agents))),
    ]


def how_many_fit(wanted: Sequence[Iterable[Key]], *, most: int = MAX_NAMES) -> int:
    """How many rows, from the first, can have their names read in one request; always at least one."""
    needed: set[Key] = set()
    for place, row in enumerate(wanted):
        needed.update(row)
        if len(needed) > most and place:
            return place
    return len(wanted)
