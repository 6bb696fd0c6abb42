"""The figures of days, counted from the log: a stretch of its rows at a time, each in one transaction.

The transaction that adds a stretch to its day moves the place up to which the log was read. So whoever dies
in between has changed nothing, and of two who count at once one is overtaken. A row is counted two minutes
after it says that it was written: no call lives as long, so none comes to be behind that place later.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import takewhile
from typing import NamedTuple, TypeVar

from pydantic import ValidationError

from forge.contract.terms import EngagementMode
from forge.errors import Conflict
from forge.store.items import Item
from forge.store.keys import Key, sortable_time
from forge.store.ranges import SortRange
from forge.store.readings import Attributes, Readings
from forge.store.transactions import Transaction, overtaken
from forge.work.issues import counts
from forge.work.issues.desks import read_issues
from forge.work.issues.runs.runs import RUNS_OF_ISSUE, RunItem
from forge.work.overviews.figures import counting
from forge.work.overviews.figures.counting import Day, Known
from forge.work.overviews.figures.days import (
    FlowedItem,
    SpentBy,
    SpentItem,
    UsageCountedItem,
    midnight,
    rows_of_day,
)
from forge.work.plans.goals.gates import GateItem
from forge.work.plans.plans import PlanItem, StepTextItem
from forge.work.plans.requests.requests import RequestItem
from forge.work.record.log.rows import LogItem, log_partitions
from forge.work.workspace import reading_on, workspaces
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.reading_on import AGAIN, AGAIN_WHERE_QUIET, ReadUpToItem
from forge.work.workspace.statuses import StatusCategory
from forge.work.workspace.workers import Worker
from forge.work.workspace.workspaces import WorkspaceItem

SETTLED_AFTER = timedelta(minutes=2)
"""More than any call lives, with all its patience."""
STRETCH = 250
MOST_THINGS = 40
"""That rows of a stretch are about: each run is a write of its own, each issue that was done a request."""
MOST_STRETCHES = 20
"""In one look at a workspace; the rest is due at once, behind what others have due."""
_RUNS_LOOKED_AT = 10
_IN_WORK = frozenset({StatusCategory.IN_PROGRESS, StatusCategory.IN_REVIEW})

ItemT = TypeVar("ItemT", bound=Item)


class LogStretch(NamedTuple):
    rows: Sequence[LogItem]
    """The rows of one day."""
    place: str
    """Of the last of them."""
    is_last: bool


def look(worker: Worker, key: Key) -> bool:
    """Count what was logged since. That is nothing that happens: it changes nothing, whoever asks."""
    at = worker.store.table.find(ReadUpToItem, key)
    if at is None or at.look_at > worker.now:
        return False
    workspace = workspaces.get(worker.store.table, at.workspace_id)
    horizon, begun = worker.now - SETTLED_AFTER, at
    left = MOST_STRETCHES
    for shard, partition in enumerate(log_partitions(at.workspace_id, workspace.log_shards)):
        is_last = False
        while not is_last:
            if not left or not worker.has_time():
                _save(worker, at, at.changed(look_at=worker.now))
                return False
            stretch = _next(worker, at, str(shard), partition, horizon)
            is_last, left = stretch.is_last, left - 1
            if stretch.place != at.places.get(str(shard), ""):
                at = _count(worker, workspace, at, str(shard), stretch)
    wait = AGAIN if at != begun else AGAIN_WHERE_QUIET
    _finish(worker, workspace, at, at.changed(until=horizon, look_at=worker.now + wait))
    return False


def begin_where_missing(worker: Worker, workspace_ids: Iterable[str]) -> None:
    """Workspaces that a build without figures made have theirs counted from the beginning of their logs."""
    keys = {one: ReadUpToItem.at(one) for one in workspace_ids if one}
    known = worker.store.table.read(keys.values())
    for workspace_id, key in keys.items():
        if not known.has(key):
            tx = worker.begin(workspace_id)
            reading_on.begin(tx, workspace_id)
            with suppress(Conflict):
                worker.store.commit(tx)


def _next(worker: Worker, at: ReadUpToItem, shard: str, partition: str, horizon: datetime) -> LogStretch:
    """What follows in a shard, as far as it is of one day and not too much."""
    after, last = at.places.get(shard, ""), sortable_time(horizon)
    if after > last:
        return LogStretch((), after, is_last=True)
    # Bounds are included, and no row's place is that of another with something behind it.
    among = SortRange(first=f"{after}!" if after else "", last=last)
    found = worker.store.table.query(partition, limit=STRETCH, sort=among)
    has_more = found.next_position is not None
    placed = [(key.sort, _told_by(row)) for key, row in zip(found.keys, found, strict=True)]
    days = [row.created_at.date() for _, row in placed if row is not None]
    of_one_day = [*takewhile(lambda one: one[1] is None or one[1].created_at.date() == days[0], placed)]
    fits = of_one_day[: _how_many_fit([row for _, row in of_one_day])]
    is_last = not has_more and len(fits) == len(placed)
    return LogStretch([row for _, row in fits if row is not None], fits[-1][0] if fits else after, is_last)


def _told_by(row: Attributes) -> LogItem | None:
    """A row of the log as an item; None where this build can't read it, and counting goes on behind it."""
    try:
        return LogItem.from_attributes(row)
    except ValidationError:
        return None


