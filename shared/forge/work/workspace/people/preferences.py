"""What people want to hear of: of a kind of event, in one workspace or everywhere."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Protocol, TypeVar

from forge.context import Caller, Context
from forge.store.items import Item
from forge.store.keys import At, Key, Partition
from forge.store.ranges import SortRange
from forge.store.readings import Readings
from forge.store.table import Table
from forge.work.workspace.people.members import BELONGINGS

# More than there are kinds: another build may know others.
_MOST = 200


class Delivery(StrEnum):
    INBOX_ONLY = "INBOX_ONLY"
    INBOX_AND_DIGEST = "INBOX_AND_DIGEST"


# Apart from the person: whoever writes preferences must not be able to write people.
_EVERYWHERE = At(
    Partition("USER#{user_id}#PREFS", outside="it counts in every workspace"),
    "PREF#{event_kind}",
    when="is_everywhere",
)


class PreferenceItem(Item):
    stored = At(BELONGINGS, "PREF#{event_kind}", owner_id="user_id")
    instead = (_EVERYWHERE,)

    id: str
    user_id: str
    workspace_id: str | None = None
    """None where it counts everywhere."""
    event_kind: str
    enabled: bool
    delivery: Delivery

    @property
    def is_everywhere(self) -> bool:
        return self.workspace_id is None


class OfKind(Protocol):
    @property
    def event_kind(self) -> str: ...


PreferenceT = TypeVar("PreferenceT", bound=OfKind)


def place_of(workspace_id: str | None, user_id: str, event_kind: str) -> Key:
    if workspace_id is None:
        return _EVERYWHERE(user_id, event_kind)
    return PreferenceItem.at(workspace_id, user_id, event_kind)


def list_both(ctx: Context, user_id: str) -> tuple[list[PreferenceItem], list[PreferenceItem]]:
    """Those of this workspace, and those for everywhere; a request each."""
    partitions = (BELONGINGS(ctx.caller.workspace_id, user_id), _EVERYWHERE.partition(user_id))
    among = SortRange(prefix=PreferenceItem.stored.prefix())
    here, everywhere = (
        ctx.table.query_all(partition, most=_MOST, sort=among).of(PreferenceItem) for partition in partitions
    )
    return here, everywhere


def keys_everywhere(table: Table, user_id: str) -> list[Key]:
    """Where those are that count in every workspace."""
    return table.query_all(_EVERYWHERE.partition(user_id), most=_MOST).first_ones().keys


def by_kind(
    here: Iterable[PreferenceT], everywhere: Iterable[PreferenceT]
) -> Mapping[str, tuple[PreferenceT | None, PreferenceT | None]]:
    """For each kind that there is a preference for, that of the workspace and the one for everywhere."""
    own = {one.event_kind: one for one in here}
    general = {one.event_kind: one for one in everywhere}
    return {kind: (own.get(kind), general.get(kind)) for kind in sorted(own.keys() | general.keys())}


def places_of(caller: Caller, kind: str | None) -> tuple[Key, ...]:
    """What tells whether the caller wants to hear of a kind, the one that counts first; agents always do."""
    if caller.agent_id is not None or caller.user_id is None or kind is None:
        return ()
    return place_of(caller.workspace_id, caller.user_id, kind), place_of(None, caller.user_id, kind)


def is_muted(caller: Caller, kind: str | None, known: Readings) -> bool:
    """Whether the caller muted this kind of event, from what was read of `places_of`."""
    said = [known.find(PreferenceItem, place) for place in places_of(caller, kind)]
    return not next((one.enabled for one in said if one), True)
