"""What accepting a request does to its issue: for each kind, the rule that the tool of the same effect uses.

What is to be read is asked for first (`needs`), then the change is decided (`apply`), and what goes along
with it is written (`write`). A kind that is not here changes nothing: it is answered.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from forge.auth import narrowing
from forge.errors import Conflict
from forge.store.keys import Key
from forge.store.transactions import Transaction
from forge.work.issues import assignments, heads
from forge.work.issues.changes import IssueChange
from forge.work.issues.desks import Desk, Reference
from forge.work.issues.edits import labelling, transitions
from forge.work.issues.edits.people import assign_people
from forge.work.issues.issues import IssueItem
from forge.work.issues.relations import relations, settling
from forge.work.issues.relations.relations import RelationKind
from forge.work.plans.requests.requests import BoundAction, RequestItem, RequestKind
from forge.work.workspace.labels import LabelItem
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.people.names import keys_of
from forge.work.workspace.statuses import StatusCopy
from functions.action_requests import archiving
from functions.action_requests.opening import Opened

ThingT = TypeVar("ThingT")


@dataclass(slots=True)
class Needs:
    """What an effect is decided on besides what every change of an issue is."""

    keys: list[Key] = field(default_factory=list)
    issue_ids: list[str] = field(default_factory=list)
    duplicated: IssueItem | None = None
    """The issue that this one duplicates, unless it is known to already."""


@dataclass(frozen=True, slots=True)
class Following:
    """What goes along with a change, in its transaction."""

    labels_added: Iterable[str] = ()
    labels_removed: Iterable[str] = ()
    duplicated: IssueItem | None = None


def needs(opened: Opened) -> Needs:
    desk, action = opened.issue_desk, opened.request.payload or BoundAction()
    issue, workspace_id = desk.issue, opened.request.workspace_id
    match opened.request.kind:
        case RequestKind.TRANSITION:
            return _of_move(desk, action)
        case RequestKind.SET_LABELS:
            given = [LabelItem.at(workspace_id, one) for one in (*action.add, *action.remove)]
            return Needs([*given, *keys_of(issue)])
        case RequestKind.ASSIGN:
            return Needs([MemberItem.at(workspace_id, user_id) for user_id in action.user_ids])
        case RequestKind.ASSIGN_AGENT:
            return Needs(assignments.needs(issue, str(action.agent_id)))
        case RequestKind.ARCHIVE:
            wanted = [*keys_of(issue), *archiving.runs_to_end(issue)]
            return Needs(wanted, archiving.issues_to_settle(issue))
        case RequestKind.CLOSE_AS_DUPLICATE:
            found = _of_move(desk, action) if action.status_id else Needs()
            found.duplicated = _duplicated(opened, str(action.duplicate_of_issue_id))
            return found
        case _:
            return Needs()


def apply(change: IssueChange, request: RequestItem, needed: Needs) -> Following:
    """What the request asks for happens to its issue; what is so already stays as it is."""
    action = request.payload or BoundAction()
    match request.kind:
        case RequestKind.TRANSITION:
            _move(change, request, action)
        case RequestKind.SET_LABELS:
            return _relabel(change, action)
        case RequestKind.ASSIGN:
            for user_id in action.user_ids:
                _require(change.desk.names.member(user_id), "A person whom it names")
            assign_people(change, action.user_ids, by_request_id=request.id)
        case RequestKind.ASSIGN_AGENT:
            agent = _require(change.desk.names.agent(action.agent_id), "The agent")
            assignments.require_available(agent)
            if change.issue.assigned_agent_id != agent.id:
                assignments.assign(change, agent)
        case RequestKind.ARCHIVE:
            return Following(labels_removed=archiving.archive(change, by_request_id=request.id))
        case RequestKind.CLOSE_AS_DUPLICATE:
            if action.status_id:
                _move(change, request, action)
            return Following(duplicated=needed.duplicated)
    return Following()


def write(tx: Transaction, change: IssueChange, following: Following) -> None:
    """Before the change itself is saved, which may tell of this as well."""
    workspace_id = change.issue.workspace_id
    heads.count_labels(tx, workspace_id, added=following.labels_added, removed=following.labels_removed)
    other = following.duplicated
    if other is not None:
        relation = relations.new(tx, RelationKind.DUPLICATES, issue_id=change.issue.id, other_id=other.id)
        relations.add(tx, relation)
        settling.settle(change, relation, other, is_added=True)


def _of_move(desk: Desk, action: BoundAction) -> Needs:
    status = _status(desk, action)
    wanted = transitions.runs_to_end(desk.issue, status)
    return Needs(wanted, transitions.issues_to_settle(desk.issue, status))


def _move(change: IssueChange, request: RequestItem, action: BoundAction) -> None:
    status = _status(change.desk, action)
    if status.id != change.issue.status_id:
        transitions.move(change, status, by_request_id=request.id)


def _status(desk: Desk, action: BoundAction) -> StatusCopy:
    return _require(desk.workspace.status(str(action.status_id)), "The status")


def _relabel(change: IssueChange, action: BoundAction) -> Following:
    names = change.desk.names
    for label_id in action.add:
        _require(names.label(label_id), "A label that it adds")
    added, removed = labelling.relabel(change, add=action.add, remove=action.remove)
    issue, caller = change.issue, change.desk.ctx.caller
    narrowing.require_within(caller, project_id=issue.project_id, label_ids=issue.label_ids)
    return Following(labels_added=added, labels_removed=removed)


def _duplicated(opened: Opened, other_id: str) -> IssueItem | None:
    """The other issue, if both have room for one more relation; None where it is related so already."""
    ctx, readings, gone = opened.ctx, opened.readings, _gone("The issue that it names")
    subject = relations.open_end(ctx, Reference(opened.issue_desk.issue.id), missing=gone, readings=readings)
    if subject.find(RelationKind.DUPLICATES, other_id):
        return None
    other = relations.open_end(ctx, Reference(other_id), missing=gone, readings=readings)
    for end in (subject, other):
        relations.require_room(end.desk.names.identifier(end.issue.number), end.relations)
    return other.issue


def _require(thing: ThingT | None, what: str) -> ThingT:
    if thing is None:
        raise _gone(what)
    return thing


def _gone(what: str) -> Conflict:
    return Conflict(
        f"{what} is not there any more, so this request can't be accepted.", hint="Decline it, and ask anew."
    )