def _how_many_fit(rows: Sequence[LogItem | None]) -> int:
    things: set[str] = set()
    for number, row in enumerate(rows):
        things.update([row.subject_id] if row and counting.tells_something(row) else [])
        if len(things) > MOST_THINGS:
            return number
    return len(rows)


def _count(
    worker: Worker, workspace: WorkspaceItem, at: ReadUpToItem, shard: str, stretch: LogStretch
) -> ReadUpToItem:
    """Add a stretch to its day; where it was read up to since."""
    after, tx = at.changed(places=at.places | {shard: stretch.place}), worker.begin(at.workspace_id)
    tx.replace(after)
    told = [row for row in stretch.rows if counting.tells_something(row)]
    if told:
        _add(tx, worker, workspace, told)
    worker.store.commit(tx)
    return after.changed(version=after.version + 1)


def _add(tx: Transaction, worker: Worker, workspace: WorkspaceItem, told: Sequence[LogItem]) -> None:
    day_name = str(told[0].created_at.date())
    readings = worker.store.table.read(rows_of_day(workspace.id, day_name))
    day, known = _day(workspace.id, day_name, readings), _read(worker, workspace, told)
    counting.count(day, told, known)
    for row in (*(day.spent.values() if day.counted else ()), day.flowed):
        _store(tx, row, is_there=readings.has(row.key))
    for run_id, one in day.counted.items():
        _store(tx, one, is_there=run_id in known.counted)


def _store(tx: Transaction, item: Item, *, is_there: bool) -> None:
    if is_there:
        tx.replace(item)
    else:
        tx.create(item, refusal=overtaken)


def _day(workspace_id: str, day: str, readings: Readings) -> Day:
    spent = {}
    for by in SpentBy:
        found = readings.find(SpentItem, SpentItem.at(workspace_id, by, day))
        spent[by] = found or SpentItem(workspace_id=workspace_id, by=by, begins=midnight(day))
    flowed = readings.find(FlowedItem, FlowedItem.at(workspace_id, day))
    return Day(spent, flowed or FlowedItem(workspace_id=workspace_id, begins=midnight(day)))


