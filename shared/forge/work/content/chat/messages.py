"""Messages: what a person or an agent says in a thread. No log row and no event holds their words."""

import json
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from forge.context import Context
from forge.store.followers import follow
from forge.store.items import Item
from forge.store.keys import At
from forge.store.table import Table
from forge.store.transactions import Transaction
from forge.work.content.chat.announcements import MESSAGE_POSTED, MessagePosted
from forge.work.content.chat.threads import OF_THREAD, ThreadItem, Unanswered
from forge.work.record import texts
from forge.work.record.log import events
from forge.work.record.log.rows import Wake
from forge.work.record.texts import KeptText

RETRY_REASON = "inbox-poll-backstop"


class ChatRole(StrEnum):
    USER = "USER"
    AGENT = "AGENT"
    SYSTEM = "SYSTEM"


class MessageItem(Item):
    stored = At(OF_THREAD, "M#{created_at}#{id}")

    workspace_id: str
    thread_id: str
    id: str
    role: ChatRole
    body: KeptText
    author_id: str | None = None
    """Who wrote it where that is a person: an operator may write for another."""
    context_snapshot: str | None = None
    """As JSON: an item can't be as deep as that may be."""
    source_run_id: str | None = None
    finalized_draft_id: str | None = None
    created_at: datetime
    dispatched_at: datetime | None = None
    """When the agent was first told of it, or needed not be: until then the agent does not see it."""
    acknowledged_at: datetime | None = None
    output_started_at: datetime | None = None
    last_wake_at: datetime | None = None
    wake_attempts: int = 0
    last_wake_delivery_id: str | None = None

    @property
    def is_shown(self) -> bool:
        return self.role is not ChatRole.USER or self.dispatched_at is not None


class MessagePlaceItem(Item):
    """Finds a message by its id. It never changes."""

    stored = At("WS#{workspace_id}#MESSAGE#{message_id}", "PLACE")

    workspace_id: str
    message_id: str
    thread_id: str
    created_at: datetime


def written(
    ctx: Context,
    thread: ThreadItem,
    role: ChatRole,
    text: str,
    *,
    context_snapshot: Mapping[str, Any] | None = None,
    **fields: Any,
) -> MessageItem:
    """What the caller says in a thread now."""
    name = f"{thread.workspace_id}/{thread.id}/{ctx.new_id('txt')}"
    snapshot = json.dumps(context_snapshot, ensure_ascii=False) if context_snapshot else None
    return MessageItem(
        workspace_id=thread.workspace_id,
        thread_id=thread.id,
        id=ctx.new_id("msg"),
        role=role,
        body=texts.keep(ctx.services.store.blobs, text, name=name),
        context_snapshot=snapshot,
        author_id=ctx.caller.user_id,
        created_at=ctx.now(),
        **fields,
    )


def ask(tx: Transaction, thread: ThreadItem, message: MessageItem) -> None:
    """Store what a person says, and have the agent told of it."""
    _add(tx, message)
    is_dispatched = message.dispatched_at is not None
    _keep(tx, thread, thread.asked(message.id, at=message.created_at, is_dispatched=is_dispatched))
    _announce(tx, thread, MessagePosted(**_identity(thread, message.id, ChatRole.USER)), action="post")


def reply(tx: Transaction, thread: ThreadItem, message: MessageItem) -> None:
    """Store what the agent says; it wakes nobody, the agent itself least of all."""
    _add(tx, message)
    _acknowledge(tx, thread, thread.waiting)
    _keep(tx, thread, thread.answered(at=message.created_at))
    drafted = {"finalized_draft_id": message.finalized_draft_id} if message.finalized_draft_id else {}
    told = MessagePosted(
        **_identity(thread, message.id, ChatRole.AGENT), source_run_id=message.source_run_id, **drafted
    )
    _announce(tx, thread, told, action="reply")


def begin_to_answer(tx: Transaction, thread: ThreadItem) -> None:
    """The agent has begun to write: what waited for it is acknowledged."""
    if thread.waiting is not None:
        _acknowledge(tx, thread, thread.waiting)
        _keep(tx, thread, thread.begun_to_answer())
    events.record_change(tx, MESSAGE_POSTED.subject, thread.id, action="startDraft")


def ask_again(tx: Transaction, thread: ThreadItem, waiting: Unanswered) -> None:
    """Have the agent told once more of a message that it did not answer."""
    told = MessagePosted(
        **_identity(thread, waiting.message_id, ChatRole.USER), retry=True, retry_reason=RETRY_REASON
    )
    _announce(tx, thread, told, action="kick")


def find(table: Table, workspace_id: str, message_id: str) -> tuple[ThreadItem, MessageItem] | None:
    """A message by its id alone, and its thread; two requests."""
    place = table.find(MessagePlaceItem, MessagePlaceItem.at(workspace_id, message_id))
    if place is None:
        return None
    head = ThreadItem.at(workspace_id, place.thread_id)
    key = MessageItem.at(workspace_id, place.thread_id, place.created_at, message_id)
    readings = table.read([head, key])
    return readings.get(ThreadItem, head), readings.get(MessageItem, key)


def mark_dispatched(
    tx: Transaction, thread: ThreadItem, message: MessageItem, *, delivery_id: str | None
) -> None:
    """A delivery was tried, whatever came of it, or there is none: from then on the agent sees it."""
    now = tx.origin.now
    told: dict[str, object] = {"dispatched_at": message.dispatched_at or now}
    if delivery_id is not None:
        told |= {"last_wake_at": now, "last_wake_delivery_id": delivery_id}
    tx.adjust(message.key, add={"wake_attempts": int(delivery_id is not None)}, assign=told)
    after = thread.dispatched(message.id)
    if after != thread:
        _keep(tx, thread, after)


def _keep(tx: Transaction, before: ThreadItem, after: ThreadItem) -> None:
    """Store the thread, and keep the inbox of its agent as it says."""
    tx.replace(after)
    follow(tx, before.awaited, after.awaited)


def _add(tx: Transaction, message: MessageItem) -> None:
    tx.create(message)
    tx.create(MessagePlaceItem.of(message, message_id=message.id))


def _acknowledge(tx: Transaction, thread: ThreadItem, waiting: Unanswered | None) -> None:
    """The agent works on what waited for it; which message that is follows from the thread's version."""
    if waiting is None:
        return
    key = MessageItem.at(thread.workspace_id, thread.id, waiting.created_at, waiting.message_id)
    tx.adjust(key, assign={"acknowledged_at": tx.origin.now, "output_started_at": tx.origin.now})


def _identity(thread: ThreadItem, message_id: str, role: ChatRole) -> dict[str, str]:
    """What every event about a message says of it."""
    return {
        "thread_id": thread.id,
        "message_id": message_id,
        "agent_id": thread.agent_id,
        "user_id": thread.user_id,
        "role": role.value,
    }


def _announce(tx: Transaction, thread: ThreadItem, told: MessagePosted, *, action: str) -> None:
    wakes = [Wake(agent_id=thread.agent_id)] if told.role == ChatRole.USER else []
    events.record(tx, MESSAGE_POSTED, told, subject_id=thread.id, action=action, wakes=wakes)
