"""Which steps wait for which: what a caller says of a batch becomes positions in the plan."""

from collections.abc import Sequence

from forge.errors import InvalidInput


def wired(batch: Sequence[Sequence[int]], *, first: int, field: str = "steps") -> list[list[int]]:
    """For each new step the positions it waits for, the first of the batch being at `first`.

    An index that leads nowhere, or to the step itself, is dropped. A circle would never begin.
    """
    size = len(batch)
    within = [
        sorted({one for one in given if one < size and one != place}) for place, given in enumerate(batch)
    ]
    stuck = in_a_circle(within)
    if stuck:
        raise InvalidInput(
            "These steps wait for one another.",
            issues={
                f"{field}.{place}.dependsOnStepIndexes": "It is in a circle, or waits for one; leave one out."
                for place in stuck
            },
        )
    return [[first + one for one in given] for given in within]


def in_a_circle(waits_for: Sequence[Sequence[int]]) -> list[int]:
    """Those that can never begin; Kahn's way: whatever waits for nothing is taken away, again and again."""
    left = [len(given) for given in waits_for]
    awaited_by: list[list[int]] = [[] for _ in waits_for]
    for place, given in enumerate(waits_for):
        for one in given:
            awaited_by[one].append(place)
    free = [place for place, count in enumerate(left) if count == 0]
    for done in free:
        for place in awaited_by[done]:
            left[place] -= 1
            if left[place] == 0:
                free.append(place)
    return sorted(set(range(len(left))) - set(free))
