"""What whoever dispatches works with, and what a message makes it do."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from forge.clock import random_between
from forge.context import Caller, KeyKind
from forge.outbound.outbound import Outbound
from forge.store.store import Store
from forge.store.transactions import Origin, Transaction

POST_SECONDS = 5.0


def _by_chance() -> float:
    return random_between(0, 1)


@dataclass(frozen=True, slots=True)
class Dispatch:
    store: Store
    outbound: Outbound
    now: Callable[[], datetime]
    new_id: Callable[[str], str]
    own_machine: bool = False
    """Whether receivers may be on this machine: only where all of it is somebody's own."""
    public_url: str = ""
    """Where people reach it, for links in what is posted."""
    seconds: float = POST_SECONDS
    """The longest that a receiver may take."""
    chance: Callable[[], float] = _by_chance

    def begin(self, workspace_id: str) -> Transaction:
        """A transaction of nobody's: the log says that it was the dispatch."""
        nobody = Caller("dispatch", workspace_id, KeyKind.AGENT, frozenset(), "dispatch")
        origin = Origin(nobody, "dispatch", self.new_id("dsp"), self.now(), self.new_id)
        return Transaction(self.store.table.name, origin)
