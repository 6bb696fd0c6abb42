"""The two spellings of a tool's name, and what to suggest for a misspelt one."""

import re
from collections.abc import Iterable

PORTABLE_NAME = re.compile(r"(?!.*__)[a-zA-Z][a-zA-Z0-9_]{2,39}")

# Below this similarity a suggestion misleads more than it helps.
_CLOSE_ENOUGH = 60


def portable(canonical: str) -> str:
    """`issues.create` as the clients that refuse dots want it: `issues_create`."""
    return canonical.replace(".", "_")


def camel_case(snake: str) -> str:
    head, *rest = snake.split("_")
    return head + "".join(word.capitalize() for word in rest)


def closest(wanted: str, known: Iterable[str], *, limit: int = 3) -> list[str]:
    """The known names most like the wanted one, best first."""
    # Imported here: rapidfuzz costs a cold start 20 ms, and only mistakes need it.
    from rapidfuzz import fuzz, process, utils

    def likeness(one: str, other: str, **_: object) -> float:
        # Whole names only: matching parts would find `max` for `x`. Words may stand in another order.
        return max(fuzz.ratio(one, other), fuzz.token_sort_ratio(one, other))

    found = process.extract(
        wanted[:100],
        list(known),
        scorer=likeness,
        processor=utils.default_process,
        limit=limit,
        score_cutoff=_CLOSE_ENOUGH,
    )
    return [name for name, _, _ in found]
