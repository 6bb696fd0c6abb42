"""What an answer tells a client that can come back for the end of something."""

from forge.context import Context
from forge.contract.awaiting import Waits
from forge.work.issues.runs.runs import RunItem
from forge.work.overviews.tasks.standings import LONGEST, owned_by
from forge.work.plans.gateway.tasks import TaskItem
from forge.work.plans.requests.requests import RequestItem


def is_awaited(ctx: Context, *, is_wanted: bool) -> bool:
    """Whether a client comes back for the end, now or still."""
    return ctx.call.takes_tasks and (is_wanted or ctx.call.task is not None)


def waits_for_request(ctx: Context, one: RequestItem, *, is_wanted: bool) -> Waits | None:
    """Who asks for the same again is told the same, for a day; after that it is another wait."""
    if not (is_wanted and ctx.call.takes_tasks and owned_by(one, ctx.caller)):
        return None
    since = one.created_at + (ctx.now() - one.created_at) // LONGEST * LONGEST
    return Waits(id=one.id, since=since, until=since + LONGEST)


def waits_for_run(ctx: Context, run: RunItem) -> Waits | None:
    since = run.waiting_since
    if since is None or not ctx.call.takes_tasks:
        return None
    return Waits(id=run.id, since=since, until=since + LONGEST)


def waits_for_job(ctx: Context, task: TaskItem) -> Waits | None:
    if not ctx.call.takes_tasks:
        return None
    return Waits(id=task.id, since=task.created_at, until=task.created_at + LONGEST)
