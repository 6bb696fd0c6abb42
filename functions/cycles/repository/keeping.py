"""Reading cycles, and the issues of one."""

from collections.abc import Iterable
from typing import NamedTuple

from forge.context import Context
from forge.store.cursors import Cursors
from forge.store.pages import AskedPage, Found, page_among
from forge.store.readings import Readings
from forge.store.walks import MAX_READ
from forge.work.content.cycles import cycles
from forge.work.content.cycles.cycles import CycleItem
from forge.work.issues.desks import may_see
from forge.work.issues.issues import ISSUES_OF_CYCLE, IssueItem
from forge.work.workspace.guards import GuardItem
from forge.work.workspace.people.names import how_many_fit, keys_of
from forge.work.workspace.projects.projects import CYCLE_COUNT

_TOO_MANY = f"Only {MAX_READ} issues of a cycle are looked at: issues.list with cycleId has all."


class CycleRead(NamedTuple):
    """A cycle with how many issues it has, and which one is current."""

    cycle: CycleItem
    issue_count: int
    active: GuardItem | None


def get(ctx: Context, cycle_id: str) -> CycleRead:
    """One request; NotFound where there is no such cycle."""
    workspace_id = ctx.caller.workspace_id
    active = cycles.active_key(workspace_id)
    wanted = [CycleItem.at(workspace_id, cycle_id), CYCLE_COUNT(workspace_id, cycle_id)]
    readings = ctx.table.read([*wanted, active])
    cycle = cycles.get(readings, workspace_id, cycle_id)
    return CycleRead(cycle, cycles.count_in(readings, cycle), readings.find(GuardItem, active))


def find_current(ctx: Context) -> CycleRead | None:
    active = ctx.table.find(GuardItem, cycles.active_key(ctx.caller.workspace_id))
    return get(ctx, active.owner_id) if active else None


def counts_of(ctx: Context, found: Iterable[CycleItem]) -> Readings:
    return ctx.table.read(CYCLE_COUNT(one.workspace_id, one.id) for one in found)


def issues_of(ctx: Context, cycle: CycleItem, asked: AskedPage) -> Found[IssueItem]:
    """The most urgent first and then the oldest; no index has this order, so all of them are read."""
    partition = ISSUES_OF_CYCLE(cycle.workspace_id, cycle.id)
    rows = ctx.table.query_all(partition, index="subject", most=MAX_READ, is_descending=True)
    is_cut = rows.next_position is not None
    page = page_among(
        (issue for issue in rows.of(IssueItem) if may_see(ctx, issue)),
        lambda issue: issue.precedence,
        asked,
        cursors=Cursors(cycle.workspace_id, "cycle", cycle.id),
    )
    fitting = page.first(how_many_fit([keys_of(issue) for issue in page.items]))
    return fitting.cut_short(_TOO_MANY) if is_cut else fitting
