"""Reading the issues that are planned."""

from collections.abc import Iterable

from forge.context import Context
from forge.errors import InvalidInput, NotFound
from forge.work.issues.desks import Desk, open_issues


def open_named(ctx: Context, given: Iterable[str], *, field: str) -> list[Desk]:
    """Issues that a field names; one that is not there is a mistake in it."""
    try:
        return open_issues(ctx, given)
    except NotFound as missing:
        raise InvalidInput(str(missing), issues={field: str(missing)}, hint=missing.hint) from None
