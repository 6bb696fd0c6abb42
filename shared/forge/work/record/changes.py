"""A change of one item, as a value: how it was, how it becomes, and what is told of it.

A rule puts into a change what shall happen; nothing here reads or writes. Whoever saves it writes the item,
what follows from it, and one log row for each thing that is told.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from forge.context import Context
from forge.contract.effects import Emission, Told
from forge.store.items import Item
from forge.store.transactions import Transaction
from forge.work.record.log.events import record
from forge.work.record.log.rows import Wake

ChangedT = TypeVar("ChangedT", bound=Item)


@dataclass(frozen=True, slots=True)
class About:
    """What an event is about, where that is not the item itself, as it was and as it becomes."""

    id: str
    before: Item | None = None
    after: Item | None = None


@dataclass(slots=True)
class Announcement:
    id: str
    emission: Emission
    told: Told
    action: str
    about: About | None = None
    wakes: list[Wake] = field(default_factory=list)


class Change(Generic[ChangedT]):
    """What happens to one item in a call: its fields, its events, and whom they wake."""

    def __init__(self, before: ChangedT) -> None:
        self.before = self.after = before
        self.announced: list[Announcement] = []

    @property
    def is_changed(self) -> bool:
        return self.after != self.before

    def set(self, **fields: object) -> None:
        self.after = self.after.changed(**fields)

    def tell(
        self,
        ctx: Context,
        emission: Emission,
        told: Told,
        *,
        action: str,
        about: About | None = None,
        wakes: Iterable[Wake] = (),
    ) -> Announcement:
        """Have others told of what happened."""
        event = Announcement(ctx.new_id("evt"), emission, told, action, about, list(wakes))
        self.announced.append(event)
        return event

    def record(self, tx: Transaction, item_id: str, *, issue_id: str | None, is_new: bool = False) -> None:
        """Write what is told; what one change did to the item is in the first row about it."""
        of_item = About(item_id, None if is_new else self.before, self.after)
        for one in self.announced:
            about = one.about or of_item
            if one.about is None:
                of_item = About(item_id)
            record(
                tx,
                one.emission,
                one.told,
                subject_id=about.id,
                action=one.action,
                before=about.before,
                after=about.after,
                issue_id=issue_id,
                wakes=one.wakes,
                event_id=one.id,
            )
