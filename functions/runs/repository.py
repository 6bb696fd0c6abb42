"""Finding a run with its issue, and lists of runs."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from forge.context import Context
from forge.store import keys
from forge.store.keys import Key
from forge.store.pages import MAX_READ, Found, Listing, read_page
from forge.store.readings import Readings
from forge.store.table import EVERYTHING, SortRange
from forge.work.artifacts import artifact_keys
from forge.work.artifacts.artifacts import ArtifactItem
from forge.work.issues import issue_keys
from forge.work.issues.desks import (
    Desk,
    Parts,
    Reference,
    look_at,
    no_such_issue,
    nothing_more,
    open_issue,
    resolve,
    settings_key,
)
from forge.work.issues.issues import BodyItem, IssueItem
from forge.work.paging.sights import is_narrowed, page_of_visible
from forge.work.people import people_keys
from forge.work.people.names import MAX_NAMES, Names, how_many_fit
from forge.work.runs import run_keys, runs
from forge.work.runs.runs import RunItem
from functions.runs.models import ListRuns
from functions.runs.rules.gates import Expected


def open_run(ctx: Context, run_id: str) -> tuple[RunItem, Desk]:
    """A run with its issue, which the caller may see; two requests."""
    run, readings = _get(ctx, run_id)
    return run, open_issue(ctx, run.issue_id, readings=readings)


def open_own(ctx: Context, run_id: str, parts: Parts = nothing_more) -> tuple[RunItem, Desk]:
    """The same, for what only the agent whose run it is may do."""
    run, readings = _get(ctx, run_id)
    runs.require_own(run, ctx.caller)
    return run, open_issue(ctx, run.issue_id, parts, readings=readings)


def open_reported(ctx: Context, run_id: str, artifact_ids: Sequence[str]) -> tuple[RunItem, Desk, Expected]:
    """The caller's own run, and what its issue asks of its end; two requests."""
    workspace_id = ctx.caller.workspace_id
    places = {one: artifact_keys.artifact(workspace_id, one) for one in artifact_ids}

    def parts(issue_id: str) -> list[Key]:
        own = people_keys.agent(workspace_id, str(ctx.caller.agent_id))
        return [issue_keys.body(workspace_id, issue_id), own, *places.values()]

    run, desk = open_own(ctx, run_id, parts)
    artifacts = {one: desk.find(ArtifactItem, place) for one, place in places.items()}
    return run, desk, Expected(desk.issue, body_of(desk).verification_checklist, artifacts)


def body_of(desk: Desk) -> BodyItem:
    """Where the checklist is."""
    return desk.get(BodyItem, issue_keys.body(desk.issue.workspace_id, desk.issue.id))


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
    issue_ids = {run.issue_id for run in considered} | ({asked.issue_id} if asked else set())
    agents = {people_keys.agent(run.workspace_id, run.agent_id) for run in considered}
    reach = look_at(ctx, issue_ids, also=[settings_key(ctx), *agents])
    if asked:
        reach.show(asked, missing=no_such_issue(str(request.issue_id)))
    seen = {issue_id: issue for issue_id in issue_ids if (issue := reach.find(issue_id))}
    visible = [run for run in considered if run.issue_id in seen]
    page = page_of_visible(read, visible, considered=len(considered), limit=request.limit)
    return Listed(page, seen, reach.names)


def _get(ctx: Context, run_id: str) -> tuple[RunItem, Readings]:
    key = run_keys.run(ctx.caller.workspace_id, run_id)
    readings = ctx.table.read([key])
    run = readings.find(RunItem, key)
    if run is None:
        raise runs.no_such_run(run_id)
    return run, readings


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


def _beside(run: RunItem) -> tuple[str, str]:
    """What is shown with a run, and decides whether it is."""
    return run.issue_id, run.agent_id
