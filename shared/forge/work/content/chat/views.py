"""Threads and messages as they are shown."""

import json
from datetime import datetime
from typing import Any

from forge.context import Context
from forge.contract.models import Model, Omittable
from forge.work.content.chat.messages import ChatRole, MessageItem
from forge.work.content.chat.threads import ChatContextMode
from forge.work.issues.pages.sights import is_narrowed
from forge.work.record import texts


class ThreadView(Model):
    id: str
    agent_id: str
    user_id: str
    title: str | None
    topic: str | None
    is_default: bool
    context_mode: ChatContextMode
    summary_markdown: str | None
    last_message_at: datetime
    created_at: datetime
    archived_at: datetime | None


class MessageView(Model):
    id: str
    role: ChatRole
    body: str
    context_snapshot: dict[str, Any] | None
    source_run_id: str | None
    created_at: datetime
    finalized_draft_id: str | None


class Thread(Model):
    """`nextCursor` where there are older messages, `truncated` where a page of them is short of its limit."""

    thread: ThreadView
    messages: list[MessageView]
    next_cursor: Omittable[str] = None
    truncated: Omittable[bool] = None


def message_view(ctx: Context, message: MessageItem) -> MessageView:
    """To a narrowed key without what the person had before them, which may be of other projects."""
    return MessageView.of(
        message,
        body=texts.read(ctx.services.store.blobs, message.body),
        context_snapshot=None if is_narrowed(ctx.caller) else snapshot_of(message),
    )


def snapshot_of(message: MessageItem) -> dict[str, Any] | None:
    """What the person had before them when they wrote."""
    if message.context_snapshot is None:
        return None
    snapshot: dict[str, Any] = json.loads(message.context_snapshot)
    return snapshot
