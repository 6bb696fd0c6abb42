"""Finding a run with its issue, and lists of runs."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from forge.context import Context
from forge.store import keys
from forge.store.keys import Key
from forge.store.pages import MAX_READ, Found, Listing, read_page
from forge.store.table import EVERYTHING, SortRange
from forge.work.issues import issue_keys
from forge.work.issues.desks import (
    Desk,
    Parts,
    Reference,
    may_see,
    no_such_issue,
    nothing_more,
    open_issue,
    require_visible,
    resolve,
    workspace_in,
)
from forge.work.issues.issues import IssueItem
from forge.work.paging.sights import is_narrowed, page_of_visible
from forge.work.people import people_keys
from forge.work.people.names import MAX_NAMES, Names, how_many_fit
from forge.work.runs import run_keys, runs
from forge.work.runs.runs import RunItem
from forge.work.workspaces import workspace_keys
from functions.runs.models import ListRuns


def open_run(ctx: Context, run_id: str) -> tuple[RunItem, Desk]:
    """A run with its issue, which the caller may see; two requests."""
    run = _get(ctx, run_id)
    return run, open_issue(ctx, run.issue_id)


def open_own(ctx: Context, run_id: str, parts: Parts = nothing_more) -> tuple[RunItem, Desk]:
    """The same, for what only the agent whose run it is may do."""
    run = _get(ctx, run_id)
    runs.require_own(run, ctx.caller)
    return run, open_issue(ctx, run.issue_id, parts)


class Listed(NamedTuple):
    """A page of runs, and what is shown with each."""

    found: Found[RunItem]
    issues: Mapping[str, IssueItem]
    names: Names


def read_list(ctx: Context, request: ListRuns) -> Listed:
    """Runs whose issue the caller may see, those that started last first; two requests."""
    asked = resolve(ctx, request.issue_id) if request.issue_id else None
    read = _read(ctx, request, asked=asked)
    considered = read.items[: how_many_fit([_beside(run) for run in read.items], most=MAX_NAMES - 1)]
    issues, names = _look_up(ctx, considered, asked=asked)
    if asked:
        issue = issues.get(asked.issue_id)
        if issue is None or not asked.is_of(names.workspace):
            raise no_such_issue(str(request.issue_id))
        require_visible(ctx, issue)
    visible = [run for run in considered if run.issue_id in issues and may_see(ctx, issues[run.issue_id])]
    page = page_of_visible(read, visible, considered=len(considered), limit=request.limit)
    return Listed(page, issues, names)


def _get(ctx: Context, run_id: str) -> RunItem:
    key = run_keys.run(ctx.caller.workspace_id, run_id)
    return ctx.table.get(RunItem, key, missing=runs.no_such_run(run_id))


def _read(ctx: Context, request: ListRuns, *, asked: Reference | None) -> Found[RunItem]:
    """What the most selective index gives; the rest of the filters is looked at in memory."""
    workspace_id, agent_id, status = ctx.caller.workspace_id, request.agent_id, request.status
    partition, index = keys.updated(workspace_id, "RUN"), "updated"
    if asked:
        partition, index = run_keys.runs_of_issue(workspace_id, asked.issue_id), "subject"
    elif agent_id:
        partition, index = run_keys.runs_of_agent(workspace_id, agent_id), "agent"
    narrowed = is_narrowed(ctx.caller)
    is_filtered = narrowed or status is not None or (asked is not None and agent_id is not None)

    def accepts(run: RunItem) -> bool:
        return status in (None, run.status) and agent_id in (None, run.agent_id)

    # Rows begin with their time and go on with an id, so that this bound leaves out those of the time itself.
    until = SortRange(last=keys.sortable_time(request.before)) if request.before else EVERYTHING
    return read_page(
        ctx.table,
        RunItem,
        Listing(keys.workspace_prefix(workspace_id), partition, index, until, is_descending=True),
        limit=MAX_READ if narrowed else request.limit,
        cursor=request.cursor,
        accepts=accepts if is_filtered else None,
    )


def _beside(run: RunItem) -> tuple[Key, Key]:
    """What is shown with a run, and decides whether it is."""
    return issue_keys.head(run.workspace_id, run.issue_id), people_keys.agent(run.workspace_id, run.agent_id)


def _look_up(
    ctx: Context, shown: Sequence[RunItem], *, asked: Reference | None
) -> tuple[dict[str, IssueItem], Names]:
    """The issues of these runs and the one that was asked for, as far as they are there, and names."""
    workspace_id = ctx.caller.workspace_id
    issue_ids = {run.issue_id for run in shown} | ({asked.issue_id} if asked else set())
    heads = {issue_keys.head(workspace_id, issue_id) for issue_id in issue_ids}
    agents = {people_keys.agent(workspace_id, run.agent_id) for run in shown}
    rows = ctx.table.find_rows({workspace_keys.workspace(workspace_id)} | heads | agents)
    found = [IssueItem.from_attributes(rows[head]) for head in heads if head in rows]
    issues = {issue.id: issue for issue in found if issue.deleted_at is None}
    return issues, Names(workspace_in(ctx, rows), rows)
