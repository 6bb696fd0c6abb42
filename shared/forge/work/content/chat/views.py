"""Threads and messages as they are shown, the newest first, and the issues that a conversation is about."""

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from forge.context import Context
from forge.contract.models import Model, Omittable
from forge.store import keys
from forge.store.pages import read_moments
from forge.store.walks import one_partition
from forge.work.content.chat.messages import ChatRole, MessageItem
from forge.work.content.chat.threads import OF_THREAD, ChatContextMode, ThreadItem
from forge.work.issues.pages.sights import is_narrowed
from forge.work.issues.pages.sizes import MAX_ANSWER, fewer, how_many_at_most, length_of
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


_ROOM_TO_SAY_SO = 200


def read_thread(
    ctx: Context,
    thread: ThreadItem,
    *,
    before: datetime | None,
    limit: int,
    is_shown: Callable[[MessageItem], bool],
) -> Thread:
    """The newest messages first, as many as one answer holds."""
    listing = one_partition(
        OF_THREAD(thread.workspace_id, thread.id),
        prefix=MessageItem.stored.prefix(),
        start=keys.sortable_time(before) if before else "",
        is_descending=True,
    )
    found = read_moments(ctx.table, MessageItem, listing, limit=limit, is_shown=is_shown)
    # Texts that can't be sent anyway need not be fetched.
    found = found.first(how_many_at_most(len(one.body.text) for one in found.items))
    shown = Thread(thread=ThreadView.of(thread), messages=[message_view(ctx, one) for one in found.items])
    excess = length_of(shown) + _ROOM_TO_SAY_SO - MAX_ANSWER
    cut = found.first(len(fewer(shown.messages, excess, least=1)))
    return shown.model_copy(
        update={
            "messages": shown.messages[: len(cut.placed)],
            "next_cursor": cut.next_cursor,
            "truncated": cut.is_truncated or None,
        }
    )
