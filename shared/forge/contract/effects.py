"""What a call does beyond its answer: the events that it emits, and what it may ask of DynamoDB."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from forge.contract.models import Model


class Told(Model):
    """The payload of an event. What was not set is not told."""

    def payload(self) -> dict[str, Any]:
        return self.model_dump(by_alias=True, exclude_unset=True)


@dataclass(frozen=True, slots=True)
class Emission:
    """An event that tools emit: its kind, what it is about, and what it tells."""

    kind: str
    subject: str
    told: type[Told]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"


class Cost(NamedTuple):
    """What a call asks of DynamoDB, authentication apart: as much as the dearest of its samples.

    `items` is how many a transaction of it writes or checks.
    """

    reads: int = 0
    writes: int = 0
    items: int = 0
    bound: tuple[int, int, int] | None = None
    because: str = ""

    @property
    def most(self) -> "Cost":
        """What no call asks more than."""
        return Cost(*self.bound) if self.bound else self

    def up_to(self, *, because: str, reads: int = 0, writes: int = 0, items: int = 0) -> "Cost":
        """The same with a bound above what samples show, and with what it grows by."""
        bound = (reads or self.reads, writes or self.writes, items or self.items)
        if bound == self[:3] or any(most < shown for most, shown in zip(bound, self[:3], strict=True)):
            raise TypeError(f"{bound} is no bound above {self[:3]}")
        return self._replace(bound=bound, because=because)


FILTERED = "what a filter or a narrowed key leaves out is read past"
KEPT_UP = "a claim that is kept up moves the issue's rows"
CALLS = "whoever hears of it is called, each with a run"
STEPS = "eight steps begin, each with a run"
RUNS = "each hundred runs are a request more"
"""What the costs of many tools grow by."""

FREE = Cost()
"""Of a tool that asks nothing of DynamoDB."""
