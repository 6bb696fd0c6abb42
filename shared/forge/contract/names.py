"""The two spellings of a tool's name, and what to suggest for a misspelt one."""

import re
from collections.abc import Iterable

_NO_WORD = re.compile(r"[\W_]+")
PORTABLE_NAME = re.compile(r"(?!.*__)[a-zA-Z][a-zA-Z0-9_]{2,39}")

# Of a name that begins another, or is a part of it: `desc` and `agent`, but not `x`.
_SHORTEST_BEGINNING, _SHORTEST_PART = 3, 5
# Below this similarity a suggestion misleads more than it helps.
_CLOSE_ENOUGH = 65
# The others are all named as well, and each means something else: `done` is not `abandoned`.
_NEARLY_THE_SAME = 75


def portable(canonical: str) -> str:
    """`issues.create` as the clients that refuse dots want it: `issues_create`."""
    return canonical.replace(".", "_")


def camel_case(snake: str) -> str:
    head, *rest = snake.split("_")
    return head + "".join(word.capitalize() for word in rest)


def closest_field(wanted: str, known: Iterable[str]) -> str | None:
    """The known field most like the wanted one, in whatever case and with whatever between its words."""
    # As in `closest`.
    from rapidfuzz import fuzz

    def bare(name: str) -> str:
        return "".join(filter(str.isalnum, name)).casefold()

    def likeness(name: str) -> float:
        one, other = bare(name), word
        is_part = one.startswith(other) or other.startswith(one)
        is_part = is_part or (len(other) >= _SHORTEST_PART and other in one)
        if is_part and min(len(one), len(other)) >= _SHORTEST_BEGINNING:
            return 100 - abs(len(one) - len(other)) / 100
        return float(fuzz.ratio(one, other))

    word = bare(wanted[:100])
    best = max(known, key=likeness, default=None)
    return best if best is not None and likeness(best) >= _CLOSE_ENOUGH else None


def closest_choice(wanted: str, choices: Iterable[str]) -> str | None:
    """The choice that was meant, if it is hardly in doubt: misspelt, or with a word or an ending too few."""
    # As in `closest`.
    from rapidfuzz import fuzz

    def words(text: str) -> list[str]:
        return [word for word in _NO_WORD.split(text.casefold()) if word]

    def likeness(choice: str) -> float:
        ours, theirs = words(choice), words(wanted[:100])
        is_begun = len("".join(theirs)) >= _SHORTEST_BEGINNING and "".join(ours).startswith("".join(theirs))
        if is_begun or (theirs and set(theirs) < set(ours)):
            return 100
        return float(fuzz.ratio(" ".join(ours), " ".join(theirs)))

    likely = {choice: likeness(choice) for choice in choices}
    best = [choice for choice, score in likely.items() if score == max(likely.values())]
    return best[0] if len(best) == 1 and likely[best[0]] >= _NEARLY_THE_SAME else None


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
