"""Pages of what belongs to issues, of which a narrowed key sees a part: a few are read, then looked at."""

from collections.abc import Callable, Iterable, Sequence
from typing import Generic

from forge.context import Caller, Context
from forge.errors import Forbidden
from forge.store.cursors import Cursors
from forge.store.keys import Key
from forge.store.pages import Found, page_among, read_page
from forge.store.readings import ItemT, Readings
from forge.store.walks import Listing
from forge.work.issues.desks import Reach, look_at

MOST_BESIDE = 100
"""What one request can read."""


def is_narrowed(caller: Caller) -> bool:
    """Whether there may be issues that this caller does not see."""
    return bool(caller.narrowing.project_ids or caller.narrowing.label_ids)


def require_unnarrowed(caller: Caller, what: str) -> None:
    """What belongs to no issue, or to one that is gone, is not for keys that are confined to some issues."""
    if is_narrowed(caller):
        raise Forbidden(
            f"This {what} belongs to no issue that this key is narrowed to.",
            hint="Use a key without this narrowing, or ask an admin to widen it.",
        )


def nothing(item: object) -> Iterable[Key]:
    return ()


class Sight(Generic[ItemT]):
    """Looks at what stands beside items: their issues, which decide whether they may be seen, and names.

    For one page it reads as much as one request can, however many steps it takes; then it can't tell of more.
    """

    __slots__ = ("_also", "_beside", "_ctx", "_issue_ids", "_issue_of", "_keys", "_leaves_out", "reach")

    def __init__(
        self,
        ctx: Context,
        issue_of: Callable[[ItemT], str | None],
        beside: Callable[[ItemT], Iterable[Key]] = nothing,
        *,
        asked: str | None = None,
        also: Iterable[Key] = (),
        leaves_out: Callable[[ItemT, Readings], bool] = lambda item, known: False,
    ) -> None:
        """The issue that was asked for and whatever `also` names are read, whatever is found.

        `leaves_out` decides by what stands beside an item that it is not shown.
        """
        self._ctx = ctx
        self._issue_of = issue_of
        self._leaves_out = leaves_out
        self._beside = beside
        self._issue_ids = {asked} if asked else set()
        self._keys = set(also)
        self._also = len(self._issue_ids) + len(self._keys)
        self.reach = Reach(ctx, Readings(ctx.table))

    def look(self, items: Sequence[ItemT]) -> list[bool]:
        """Which of them may be shown; of those that it can tell of, which are the first."""
        size = 0
        for item in items:
            issue_id = self._issue_of(item)
            issue_ids = self._issue_ids | ({issue_id} if issue_id else set())
            keys = self._keys.union(self._beside(item))
            has_looked = len(self._issue_ids) + len(self._keys) > self._also
            if len(issue_ids) + len(keys) > MOST_BESIDE and has_looked:
                break
            self._issue_ids, self._keys = issue_ids, keys
            size += 1
        look_at(self._ctx, self._issue_ids, also=self._keys, readings=self.reach.readings)
        return [self.shows(item) for item in items[:size]]

    def shows(self, item: ItemT) -> bool:
        issue_id = self._issue_of(item)
        is_visible = issue_id is None or self.reach.find(issue_id) is not None
        return is_visible and not self._leaves_out(item, self.reach.readings)


def read_of_issues(
    ctx: Context,
    kind: type[ItemT],
    listing: Listing,
    issue_of: Callable[[ItemT], str | None],
    *,
    limit: int,
    cursor: str | None,
    accepts: Callable[[ItemT], bool],
    asked: str | None = None,
    also: Iterable[Key] = (),
) -> tuple[Found[ItemT], Sight[ItemT]]:
    """A page of things that may belong to an issue: a narrowed key sees none that belong to no issue."""
    sight = Sight(ctx, issue_of, asked=asked, also=also)
    needs_issue = is_narrowed(ctx.caller)
    found = read_visible(
        ctx,
        kind,
        listing,
        sight,
        limit=limit,
        cursor=cursor,
        accepts=lambda item: accepts(item) and (issue_of(item) is not None or not needs_issue),
    )
    return found, sight


def only(
    item: ItemT | None, sight: Sight[ItemT], *, cursor: str | None, accepts: Callable[[ItemT], bool] | None
) -> Found[ItemT]:
    """A list that was asked for one thing by its id: that, if it is accepted and may be seen, or nothing."""
    these = [item] if item is not None and (accepts is None or accepts(item)) else []
    shown = [one for one, is_shown in zip(these, sight.look(these), strict=True) if is_shown]
    cursors = Cursors(item.key.partition if item else "")
    return page_among(shown, lambda one: one.key.partition, cursors=cursors, limit=1, cursor=cursor)


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
