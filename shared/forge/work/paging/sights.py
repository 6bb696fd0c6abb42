"""Pages of what belongs to issues, of which a narrowed key sees a part: a few are read, then looked at."""

from collections.abc import Callable, Iterable, Sequence
from typing import Generic

from forge.context import Caller, Context
from forge.store.keys import Key
from forge.store.pages import Found, read_page
from forge.store.readings import ItemT, Readings
from forge.store.walks import Listing
from forge.work.issues.desks import Reach

MOST_BESIDE = 100
"""What one request can read."""


def is_narrowed(caller: Caller) -> bool:
    """Whether there may be issues that this caller does not see."""
    return bool(caller.narrowing.project_ids or caller.narrowing.label_ids)


class Sight(Generic[ItemT]):
    """Looks at what stands beside items: their issues, which decide whether they may be seen, and names.

    For one page it reads as much as one request can, however many steps it takes; then it can't tell of more.
    """

    __slots__ = ("_also", "_beside", "_seen", "_shows", "reach")

    def __init__(
        self,
        ctx: Context,
        beside: Callable[[ItemT], Iterable[Key]],
        shows: Callable[[Reach, ItemT], bool],
        *,
        also: Iterable[Key] = (),
    ) -> None:
        """`also` is read with the first, whatever is found."""
        self.reach = Reach(ctx, Readings(ctx.table))
        self._beside = beside
        self._shows = shows
        self._seen = set(also)
        self._also = len(self._seen)

    def look(self, items: Sequence[ItemT]) -> list[bool]:
        """Which of them may be shown; of those that it can tell of, which are the first."""
        size = 0
        for item in items:
            more = self._seen.union(self._beside(item))
            if len(more) > MOST_BESIDE and len(self._seen) > self._also:
                break
            self._seen = more
            size += 1
        self.reach.readings.fetch(self._seen)
        return [self.shows(item) for item in items[:size]]

    def shows(self, item: ItemT) -> bool:
        return self._shows(self.reach, item)


def read_visible(
    ctx: Context,
    kind: type[ItemT],
    listing: Listing,
    sight: Sight[ItemT],
    *,
    limit: int,
    cursor: str | None,
    accepts: Callable[[ItemT], bool] | None,
) -> Found[ItemT]:
    """At most `limit` of those that are accepted and may be seen, with what stands beside them read."""
    if is_narrowed(ctx.caller):
        return read_page(
            ctx.table, kind, listing, limit=limit, cursor=cursor, accepts=accepts, look=sight.look
        )
    found = read_page(ctx.table, kind, listing, limit=limit, cursor=cursor, accepts=accepts)
    # Nearly all are shown, so only those that fill the page are worth looking at.
    looked_at = found.first(len(sight.look(found.items)))
    return looked_at.become(lambda item: item if sight.shows(item) else None, full=limit)
