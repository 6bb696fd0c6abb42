"""Reading a thread back in time, for either side of the talk."""

from collections.abc import Callable
from datetime import datetime

from forge.context import Context
from forge.store import keys
from forge.store.pages import read_moments
from forge.store.walks import one_partition
from forge.work.content.chat.messages import MessageItem
from forge.work.content.chat.threads import OF_THREAD, ThreadItem
from forge.work.content.chat.views import Thread, ThreadView, message_view
from forge.work.issues.pages.sizes import MAX_ANSWER, fewer, how_many_at_most, length_of

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
