"""The figures of a day, as they are kept: what was spent, told apart by a few things, and what flowed.

A row holds the most of so many parts; what comes after that is added to the part of all others. So a range of
days is read in one request, however many issues, agents or goals there are.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import TypeVar

from forge.store.items import Item, Part
from forge.store.keys import At, Key
from forge.store.places import KeptFor
from forge.store.ranges import SortRange
from forge.store.table import Table
from forge.work.issues.runs.runs import OF_RUN
from forge.work.record.log.rows import KEPT
from forge.work.workspace.reading_on import FIGURES

MOST_DAYS = 92
"""That a range may have: a quarter of a year."""
MOST_PARTS = 100
OTHERS = "*"
"""All that had no room of their own."""
NONE = "-"
"""What belongs to none."""


class SpentBy(StrEnum):
    """What costs are told apart by."""

    AGENT = "AGENT"
    MODEL = "MODEL"
    PROJECT = "PROJECT"
    GOAL = "GOAL"


class Spending(Part):
    usd: float = 0
    tokens_in: int = 0
    tokens_out: int = 0
    runs: int = 0
    """Runs that were completed."""


class Flowed(Part):
    created: int = 0
    done: int = 0
    accepted: int = 0
    """Of those done, the ones that agents carried out."""
    cycle: dict[str, int] = {}
    """How long they took from their start on, by classes."""
    passed: int = 0
    failed: int = 0
    """What judges and reviewers said."""
    answered: int = 0
    """Requests and gates that people decided."""
    waited: dict[str, int] = {}
    """How long those had waited, by classes."""
    waited_minutes: int = 0


class SpentItem(Item):
    """What a day's work cost, by one of the things that it can be told apart by."""

    stored = At(FIGURES, "SPENT#{by}#{day}")
    kept = KeptFor(KEPT, since="begins")

    workspace_id: str
    by: SpentBy
    begins: datetime
    parts: dict[str, Spending] = {}

    @property
    def day(self) -> str:
        return str(self.begins.date())


class FlowedItem(Item):
    """What got done on a day, by project."""

    stored = At(FIGURES, "FLOWED#{day}")
    kept = KeptFor(KEPT, since="begins")

    workspace_id: str
    begins: datetime
    parts: dict[str, Flowed] = {}
    in_work: int | None = None
    """Issues in work when it was last looked at that day."""

    @property
    def day(self) -> str:
        return str(self.begins.date())


class UsageCountedItem(Item):
    """What of a run's usage is in the figures: what it has used since is the next thing to count."""

    stored = At(OF_RUN, "COUNTED")
    is_sparse = True

    workspace_id: str
    run_id: str
    usd: float = 0
    tokens_in: int = 0
    tokens_out: int = 0
    is_completed: bool = False


PartT = TypeVar("PartT", Spending, Flowed)


def midnight(day: str) -> datetime:
    return datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC)


def place_in(parts: Mapping[str, object], name: str | None) -> str:
    """Where something is counted: in a part of its own as long as there is room."""
    wanted = name or NONE
    return wanted if wanted in parts or len(parts) < MOST_PARTS else OTHERS


def rows_of_day(workspace_id: str, day: str) -> list[Key]:
    spent = [SpentItem.at(workspace_id, by, day) for by in SpentBy]
    return [*spent, FlowedItem.at(workspace_id, day)]


def days_between(first: date, last: date) -> list[str]:
    return [str(first + timedelta(days=ahead)) for ahead in range((last - first).days + 1)]


def read_spent(table: Table, workspace_id: str, by: SpentBy, days: Sequence[str]) -> dict[str, SpentItem]:
    """By day, those on which something was; one request, more only beyond a megabyte."""
    among = _among(f"SPENT#{by}#", days)
    rows = table.query_all(FIGURES(workspace_id), most=MOST_DAYS, sort=among)
    return {one.day: one for one in rows.of(SpentItem)}


def read_flowed(table: Table, workspace_id: str, days: Sequence[str]) -> dict[str, FlowedItem]:
    """What got done on each of these days, by day."""
    rows = table.query_all(FIGURES(workspace_id), most=MOST_DAYS, sort=_among("FLOWED#", days))
    return {one.day: one for one in rows.of(FlowedItem)}


def _among(prefix: str, days: Sequence[str]) -> SortRange:
    return SortRange(first=f"{prefix}{days[0]}", last=f"{prefix}{days[-1]}")
