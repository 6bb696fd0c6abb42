"""Pages of what belongs to issues, of which a narrowed key sees a part: a few are read, then looked at."""

from collections.abc import Callable, Iterable, Sequence
from typing import Generic

from forge.context import Caller, Context
from forge.errors import Forbidden
from forge.store.cursors import Cursors
from forge.store.keys import Key
from forge.store.pages import AskedPage, Found, page_among, read_page
from forge.store.readings import ItemT, Readings
from forge.store.walks import Listing
from forge.work.issues.desks import Reach, read_issues

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


class Sight(Generic[ItemT]):
    """Looks at what stands beside items: their issues, which decide whether they may be seen, and names.

    For one page it reads as much as one request can, however many steps it takes; then it can't tell of more.
    """

    def __init__(
        self,
        ctx: Context,
        issue_of: Callable[[ItemT], str | None],
        beside: Callable[[ItemT], Iterable[Key]] = lambda item: (),
        *,
        asked: str | None = None,
        also: Iterable[Key] = (),
        own: Callable[[ItemT], bool] = lambda item: False,
        leaves_out: Callable[[ItemT, Readings], bool] = lambda item, known: False,
    ) -> None:
        """The issue that was asked for and whatever `also` names are read, whatever is found.

        Of what belongs to no issue, a narrowed key sees its `own` alone. `leaves_out` decides by what stands
        beside an item that it is not shown.
        """
        self._ctx = ctx
        self._issue_of = issue_of
        self._own = own
        self._leaves_out = leaves_out
        self._beside = beside
        self._issue_ids = {asked} if asked else set()
        self._keys = set(also)
        self._also = len(self._issue_ids) + len(self._keys)
        self.reach = Reach(ctx, Readings(ctx.table))

    def page(
        self,
        kind: type[ItemT],
        listing: Listing,
        asked: AskedPage,
        accepts: Callable[[ItemT], bool] | None = None,
        *,
        only: Key | None = None,
    ) -> Found[ItemT]:
        """As many as are asked for of those that are accepted and may be seen, with what stands beside them.

        `only` is for a list that was asked for one thing: that, or nothing.
        """
        table, narrowed = self._ctx.table, is_narrowed(self._ctx.caller)

        def is_wanted(item: ItemT) -> bool:
            is_within_reach = not narrowed or self._issue_of(item) is not None or self._own(item)
            return is_within_reach and (accepts is None or accepts(item))

        if only is not None:
            these = [item for item in [table.find(kind, only)] if item and is_wanted(item)]
            shown = [one for one, is_shown in zip(these, self.look(these), strict=True) if is_shown]
            return page_among(shown, lambda one: one.key.partition, asked, cursors=Cursors(only.partition))
        if narrowed:
            return read_page(table, kind, listing, asked, accepts=is_wanted, look=self.look)
        found = read_page(table, kind, listing, asked, accepts=accepts)
        # Nearly all are shown, so only those that fill the page are worth looking at.
        looked_at = found.first(len(self.look(found.items)))
        return looked_at.become(lambda item: item if self._shows(item) else None, full=asked.limit)

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
        read_issues(self._ctx, self._issue_ids, also=self._keys, readings=self.reach.readings)
        return [self._shows(item) for item in items[:size]]

    def _shows(self, item: ItemT) -> bool:
        issue_id = self._issue_of(item)
        is_visible = issue_id is None or self.reach.find(issue_id) is not None
        return is_visible and not self._leaves_out(item, self.reach.readings)
