"""What days cost, and what flowed on them."""

from datetime import datetime

from forge.context import Context
from forge.contract.effects import Cost
from forge.work.overviews.figures import days as kept
from forge.work.overviews.figures.days import NONE, SpentBy
from functions.analytics.models.figures import (
    Amount,
    Answers,
    CostBy,
    CostDay,
    CostFigures,
    CostRow,
    FlowDay,
    FlowFigures,
    Reviews,
    ShowCost,
    ShowFlow,
)
from functions.analytics.repository import figures as repository
from functions.analytics.rules import figures as rules
from functions.analytics.rules.figures import Costs, Flow, Priced
from functions.analytics.tools import namespace

_OF_NONE = "none"
_LARGE = "a quarter of crowded days is more than a megabyte"


@namespace.reads(
    costs=Cost(reads=3).up_to(reads=10, because=_LARGE),
    asks=[
        "what did it cost this month",
        "money spent per agent, model, project or goal",
        "how much does an accepted change cost",
        "spend per day",
        "which agent is the most expensive",
    ],
)
def cost(request: ShowCost, ctx: Context) -> CostFigures:
    """Tell what agents' runs cost on each of a range of days, and by agent, model, project or goal.

    Counted from what runs report, some minutes later. An accepted change is an issue that was done and
    that an agent carried out. A key narrowed to projects sees theirs, by DAY or PROJECT alone; one
    narrowed otherwise is refused. Example: {"since": "2026-11-01", "until": "2026-11-30", "by": "AGENT"}
    """
    projects = rules.projects_seen(ctx.caller)
    if projects is not None:
        rules.require_told_by_project(request.by)
    days = rules.days_of(request.since, request.until, ctx.now().date())
    # Days are the sum of whatever they are told apart by; those of projects alone are told to a narrowed key.
    by = SpentBy.PROJECT if request.by is CostBy.DAY else SpentBy(request.by)
    spent = kept.read_spent(ctx.table, ctx.caller.workspace_id, by, days)
    flowed = kept.read_flowed(ctx.table, ctx.caller.workspace_id, days)
    found = rules.costs(days, spent, flowed, projects=projects)
    is_told_apart = request.by is not CostBy.DAY
    shown = [one.name for one in found.dearest if one.name != NONE] if is_told_apart else []
    until, names = repository.read_names(ctx, by, shown)
    figures = _costs(found, until)
    if not is_told_apart:
        return figures
    rows = [_row(one, names.get(one.name, one.name)) for one in found.dearest]
    others = Amount.of(found.others) if found.others else None
    return figures.model_copy(update={"rows": rows, "others": others})


@namespace.reads(
    costs=Cost(reads=2).up_to(reads=9, because=_LARGE),
    asks=[
        "throughput per day",
        "cycle time",
        "how long do issues take",
        "review pass rate",
        "how long do agents wait for people",
        "work in progress over time",
    ],
)
def flow(request: ShowFlow, ctx: Context) -> FlowFigures:
    """Tell how work flowed on each of a range of days: made, done, cycle time, reviews, waiting for people.

    Counted from the log, some minutes later; done counts moves into a DONE status, so what is opened again
    counts twice. Percentiles are right within a tenth. A key narrowed to projects sees theirs; one narrowed
    otherwise is refused. Example: {"since": "2026-11-01"}
    """
    projects = rules.projects_seen(ctx.caller)
    days = rules.days_of(request.since, request.until, ctx.now().date())
    flowed = kept.read_flowed(ctx.table, ctx.caller.workspace_id, days)
    until, _ = repository.read_names(ctx, SpentBy.PROJECT)
    return _flow(rules.flows(days, flowed, projects=projects), until)


def _costs(found: Costs, until: datetime | None) -> CostFigures:
    by_day = [CostDay.of(spent, day=day, accepted_changes=accepted) for day, spent, accepted in found.by_day]
    return CostFigures.of(
        found.total,
        since=by_day[0].day,
        until=by_day[-1].day,
        counted_until=until,
        accepted_changes=found.accepted,
        usd_per_accepted_change=found.per_accepted,
        days=by_day,
        rows=None,
        others=None,
    )


def _row(one: Priced, name: str) -> CostRow:
    is_none = one.name == NONE
    return CostRow.of(
        one.total,
        id=None if is_none else one.name,
        name=_OF_NONE if is_none else name,
        usd_by_day=one.by_day,
    )


def _flow(days: list[Flow], until: datetime | None) -> FlowFigures:
    total = rules.flowed_in(one.sum for one in days)
    half, most = rules.halves(total.cycle)
    waited = rules.halves(total.waited)
    return FlowFigures.of(
        total,
        since=days[0].day,
        until=days[-1].day,
        counted_until=until,
        accepted_changes=total.accepted,
        cycle_p50_minutes=half,
        cycle_p90_minutes=most,
        reviews=Reviews.of(total, pass_rate=rules.pass_rate(total)),
        people=Answers.of(total, minutes=total.waited_minutes, p50_minutes=waited[0], p90_minutes=waited[1]),
        days=[_flow_day(one) for one in days],
    )


def _flow_day(one: Flow) -> FlowDay:
    half, most = one.cycle
    return FlowDay.of(
        one.sum,
        day=one.day,
        accepted_changes=one.sum.accepted,
        cycle_p50_minutes=half,
        cycle_p90_minutes=most,
        in_work=one.in_work,
    )
