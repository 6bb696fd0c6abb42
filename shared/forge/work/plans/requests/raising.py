"""Raising a request, by itself or with a comment: what it refers to is looked up, and must be there."""

from collections.abc import Iterable
from typing import NamedTuple

from forge.context import Context
from forge.contract.references import Kind
from forge.errors import InvalidInput
from forge.store.keys import Key
from forge.store.transactions import Transaction
from forge.work.content.references.resolving import id_meant
from forge.work.issues import assignments
from forge.work.issues.changes import IssueChange
from forge.work.issues.desks import Desk, Reference, find_id, unknown_reference
from forge.work.issues.edits import labelling, transitions
from forge.work.issues.runs import modes
from forge.work.issues.runs.waking import Reason, WakeCall
from forge.work.plans.requests import requests
from forge.work.plans.requests.announcements import REQUEST_RAISED, RequestRaised
from forge.work.plans.requests.asking import Ask, action_of, options_of
from forge.work.plans.requests.deciding import shown_hash
from forge.work.plans.requests.requests import (
    BoundAction,
    Option,
    RequestItem,
    RequestKind,
    RequestTextItem,
    beginning,
)
from forge.work.record.changes import About
from forge.work.record.log.events import record
from forge.work.record.log.rows import Wake
from forge.work.workspace.labels import LabelItem
from forge.work.workspace.meanings import unknown
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.people.names import Names


class WantedRequest(NamedTuple):
    """What is asked for, with ids wherever a name was said; whether they lead anywhere is not known yet."""

    ask: Ask
    action: BoundAction | None
    options: list[Option]
    user_id: str | None
    agent_id: str | None
    within: str

    @property
    def others(self) -> list[Reference]:
        """The issue that another is said to be a duplicate of."""
        other_id = self.action.duplicate_of_issue_id if self.action else None
        return [Reference(other_id)] if other_id else []


class Raised(NamedTuple):
    request: RequestItem
    texts: RequestTextItem
    told_agent: AgentItem | None


def look_up(ctx: Context, ask: Ask, *, within: str = "") -> WantedRequest:
    """Names become ids: nothing is read where ids were given."""

    def meant(kind: Kind, field: str, given: Iterable[str]) -> list[str]:
        return [id_meant(ctx, kind, f"{within}{field}", one) for one in given]

    options = options_of(ask.options, within=within)
    action = action_of(ask.kind, ask.payload, within=within)
    if action is not None:
        agents = [action.agent_id] if action.agent_id else []
        other = action.duplicate_of_issue_id
        action = action.model_copy(
            update={
                "add": meant(Kind.LABEL, "payload.add", action.add),
                "remove": meant(Kind.LABEL, "payload.remove", action.remove),
                "user_ids": meant(Kind.PERSON, "payload.userIds", action.user_ids),
                "agent_id": next(iter(meant(Kind.AGENT, "payload.agentId", agents)), None),
                "duplicate_of_issue_id": find_id(ctx, other) if other else None,
            }
        )
    people = [ask.assigned_user_id] if ask.assigned_user_id else []
    told = [ask.assigned_agent_id] if ask.assigned_agent_id else []
    user_id = next(iter(meant(Kind.PERSON, "assignedUserId", people)), None)
    agent_id = next(iter(meant(Kind.AGENT, "assignedAgentId", told)), None)
    return WantedRequest(ask, action, options, user_id, agent_id, within)


def needs(workspace_id: str, wanted: WantedRequest) -> list[Key]:
    """What has to be read to tell whether all that it refers to is there."""
    action = wanted.action or BoundAction()
    people = [*action.user_ids, *([wanted.user_id] if wanted.user_id else [])]
    agents = [one for one in (action.agent_id, wanted.agent_id) if one]
    return [
        *(MemberItem.at(workspace_id, user_id) for user_id in people),
        *(AgentItem.at(workspace_id, agent_id) for agent_id in agents),
        *(LabelItem.at(workspace_id, label_id) for label_id in (*action.add, *action.remove)),
    ]


