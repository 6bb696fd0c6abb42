"""Preferences as they are stored: of a person in one workspace, or of a person everywhere."""

from forge.context import Context
from forge.store.items import Item
from forge.store.keys import Key
from forge.store.table import SortRange
from forge.store.transactions import Transaction, VersionMoved
from forge.work.people import people_keys
from functions.notification.rules import KNOWN_KINDS, Delivery

# Some more than there are: another build may know others.
_MOST = 2 * len(KNOWN_KINDS)


class PreferenceItem(Item):
    id: str
    user_id: str
    workspace_id: str | None = None
    """None where it counts everywhere."""
    event_kind: str
    enabled: bool
    delivery: Delivery

    @property
    def key(self) -> Key:
        return place_of(self.workspace_id, self.user_id, self.event_kind)


def place_of(workspace_id: str | None, user_id: str, event_kind: str) -> Key:
    if workspace_id is None:
        return people_keys.preference_everywhere(user_id, event_kind)
    return people_keys.preference(workspace_id, user_id, event_kind)


def find(ctx: Context, workspace_id: str | None, user_id: str, event_kind: str) -> PreferenceItem | None:
    return ctx.table.find(PreferenceItem, place_of(workspace_id, user_id, event_kind))


def list_both(ctx: Context, user_id: str) -> tuple[list[PreferenceItem], list[PreferenceItem]]:
    """Those of this workspace, and those for everywhere; a request each."""
    partitions = (
        people_keys.belongings(ctx.caller.workspace_id, user_id),
        people_keys.preferences_everywhere(user_id),
    )
    among = SortRange(prefix=people_keys.PREFERENCES)
    here, everywhere = (
        ctx.table.query_all(partition, most=_MOST, sort=among).of(PreferenceItem) for partition in partitions
    )
    return here, everywhere


def save(tx: Transaction, before: PreferenceItem | None, after: PreferenceItem) -> None:
    if before is not None:
        tx.replace(after)
        return
    # It is there only if the same person set it in the same moment.
    tx.create(after, refusal=lambda _: VersionMoved())
