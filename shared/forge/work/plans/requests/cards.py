"""A request as whoever decides it needs it: what a yes will do, and what happened since it was asked."""

from collections.abc import Callable, Iterable
from datetime import timedelta

from forge.store.keys import Key
from forge.work.issues.issues import IssueItem
from forge.work.plans.requests.requests import BoundAction, RequestItem, RequestKind
from forge.work.workspace.labels import LabelItem
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.people.names import Names

FindIssue = Callable[[str], IssueItem | None]

_ONE_CALL = timedelta(seconds=30)
"""No call takes longer: what asked touched the issue as well, a little later."""


def names_of(request: RequestItem) -> list[Key]:
    """Whose names a card shows."""
    workspace_id, action = request.workspace_id, request.payload or BoundAction()
    people = [*action.user_ids, request.requested_by_user_id, request.assigned_user_id]
    agents = [action.agent_id, request.requested_by_agent_id, request.assigned_agent_id]
    return [
        *(MemberItem.at(workspace_id, one) for one in people if one),
        *(AgentItem.at(workspace_id, one) for one in agents if one),
        *(LabelItem.at(workspace_id, one) for one in (*action.add, *action.remove)),
    ]


def called(names: Names, *, user_id: str | None, agent_id: str | None) -> str | None:
    """`@worker`, `@ada`; the id of who has neither name nor handle any more."""
    if agent_id:
        agent = names.agent(agent_id)
        return f"@{agent.profile_key}" if agent else agent_id
    if user_id:
        member = names.member(user_id)
        handle = f"@{member.handle}" if member and member.handle else None
        return handle or (member.name if member else None) or user_id
    return None


def effect_of(request: RequestItem, names: Names, find: FindIssue) -> str:
    """What accepting does, in a sentence."""
    action = request.payload or BoundAction()
    which = _identifier(request.issue_id, names, find)
    match request.kind:
        case RequestKind.TRANSITION:
            return f"Moves {which} to {_status(action, names)}."
        case RequestKind.SET_LABELS:
            return f"Changes the labels of {which}: {_labels(action, names)}."
        case RequestKind.ASSIGN:
            people = (called(names, user_id=one, agent_id=None) for one in action.user_ids)
            return f"Makes {which} the issue of {_listed(people)}, and of nobody else."
        case RequestKind.ASSIGN_AGENT:
            agent = called(names, user_id=None, agent_id=action.agent_id)
            return f"Gives {which} to {agent}, who begins to work on it."
        case RequestKind.ARCHIVE:
            return f"Archives {which}: no list shows it any more, and its runs end."
        case RequestKind.CLOSE_AS_DUPLICATE:
            other = _identifier(action.duplicate_of_issue_id, names, find)
            moved = f", and moves it to {_status(action, names)}" if action.status_id else ""
            return f"Marks {which} as a duplicate of {other}{moved}."
        case _:
            return "Changes nothing by itself; your words go to whoever asked."


def since(request: RequestItem, issue: IssueItem | None, names: Names) -> list[str]:
    """What happened to the issue since the request was made, for the person who decides."""
    if issue is None:
        return []
    action, found = request.payload or BoundAction(), []
    if issue.updated_at - request.created_at > _ONE_CALL:
        found.append(f"{names.identifier(issue.number)} changed after this was asked.")
    if not issue.is_open:
        found.append(f"{names.identifier(issue.number)} is closed.")
    if action.status_id and action.status_id == issue.status_id:
        found.append("It is in that status already.")
    if action.agent_id:
        agent = names.agent(action.agent_id)
        if agent is None or agent.archived_at is not None:
            found.append("That agent was archived.")
        if action.agent_id == issue.assigned_agent_id:
            found.append("That agent has it already.")
    if any(names.label(label_id) is None for label_id in (*action.add, *action.remove)):
        found.append("A label that it names was deleted.")
    return found


def _identifier(issue_id: str | None, names: Names, find: FindIssue) -> str:
    issue = find(issue_id) if issue_id else None
    return names.identifier(issue.number) if issue else "an issue that is not there any more"


def _status(action: BoundAction, names: Names) -> str:
    status = names.workspace.status(str(action.status_id))
    return status.name if status else "a status that is not there any more"


def _labels(action: BoundAction, names: Names) -> str:
    def named(label_id: str) -> str:
        label = names.label(label_id)
        return label.name if label else "a deleted label"

    words = [f"+{named(one)}" for one in action.add]
    return _listed([*words, *(f"-{named(one)}" for one in action.remove)])


def _listed(words: Iterable[str | None]) -> str:
    return ", ".join(str(word) for word in words)
