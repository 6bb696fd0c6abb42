"""What is read beside the figures of days: how far they go, and names."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from forge.context import Context
from forge.store.items import Item
from forge.work.overviews.figures.days import SpentBy
from forge.work.plans.goals.goals import GoalItem
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.projects.projects import ProjectItem
from forge.work.workspace.reading_on import ReadUpToItem

_KINDS: Mapping[SpentBy, type[Item]] = {
    SpentBy.AGENT: AgentItem,
    SpentBy.PROJECT: ProjectItem,
    SpentBy.GOAL: GoalItem,
}
_CALLED = ("name", "title")


def read_names(ctx: Context, by: SpentBy, ids: Sequence[str] = ()) -> tuple[datetime | None, dict[str, str]]:
    """Until when all is counted, and what these are called; what is gone keeps its id. One request."""
    workspace_id, kind = ctx.caller.workspace_id, _KINDS.get(by)
    place = ReadUpToItem.at(workspace_id)
    places = {one: kind.at(workspace_id, one) for one in ids} if kind else {}
    readings = ctx.table.read([place, *places.values()])
    at = readings.find(ReadUpToItem, place)
    found = {one: readings.find(kind, key) for one, key in places.items()} if kind else {}
    return at.until if at else None, {one: _name_of(item) for one, item in found.items() if item}


def _name_of(item: Item) -> str:
    return next(str(getattr(item, name)) for name in _CALLED if hasattr(item, name))
