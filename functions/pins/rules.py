"""How many issues can be pinned."""

from collections.abc import Iterable

from forge.errors import InvalidInput

MOST = 3


def pinned(issue_ids: Iterable[str]) -> list[str]:
    """Each once, in the order in which they were first named; too many are refused and never cut."""
    unique = list(dict.fromkeys(issue_ids))
    if len(unique) > MOST:
        raise InvalidInput(
            f"At most {MOST} issues can be pinned, and these are {len(unique)}.",
            issues={"issueIds": f"Name at most {MOST} of them."},
        )
    return unique