def raised(
    ctx: Context,
    wanted: WantedRequest,
    known: Desk | Names,
    *,
    source: tuple[str | None, str | None],
    source_state: str = "",
) -> Raised:
    """The request as it begins, on a desk if it is about an issue; everything that it refers to is there."""
    ask, caller = wanted.ask, ctx.caller
    desk, names = (known, known.names) if isinstance(known, Desk) else (None, known)
    agent = _require_addressees(wanted, names)
    action = _bound(wanted, names, desk) if wanted.action and desk else None
    request = RequestItem(
        workspace_id=caller.workspace_id,
        id=ctx.new_id("ar"),
        title=ask.title,
        body=beginning(ask.body),
        severity=ask.severity,
        kind=ask.kind,
        payload=action,
        options=[Option(key=one.key, label=one.label) for one in wanted.options],
        requested_by_user_id=None if caller.agent_id else caller.user_id,
        requested_by_agent_id=caller.agent_id,
        assigned_user_id=wanted.user_id,
        assigned_agent_id=wanted.agent_id,
        source_type=source[0],
        source_id=source[1],
        issue_id=desk.issue.id if desk else None,
        due_at=ask.due_at,
        shown_hash="",
        created_at=ctx.now(),
    )
    texts = _texts_of(wanted, request)
    return Raised(
        request.changed(shown_hash=shown_hash(request, texts, source_state=source_state)), texts, agent
    )


def _texts_of(wanted: WantedRequest, request: RequestItem) -> RequestTextItem:
    return RequestTextItem(
        workspace_id=request.workspace_id,
        request_id=request.id,
        body=wanted.ask.body or None,
        options=wanted.options,
    )


def announce(change: IssueChange, one: Raised) -> None:
    """As part of a change of its issue: an agent that it is for is called, and who asks is heard of."""
    request, agent, asker = one.request, one.told_agent, change.caller_agent_id
    own = change.before.run_at_work_of(asker) if asker else None
    if own in change.issue.live_runs and not change.heard:
        change.work_on()
    calls = []
    if agent:
        engagement = modes.for_mention(change.desk.workspace, agent, change.issue, "")
        calls = [WakeCall(agent.id, Reason.MENTIONED, engagement)]
    about = About(request.id, None, request)
    change.announce(REQUEST_RAISED, _told(request), action="raise", calls=calls, is_quiet=True, about=about)


def add(tx: Transaction, one: Raised) -> None:
    requests.add(tx, one.request, one.texts)


def add_alone(tx: Transaction, one: Raised) -> None:
    """One that is about no issue, with its event."""
    add(tx, one)
    caller_id = tx.origin.caller.agent_id
    wakes = [Wake(agent_id=one.told_agent.id)] if one.told_agent and one.told_agent.id != caller_id else []
    record(
        tx,
        REQUEST_RAISED,
        _told(one.request),
        subject_id=one.request.id,
        action="raise",
        after=one.request,
        wakes=wakes,
    )


def _told(request: RequestItem) -> RequestRaised:
    more: dict[str, object] = {"option_keys": request.option_keys} if request.is_poll else {}
    more |= {"due_at": request.due_at} if request.due_at else {}
    names = RequestRaised.model_fields.keys() - {"option_keys", "due_at"}
    return RequestRaised.model_validate({name: getattr(request, name) for name in names} | more)


def _require_addressees(wanted: WantedRequest, names: Names) -> AgentItem | None:
    if wanted.user_id and names.member(wanted.user_id) is None:
        raise unknown(Kind.PERSON, f"{wanted.within}assignedUserId", wanted.user_id)
    if wanted.agent_id is None:
        return None
    return _available(names, wanted.agent_id, field=f"{wanted.within}assignedAgentId")


def _available(names: Names, agent_id: str, *, field: str) -> AgentItem:
    agent = names.agent(agent_id)
    if agent is None:
        raise unknown(Kind.AGENT, field, agent_id)
    assignments.require_available(agent)
    return agent


def _bound(wanted: WantedRequest, names: Names, desk: Desk) -> BoundAction:
    """With the status's id; whatever else it names is there."""
    action, field = wanted.action or BoundAction(), f"{wanted.within}payload."
    labelling.require_labels(names, action.add, field=f"{field}add")
    labelling.require_labels(names, action.remove, field=f"{field}remove")
    for user_id in action.user_ids:
        if names.member(user_id) is None:
            raise unknown(Kind.PERSON, f"{field}userIds", user_id)
    if action.agent_id:
        _available(names, action.agent_id, field=f"{field}agentId")
    if wanted.ask.kind is RequestKind.CLOSE_AS_DUPLICATE:
        _require_other(desk, str(action.duplicate_of_issue_id), field=f"{field}duplicateOfIssueId")
    if action.status_id is None:
        return action
    status = transitions.status_of(names.workspace, action.status_id, field=f"{field}statusId")
    return action.model_copy(update={"status_id": status.id})


def _require_other(desk: Desk, other_id: str, *, field: str) -> None:
    if other_id == desk.issue.id:
        raise InvalidInput("An issue is no duplicate of itself.", issues={field: "Name another issue."})
    if desk.visible(other_id) is None:
        raise unknown_reference(field, other_id)
