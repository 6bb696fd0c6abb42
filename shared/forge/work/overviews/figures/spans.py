"""How long things took: many lengths of time as a few numbers, from which percentiles can be told.

A length falls into one of some forty classes, each a fifth longer than the one before, so that a percentile
is right within a tenth, and lengths of several days are added up by adding numbers.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import timedelta
from math import ceil, exp, floor, log1p

Spans = Mapping[str, int]
"""How many of each class, by its number."""

_STEP = 0.2
_MINUTE = timedelta(minutes=1)
_LAST = 70
"""Beyond a year or two nobody asks how long exactly."""


def class_of(length: timedelta) -> str:
    minutes = max(0.0, length / _MINUTE)
    return str(min(_LAST, floor(log1p(minutes) / _STEP)))


def together(many: Iterable[Spans]) -> Counter[str]:
    found: Counter[str] = Counter()
    for one in many:
        found.update(one)
    return found


def percentile(spans: Spans, part: float) -> int | None:
    """In minutes, the middle of the class in which it lies; None where there is nothing."""
    wanted = ceil(sum(spans.values()) * part)
    for number in sorted(map(int, spans)):
        wanted -= spans[str(number)]
        if wanted <= 0:
            return round(exp((number + 0.5) * _STEP) - 1)
    return None
