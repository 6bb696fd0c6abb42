"""The issues that a key narrowed by labels may see: nothing counts just these, so they are looked at."""

from forge.context import Context
from forge.store.pages import Portion, read_page
from forge.store.walks import MAX_READ, one_partition
from forge.work.issues.desks import may_see
from forge.work.issues.issues import BOARD, Half, IssueItem


def visible_issues(ctx: Context) -> tuple[list[IssueItem], bool]:
    """Of the first so many of each half of the board; and whether that was not all of it."""
    halves = [
        one_partition(BOARD(ctx.caller.workspace_id, half), "board", is_descending=True) for half in Half
    ]
    found = [
        read_page(ctx.table, IssueItem, half, Portion(MAX_READ), accepts=lambda issue: may_see(ctx, issue))
        for half in halves
    ]
    return [issue for half in found for issue in half.items], any(half.goes_on_after for half in found)
