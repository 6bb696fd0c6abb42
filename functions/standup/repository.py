"""What a standup is drafted from: a few bounded reads, each of which says whether it saw everything."""

from datetime import datetime
from typing import NamedTuple

from forge.auth.actors import identity_of
from forge.context import Context
from forge.store import keys
from forge.store.ranges import SortRange
from forge.store.readings import Rows
from forge.store.walks import MAX_READ
from forge.work.issues.desks import may_see, read_issues
from forge.work.issues.issues import BOARD, ISSUES_LISTED, ISSUES_OF_AGENT, Half, IssueItem
from forge.work.issues.pages.sights import is_narrowed
from forge.work.record.log.rows import LOG_OF_ACTOR, LogItem
from functions.standup.rules import MOST_MOVED, is_move


class Material(NamedTuple):
    """Issues that changed lately, issues that are not done, and what the caller changed.

    As far as the caller may see the issues.
    """

    recent: list[IssueItem]
    live: list[IssueItem]
    moves: list[LogItem]
    is_cut: bool
    """There was more than could be looked at."""


def read(ctx: Context, since: datetime) -> Material:
    workspace_id, from_then_on = ctx.caller.workspace_id, SortRange(first=keys.sortable_time(since))
    recent = ctx.table.query_all(
        ISSUES_LISTED(workspace_id), index="updated", sort=from_then_on, is_descending=True, most=MAX_READ
    )
    live = _live(ctx)
    own = LOG_OF_ACTOR(workspace_id, identity_of(ctx.caller))
    changes = ctx.table.query_all(own, index="agent", sort=from_then_on, is_descending=True, most=MAX_READ)
    ends = [rows.next_position for rows in (recent, live, changes)]
    mine = [row for row in changes.of(LogItem) if is_move(row, ctx.caller)][:MOST_MOVED]
    return Material(_visible(ctx, recent), _visible(ctx, live), _of_visible(ctx, mine), any(ends))


def _live(ctx: Context) -> Rows:
    """An agent's issues have an index of their own; those of a person are found on the board."""
    workspace_id, agent_id = ctx.caller.workspace_id, ctx.caller.agent_id
    if agent_id:
        partition = ISSUES_OF_AGENT(workspace_id, agent_id, Half.LIVE)
        return ctx.table.query_all(partition, index="agent", is_descending=True, most=MAX_READ)
    board = BOARD(workspace_id, Half.LIVE)
    return ctx.table.query_all(board, index="board", is_descending=True, most=MAX_READ)


def _visible(ctx: Context, rows: Rows) -> list[IssueItem]:
    return [issue for issue in rows.of(IssueItem) if may_see(ctx, issue)]


def _of_visible(ctx: Context, changes: list[LogItem]) -> list[LogItem]:
    """A narrowed key knows nothing of what was done to issues that it may not see."""
    if not is_narrowed(ctx.caller):
        return changes
    reach = read_issues(ctx, {row.subject_id for row in changes})
    return [row for row in changes if reach.find(row.subject_id) is not None]
