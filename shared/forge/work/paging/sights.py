"""Pages of what belongs to issues, of which a narrowed key sees a part: read first, then looked at."""

from collections.abc import Sequence
from dataclasses import replace

from forge.context import Caller
from forge.store.pages import Found, ItemT


def is_narrowed(caller: Caller) -> bool:
    """Whether there may be issues that this caller does not see."""
    return bool(caller.narrowing.project_ids or caller.narrowing.label_ids)


def page_of_visible(
    read: Found[ItemT], visible: Sequence[ItemT], *, considered: int, limit: int
) -> Found[ItemT]:
    """At most `limit` of those that may be seen among the first `considered` that were read.

    The page ends after what fills it, or else after what was considered; its cursor goes on exactly there.
    """
    page = replace(read, items=list(visible[:limit]))
    rest = read.next_cursor
    if len(visible) > limit:
        rest = page.cursor_after(limit - 1)
    elif considered < len(read.items):
        rest = read.cursor_after(considered - 1)
    return replace(page, next_cursor=rest, is_truncated=rest is not None and len(page.items) < limit)
