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
    """The most that one call asks of DynamoDB, authentication apart.

    `items` is how many a transaction of it writes or checks.
    """

    reads: int = 0
    writes: int = 0
    items: int = 0

    def beside(self, other: "Cost") -> "Cost":
        """Both calls together; transactions are not joined."""
        return Cost(self.reads + other.reads, self.writes + other.writes, max(self.items, other.items))


FREE = Cost()
"""Of a tool that asks nothing of DynamoDB."""
