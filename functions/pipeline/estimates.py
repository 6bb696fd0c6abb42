"""What a pipeline is going to take, as far as those before it can tell, and what tokens cost."""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from forge.store.table import Table
from forge.work.pipelines.learning.packs import OPEN_PACK, Ended, PackItem, unpacked

USD_PER_TOKEN = 0.000006
"""Roughly: nobody says which tokens were read and which were written."""

_MANY, _SOME = 10, 3
_MS_PER_MINUTE = 60_000


class Spread(NamedTuple):
    p50: float
    p90: float


class Estimate(NamedTuple):
    sample_size: int
    tokens: Spread
    duration_min: Spread
    cost_usd: Spread
    confidence: str

    @property
    def line(self) -> str:
        """For people, in one line."""
        return (
            f"From {self.sample_size} of this effort: half took up to {self.tokens.p50:,.0f} tokens"
            f" (${self.cost_usd.p50:.2f}), nine of ten up to {self.tokens.p90:,.0f}"
            f" (${self.cost_usd.p90:.2f})."
        )


def usd_of(tokens: int) -> float:
    return round(tokens * USD_PER_TOKEN, 4)


def recent(table: Table, workspace_id: str) -> list[Ended]:
    """The last one or two hundred that ended: what was true long ago says little. At most two requests."""
    newest = table.find(PackItem, OPEN_PACK(workspace_id))
    if newest is None:
        return []
    before = None
    if newest.number:
        before = table.find(PackItem, PackItem.at(workspace_id, newest.number - 1))
    return [*(unpacked(before) if before else ()), *unpacked(newest)]


def estimate(ended: Sequence[Ended], effort: str) -> Estimate | None:
    """From those of the same effort that came to their end; None where there are none."""
    alike = [one for one in ended if one.effort == effort and one.outcome == "completed"]
    if not alike:
        return None
    tokens = [one.tokens_total for one in alike]
    confidence = "high" if len(alike) >= _MANY else "medium" if len(alike) >= _SOME else "low"
    return Estimate(
        len(alike),
        _spread(tokens),
        _spread([round(one.duration_ms / _MS_PER_MINUTE, 1) for one in alike]),
        _spread([usd_of(count) for count in tokens]),
        confidence,
    )


def _spread(values: Sequence[float]) -> Spread:
    """Values that occurred, and none in between."""
    ordered = sorted(values)
    return Spread(ordered[(len(ordered) - 1) // 2], ordered[ceil(0.9 * len(ordered)) - 1])
