"""The sum of the workspace as it is."""

from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.models import NoArguments
from forge.work.issues import counts as counting
from forge.work.workspace import workspaces
from functions.analytics.models.totals import Breaches, StatusCount, Summary, Throughput
from functions.analytics.repository import totals as repository
from functions.analytics.rules import totals as rules
from functions.analytics.rules.totals import Figures
from functions.analytics.tools import namespace


@namespace.reads(
    costs=Cost(reads=2).up_to(reads=51, because="a narrowed key sees fifty projects"),
    asks=[
        "how many issues are open",
        "statistics and numbers of the workspace",
        "how much was done this week",
        "velocity",
        "SLA breaches and what stalled this month",
    ],
)
def summary(request: NoArguments, ctx: Context) -> Summary:
    """Sum up the workspace: issues by status, how many were done, and what went wrong.

    throughput is what was done in the last 7 and 30 days, breaches what missed its SLA, stalled or was not
    acknowledged in the last 30; days are UTC's, today included. A key narrowed to projects gets their
    figures; one narrowed to labels what it sees of the first 1,000 issues, without breaches.
    Example: {}
    """
    today, narrowing = ctx.now().date(), ctx.caller.narrowing
    statuses = workspaces.get(ctx.table, ctx.caller.workspace_id).statuses
    if narrowing.label_ids:
        issues, is_cut = repository.visible_issues(ctx)
        return _shown(rules.figures(rules.counted(issues), statuses, today), breaches=None, is_cut=is_cut)
    projects = sorted(narrowing.project_ids) or None
    since = rules.first_day(today)
    counts = counting.read(ctx.table, ctx.caller.workspace_id, projects, since=since)
    found = rules.figures(counts, statuses, today)
    breaches = Breaches.model_validate({kind.lower(): count for kind, count in found.breaches.items()})
    return _shown(found, breaches=breaches)


def _shown(found: Figures, *, breaches: Breaches | None, is_cut: bool = False) -> Summary:
    return Summary(
        open_issues=found.open_issues,
        done_issues=found.done_issues,
        by_status=[StatusCount.of(one, status_id=one.id, count=count) for one, count in found.by_status],
        throughput=Throughput(last7_days=found.done_in_week, last30_days=found.done_in_month),
        breaches=breaches,
        truncated=is_cut or None,
    )
