"""What an agent has to be told of a thread or of a request of its own, short enough to be read."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from forge.context import Context
from forge.contract.models import Model, Omittable
from forge.store.keys import Key
from forge.work.content.chat import threads
from forge.work.content.chat.messages import ChatRole, MessageItem
from forge.work.content.chat.threads import OF_THREAD, ChatContextMode, ThreadItem
from forge.work.content.chat.views import message_view, snapshot_of
from forge.work.issues.desks import Reach, Reference, read_issues, settings_key
from forge.work.issues.identifiers import ReferenceItem
from forge.work.issues.issues import IssueItem
from forge.work.issues.pages import sizes
from forge.work.issues.pages.sights import is_narrowed, require_unnarrowed
from forge.work.issues.pages.sizes import fewer
from forge.work.issues.views import brief_of
from forge.work.overviews.bundles.fitting import beginning_of
from forge.work.overviews.bundles.views import BundledWorkspace, RelatedIssue
from forge.work.plans.requests.requests import (
    RequestItem,
    RequestTextItem,
    find_whole,
    keys_of_request,
    no_such_request,
)
from forge.work.workspace.people.agents import AgentItem, AgentProvider, AgentStatus, PulseItem
from functions.agent import links

MAX_MESSAGES = 50

_MAX_BODY = 8_000
_ROOM_FOR_HIDDEN = 20
"""Messages that the agent was not told of yet are read along, and left out."""
_ROOM_TO_SAY_SO = 100


class BundledThread(Model):
    id: str
    agent_id: str
    user_id: str
    title: Omittable[str] = None
    topic: Omittable[str] = None
    is_default: bool
    context_mode: ChatContextMode
    summary_markdown: Omittable[str] = None
    last_message_at: datetime
    created_at: datetime
    archived_at: Omittable[datetime] = None


class BundledMessage(Model):
    id: str
    role: ChatRole
    body: str
    body_truncated: Omittable[bool] = None
    context_snapshot: Omittable[dict[str, Any]] = None
    source_run_id: Omittable[str] = None
    finalized_draft_id: Omittable[str] = None
    created_at: datetime


class BundledAgent(Model):
    id: str
    profile_key: str
    name: str
    status: AgentStatus
    provider: AgentProvider


class ThreadBundle(Model):
    """All about a thread. What was too long to be sent is cut, and a field of its own says so."""

    workspace: BundledWorkspace
    thread: BundledThread
    messages: list[BundledMessage]
    messages_truncated: Omittable[bool] = None
    agent: BundledAgent | None
    linked_issues: list[RelatedIssue]


class _Conversation(NamedTuple):
    thread: ThreadItem
    messages: list[MessageItem]
    """The newest first."""
    has_more: bool


def thread_bundle(ctx: Context, thread_id: str) -> ThreadBundle:
    """Three requests at most: the thread, what it refers to, and issues that it names by identifiers."""
    talk = _read(ctx, thread_id)
    linked = links.links_in(snapshot for one in talk.messages if (snapshot := snapshot_of(one)))
    places = {one: _place(ctx, one) for one in linked.identifiers}
    beside = [settings_key(ctx), *_keys_of_agent(talk.thread), *places.values()]
    reach = read_issues(ctx, linked.ids, also=beside)
    named = _named(reach, places)
    read_issues(ctx, named, readings=reach.readings)
    issues = [reach.find(issue_id) for issue_id in dict.fromkeys([*linked.ids, *named])]
    workspace = reach.names.workspace
    bundle = ThreadBundle(
        workspace=BundledWorkspace.of(workspace, key=workspace.key_prefix),
        thread=BundledThread.of(talk.thread),
        messages=[_message(ctx, one) for one in reversed(talk.messages)],
        messages_truncated=talk.has_more or None,
        agent=_agent(ctx, reach, talk.thread),
        linked_issues=[_related(reach, one) for one in issues if one],
    )
    return sizes.fitted(bundle, [_without_old_messages], room_to_say_so=_ROOM_TO_SAY_SO)


def _read(ctx: Context, thread_id: str) -> _Conversation:
    workspace_id = ctx.caller.workspace_id
    rows = ctx.table.query(
        OF_THREAD(workspace_id, thread_id), limit=1 + MAX_MESSAGES + _ROOM_FOR_HIDDEN, is_descending=True
    )
    is_cut = rows.next_position is not None
    found = rows.of(ThreadItem)
    if not found:
        raise threads.no_such_thread(thread_id)
    threads.require_party(found[0], ctx.caller)
    shown = [one for one in rows.of(MessageItem) if one.is_shown]
    return _Conversation(found[0], shown[:MAX_MESSAGES], is_cut or len(shown) > MAX_MESSAGES)


def _place(ctx: Context, identifier: str) -> Key:
    """Where the issue of an identifier is looked up."""
    return ReferenceItem.at(ctx.caller.workspace_id, str(int(identifier.rpartition("-")[2])))


def _named(reach: Reach, places: Mapping[str, Key]) -> list[str]:
    """The ids of the issues that have these identifiers: UTF-8 looks like one, and is none."""
    found = []
    for identifier, place in places.items():
        reference = reach.readings.find(ReferenceItem, place)
        prefix = identifier.rpartition("-")[0]
        if reference and Reference(reference.issue_id, prefix).is_of(reach.names.workspace):
            found.append(reference.issue_id)
    return found


def _agent(ctx: Context, reach: Reach, thread: ThreadItem) -> BundledAgent | None:
    """Whom one talks with; an agent need not be told who it is."""
    if ctx.caller.agent_id:
        return None
    agent_key, pulse_key = _keys_of_agent(thread)
    pulse = reach.readings.find(PulseItem, pulse_key)
    agent = reach.readings.get(AgentItem, agent_key)
    return BundledAgent.of(agent, status=pulse.status if pulse else AgentStatus.OFFLINE)


def _keys_of_agent(thread: ThreadItem) -> tuple[Key, Key]:
    workspace_id, agent_id = thread.workspace_id, thread.agent_id
    return AgentItem.at(workspace_id, agent_id), PulseItem.at(workspace_id, agent_id)


def _message(ctx: Context, message: MessageItem) -> BundledMessage:
    view = message_view(ctx, message)
    shown = beginning_of(view.body, _MAX_BODY)
    return BundledMessage.of(view, body=shown, body_truncated=len(shown) < len(view.body) or None)


def _related(reach: Reach, issue: IssueItem) -> RelatedIssue:
    brief = brief_of(issue, reach.names)
    return RelatedIssue.of(brief, status=brief.status.name)


def _without_old_messages(bundle: ThreadBundle, excess: int) -> ThreadBundle:
    """The bundle of a thread without its oldest messages; the newest one always stays."""
    shown = fewer(bundle.messages[::-1], excess, least=1)[::-1]
    is_cut = bundle.messages_truncated or len(shown) < len(bundle.messages) or None
    return bundle.model_copy(update={"messages": shown, "messages_truncated": is_cut})


def open_answer(ctx: Context, request_id: str) -> tuple[RequestItem, RequestTextItem]:
    """A request of the calling agent; one request, for a narrowed key two."""
    caller = ctx.caller
    known = ctx.table.read(keys_of_request(caller.workspace_id, request_id))
    found = find_whole(known, caller.workspace_id, request_id)
    if found is None or found[0].requested_by_agent_id != caller.agent_id:
        raise no_such_request(request_id)
    issue_id = found[0].issue_id
    if is_narrowed(caller):
        reach = read_issues(ctx, [issue_id] if issue_id else [], also=[settings_key(ctx)], readings=known)
        if issue_id is None or reach.find(issue_id) is None:
            require_unnarrowed(caller, "request")
    return found
