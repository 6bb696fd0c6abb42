"""Which agents are told what was learned; all others are told nothing, and nothing is read for them."""

from collections.abc import Mapping
from typing import NamedTuple


class Need(NamedTuple):
    similar: bool = False
    only_critical: bool = True
    """Whether minor findings of past reviews are left out."""
    friction: bool = False


NEEDS: Mapping[str, Need] = {
    "architect": Need(similar=True),
    "task-decomposer": Need(similar=True, only_critical=False),
    "implementer": Need(friction=True),
    "impl-reviewer": Need(only_critical=False, friction=True),
}