def _read(worker: Worker, workspace: WorkspaceItem, rows: Sequence[LogItem]) -> Known:
    """What the rows are about: four requests, and one for each issue that was done."""
    table, workspace_id = worker.store.table, workspace.id
    known = Known({one.id: one.category for one in workspace.statuses})
    run_ids = {row.subject_id for row in rows if counting.is_of_run(row)}
    decided = {row.subject_id: row.subject_type for row in rows if counting.is_decision(row)}
    runs_at = {one: RunItem.at(workspace_id, one) for one in run_ids}
    counted_at = {one: UsageCountedItem.at(workspace_id, one) for one in run_ids}
    gates_at = {one: GateItem.at(workspace_id, one) for one, kind in decided.items() if kind == counting.GATE}
    requests_at = {one: RequestItem.at(workspace_id, one) for one in decided.keys() - gates_at.keys()}
    wanted = (runs_at, counted_at, gates_at, requests_at)
    readings = table.read([place for places in wanted for place in places.values()])
    known.runs = _found(readings, RunItem, runs_at)
    known.counted = _found(readings, UsageCountedItem, counted_at)
    about = {row.about_issue for row in rows if row.about_issue}
    reach = read_issues(worker.context(workspace_id), about)
    known.issues = {one: issue for one in about if (issue := reach.find(one))}
    asked = [*_found(readings, GateItem, gates_at).values()]
    known.asked_at = {one.id: one.created_at for one in asked}
    known.asked_at |= {one.id: one.created_at for one in _found(readings, RequestItem, requests_at).values()}
    _read_about_runs(known, readings)
    for issue_id in {row.subject_id for row in rows if counting.is_done(row, known.categories)}:
        _read_who_did(worker, known, workspace_id, issue_id)
    return known


def _read_about_runs(known: Known, readings: Readings) -> None:
    """Read the goals that runs are for, and the models that their agents use."""
    runs = known.runs.values()
    steps = {
        run.id: StepTextItem.at(run.workspace_id, run.execution_step_id)
        for run in runs
        if run.execution_step_id
    }
    agents = {run.id: AgentItem.at(run.workspace_id, run.agent_id) for run in runs}
    readings.fetch([*steps.values(), *agents.values()])
    plans = {
        run.id: PlanItem.at(run.workspace_id, plan_id)
        for run in runs
        if (plan_id := _plan_of(readings, run, steps.get(run.id)))
    }
    readings.fetch(plans.values())
    for run in runs:
        plan = readings.find(PlanItem, plans[run.id]) if run.id in plans else None
        if plan is not None and plan.goal_id:
            known.goals[run.id] = plan.goal_id
        agent = readings.find(AgentItem, agents[run.id])
        known.models[run.id] = run.model or (agent.provider.lower() if agent else "")


def _plan_of(readings: Readings, run: RunItem, step: Key | None) -> str | None:
    found = readings.find(StepTextItem, step) if step else None
    return found.plan_id if found else run.plan_id


def _read_who_did(worker: Worker, known: Known, workspace_id: str, issue_id: str) -> None:
    """Whether some of its last runs were for doing it, and when the first of these began."""
    rows = worker.store.table.query(
        RUNS_OF_ISSUE(workspace_id, issue_id), index="subject", limit=_RUNS_LOOKED_AT, is_descending=True
    )
    runs = rows.first_ones().of(RunItem)
    begun = [run.started_at for run in runs if run.engagement_mode is EngagementMode.EXECUTE]
    if begun:
        known.begun_by_agents[issue_id] = min(begun)


def _finish(worker: Worker, workspace: WorkspaceItem, at: ReadUpToItem, after: ReadUpToItem) -> None:
    """Say until when all is counted, and how much is in work today."""
    today = str(worker.now.date())
    place = FlowedItem.at(at.workspace_id, today)
    found = worker.store.table.find(FlowedItem, place)
    by_status = counts.read_statuses(worker.store.table, workspace.id, None)
    in_work = sum(by_status[one.id] for one in workspace.statuses if one.category in _IN_WORK)
    tx = worker.begin(at.workspace_id)
    if found is None:
        row = FlowedItem(workspace_id=at.workspace_id, begins=midnight(today), in_work=in_work)
        tx.create(row, refusal=overtaken)
    elif found.in_work != in_work:
        tx.replace(found.changed(in_work=in_work))
    tx.replace(after)
    worker.store.commit(tx)


def _save(worker: Worker, at: ReadUpToItem, after: ReadUpToItem) -> None:
    tx = worker.begin(at.workspace_id)
    tx.replace(after)
    worker.store.commit(tx)


def _found(readings: Readings, kind: type[ItemT], places: Mapping[str, Key]) -> dict[str, ItemT]:
    found = {one: readings.find(kind, place) for one, place in places.items()}
    return {one: item for one, item in found.items() if item is not None}
