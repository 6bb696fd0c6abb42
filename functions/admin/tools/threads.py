"""Threads: a person opens one with an agent, and writes in it."""

from forge.auth.actors import identity_of
from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.fields import Paged
from forge.contract.models import Page
from forge.errors import Conflict
from forge.store.pages import read_page
from forge.store.readings import Readings
from forge.store.transactions import overtaken
from forge.store.walks import one_partition
from forge.work.content.chat import messages, threads
from forge.work.content.chat.announcements import MESSAGE_POSTED, THREAD
from forge.work.content.chat.messages import ChatRole
from forge.work.content.chat.threads import THREADS_OF, ThreadItem
from forge.work.content.chat.views import Thread, ThreadView, read_thread
from forge.work.content.references.resolving import places_of, require_there
from forge.work.issues.pages.listing import Pager
from forge.work.record.log import events
from forge.work.workspace import taken_names
from forge.work.workspace.people import members
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.taken_names import NameItem
from functions.admin.models.threads import (
    CreatedThread,
    CreateThread,
    PostedMessage,
    PostMessage,
    ReadThread,
)
from functions.admin.tools import namespace

_DEFAULT = "THREAD"
"""The kind of the taken names that say which thread two have when nothing else is said."""


@namespace.writes(
    name="threads.create",
    costs=Cost(reads=1, writes=1, items=4),
)
def create(request: CreateThread, ctx: Context) -> CreatedThread:
    """Open a chat thread between an agent and a person, you unless you say who; then use threads.post.

    The first one of the two is their default thread. Example: {"agentId": "planner", "title": "Release"}
    """
    workspace_id, user_id = ctx.caller.workspace_id, request.user_id or str(ctx.caller.user_id)
    agent_key, places = AgentItem.at(workspace_id, request.agent_id), places_of(request, ctx)
    member_key = MemberItem.at(workspace_id, user_id)
    pair = f"{user_id}|{request.agent_id}"
    default = NameItem.of_name(workspace_id, _DEFAULT, pair)
    known = ctx.table.read([agent_key, member_key, default, *places])
    require_there(places, known)
    _require_available(known.get(AgentItem, agent_key))
    _require_may_speak_for(ctx, known, user_id)
    thread = ThreadItem(
        workspace_id=workspace_id,
        id=ctx.new_id("thr"),
        user_id=user_id,
        agent_id=request.agent_id,
        title=request.title or None,
        is_default=not known.has(default),
        last_message_at=ctx.now(),
        created_at=ctx.now(),
    )
    tx = ctx.plan()
    tx.create(thread)
    if thread.is_default:
        owner = taken_names.Owner(workspace_id, _DEFAULT, thread.id, field="agentId")
        # Of two that are opened at once, the other one is another thread.
        taken_names.take(tx, owner, pair, refusal=overtaken)
    events.record_change(tx, THREAD, thread.id, action="create", after=thread)
    return CreatedThread(id=thread.id)


@namespace.reads(name="threads.list", costs=Cost(reads=1))
def list(request: Paged, ctx: Context) -> Page[ThreadView]:
    """List your own threads with agents, the one in which something was said last first.

    Nobody sees those of others. Pass nextCursor as cursor for more. Example: {"limit": 10}
    """
    partition = THREADS_OF(ctx.caller.workspace_id, identity_of(ctx.caller))
    listing = one_partition(partition, "updated", is_descending=True)
    found = read_page(ctx.table, ThreadItem, listing, request)
    return Pager(Page[ThreadView]).page(found, ThreadView.of)


@namespace.reads(
    name="threads.get",
    costs=Cost(reads=2).up_to(reads=3, because="many of one moment are read whole"),
)
def get(request: ReadThread, ctx: Context) -> Thread:
    """Read a thread of yours with an agent, its messages newest first.

    Pass nextCursor as `before` for older ones. Answer with threads.post.
    Example: {"threadId": "thr_01J…", "limit": 20}
    """
    thread = _find(ctx, request.thread_id)
    threads.require_party(thread, ctx.caller)
    return read_thread(ctx, thread, before=request.before, limit=request.limit, is_shown=lambda message: True)


@namespace.writes(
    name="threads.post",
    costs=Cost(reads=2, writes=1, items=6),
    emits=[MESSAGE_POSTED],
)
def post(request: PostMessage, ctx: Context) -> PostedMessage:
    """Write to the agent of a thread, which wakes it; chat.getThread shows it the message.

    An archived agent or thread is a conflict. Example: {"threadId": "thr_01J…", "body": "How far are you?"}
    """
    workspace_id = ctx.caller.workspace_id
    thread = _find(ctx, request.thread_id)
    threads.require_open(thread)
    agent_key = AgentItem.at(workspace_id, thread.agent_id)
    known = ctx.table.read([agent_key, MemberItem.at(workspace_id, thread.user_id)])
    agent = known.get(AgentItem, agent_key)
    _require_available(agent)
    _require_may_speak_for(ctx, known, thread.user_id)
    message = messages.written(
        ctx,
        thread,
        ChatRole.USER,
        request.body,
        context_snapshot=request.context_snapshot,
        # An agent with a URL sees it with the first try to tell it; any other one looks for itself.
        dispatched_at=None if agent.webhook_url else ctx.now(),
    )
    messages.ask(ctx.plan(), thread, message)
    return PostedMessage(message_id=message.id)


def _find(ctx: Context, thread_id: str) -> ThreadItem:
    place = ThreadItem.at(ctx.caller.workspace_id, thread_id)
    return ctx.table.get(ThreadItem, place, missing=threads.no_such_thread(thread_id))


def _require_may_speak_for(ctx: Context, known: Readings, user_id: str) -> None:
    """Operators may for others, as the log tells; an admin not for an owner."""
    if user_id != ctx.caller.user_id:
        member = known.find(MemberItem, MemberItem.at(ctx.caller.workspace_id, user_id))
        members.require_rank(ctx.caller, member)


def _require_available(agent: AgentItem) -> None:
    if agent.archived_at is not None:
        raise Conflict("This agent was archived: nobody would answer.", hint="agents.list shows the others.")
