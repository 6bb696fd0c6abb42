"""What is told of a change of an issue, and to whom."""

from dataclasses import dataclass, field

from forge.contract.effects import Emission, Told
from forge.store.items import Item
from forge.work.log.events import Wake
from forge.work.runs.wakes import Call


@dataclass(frozen=True, slots=True)
class About:
    """What an event is about, where that is not the issue itself, as it was and as it becomes."""

    id: str
    before: Item | None
    after: Item | None


@dataclass(slots=True)
class Announcement:
    id: str
    emission: Emission
    told: Told
    action: str
    calls: list[Call]
    about: About | None = None
    wakes: list[Wake] = field(default_factory=list)
