"""The one door to a request by its id: it is there, and about no issue or one that the caller may see."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from forge.context import Caller, Context
from forge.errors import Conflict, NotFound
from forge.store.keys import Key
from forge.store.readings import Readings
from forge.work.issues.desks import Desk, open_issue, settings_key
from forge.work.issues.pages.sights import require_unnarrowed
from forge.work.issues.watchers import WatchItem
from forge.work.plans.approvals import approvals
from forge.work.plans.requests.requests import (
    RequestItem,
    RequestTextItem,
    find_whole,
    keys_of_request,
    no_such_request,
)
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.members import MemberItem
from functions.action_requests import pipeline_answers

Beside = Callable[[RequestItem], Iterable[Key]]


@dataclass(frozen=True, slots=True)
class Opened:
    """A request with its texts, and its issue on a desk; no desk where it has none, or none any more."""

    ctx: Context
    request: RequestItem
    texts: RequestTextItem
    readings: Readings
    desk: Desk | None

    @property
    def is_watching(self) -> bool:
        """Whether the caller, a person, watches the issue."""
        caller, issue_id = self.ctx.caller, self.request.issue_id
        if caller.user_id is None or issue_id is None or self.desk is None:
            return False
        return self.desk.has(WatchItem.at(caller.workspace_id, issue_id, caller.user_id))

    @property
    def member(self) -> MemberItem | None:
        """Who decides, if it is a person."""
        if self.ctx.caller.user_id is None:
            return None
        key = MemberItem.at(self.request.workspace_id, str(self.ctx.caller.user_id))
        return self.readings.find(MemberItem, key)

    @property
    def asking_agent(self) -> AgentItem | None:
        agent_id = self.request.requested_by_agent_id
        if agent_id is None:
            return None
        return self.readings.find(AgentItem, AgentItem.at(self.request.workspace_id, agent_id))

    @property
    def issue_desk(self) -> Desk:
        """Of a request that changes its issue."""
        if self.desk is None:
            raise Conflict("The issue of this request was archived.", hint="Decline the request instead.")
        return self.desk


def open_request(
    ctx: Context, request_id: str, *, first: Iterable[Key] = (), beside: Beside = lambda _: ()
) -> Opened:
    """A request with what it is decided on; two requests. `first` and `beside` are read with each."""
    workspace_id = ctx.caller.workspace_id
    places = keys_of_request(workspace_id, request_id)
    known = ctx.table.read([*places, settings_key(ctx), *first])
    found = find_whole(known, workspace_id, request_id)
    if found is None:
        raise no_such_request(request_id)
    request, texts = found[0].as_of(ctx.now()), found[1]
    wanted = [*_decided_on(ctx.caller, request), *beside(request)]
    desk = _issue_of(ctx, request, wanted, known)
    known.fetch(wanted)
    return Opened(ctx, request, texts, known, desk)


def _issue_of(ctx: Context, request: RequestItem, wanted: Iterable[Key], known: Readings) -> Desk | None:
    if request.issue_id is None:
        require_unnarrowed(ctx.caller, "request")
        return None
    try:
        return open_issue(ctx, request.issue_id, lambda _: wanted, readings=known)
    except NotFound:
        # Archived since: what is asked can still be looked at and declined.
        require_unnarrowed(ctx.caller, "request")
        return None


def _decided_on(caller: Caller, request: RequestItem) -> list[Key]:
    """Whether the caller may decide, as whom, and who asked."""
    workspace_id, wanted = request.workspace_id, []
    if caller.user_id:
        wanted.append(MemberItem.at(workspace_id, caller.user_id))
        if request.issue_id:
            wanted.append(WatchItem.at(workspace_id, request.issue_id, caller.user_id))
    if request.requested_by_agent_id:
        wanted.append(AgentItem.at(workspace_id, request.requested_by_agent_id))
    return [*wanted, *pipeline_answers.keys_of(request), *approvals.keys_of(request)]


def source_state(opened: Opened) -> str:
    """How what the request was made from stands now, because a yes is one to that, too.

    Comments and whatever else callers name as a source have nothing to be agreed to.
    """
    plan = approvals.plan_in(opened.readings, opened.request)
    return approvals.state_of(plan) if plan else pipeline_answers.state_of(opened.readings, opened.request)
