"""Reading issues for lists: the most selective index drives, and whatever it can't tell is filtered."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from forge.context import Context
from forge.errors import PreconditionFailed
from forge.store import keys
from forge.store.counters import read_counts
from forge.store.cursors import decode_cursor, encode_cursor
from forge.store.merged import Source, read_merged
from forge.store.pages import MAX_READ, Found
from forge.store.table import Attributes
from forge.work.issues import issue_keys
from forge.work.issues.issue_keys import by_urgency
from forge.work.issues.issues import IssueItem
from forge.work.people.names import MAX_NAMES, how_many_fit, keys_of
from forge.work.planning import projects
from forge.work.search import search
from forge.work.workspaces.statuses import StatusCopy
from functions.issues.models.reading import AssignedIssues, ListIssues, Order, OrderBy
from functions.issues.rules.filters import PLACES, States, Test

_MOST_SOURCES = 10

NOTHING: Found[IssueItem] = Found([], None, is_truncated=False, positions={})


def read_list(ctx: Context, request: ListIssues, states: States, accepts: Test) -> Found[IssueItem]:
    """One page of a list by index, in the order that was asked for."""
    order = request.order_by or OrderBy.PRIORITY
    is_descending = request.order is Order.DESC
    if order is OrderBy.TITLE:
        return _by_title(ctx, request, states, accepts)
    if order is OrderBy.UPDATED_AT:
        partition = keys.updated(ctx.caller.workspace_id, "ISSUE")
        sources = [Source(partition, "updated")]
    else:
        sources = _sources(ctx, request, states, has_priorities=order is not OrderBy.PRIORITY)
    if not sources:
        return NOTHING
    # Numbers are given in the order of creation, so both orders are one.
    name = OrderBy.CREATED_AT if order is OrderBy.IDENTIFIER else order
    return read_merged(
        ctx.table,
        IssueItem,
        sources,
        order=name,
        is_descending=is_descending,
        limit=request.limit,
        cursor=request.cursor,
        accepts=accepts,
    )


def search_list(ctx: Context, request: ListIssues, states: States, accepts: Test) -> Found[IssueItem]:
    """One page of what a query finds; cut short when the search could not see everything."""
    matches = search.find(ctx.table, ctx.caller.workspace_id, str(request.query))
    heads = [issue_keys.head(ctx.caller.workspace_id, issue_id) for issue_id in matches.issue_ids]
    rows = ctx.table.find_rows(heads[:MAX_READ])
    found = [IssueItem.from_attributes(rows[head]) for head in heads if head in rows]
    order = request.order_by or OrderBy.PRIORITY
    page = sorted_page(
        filter(accepts, found),
        PLACES[order],
        order=order,
        is_descending=request.order is Order.DESC,
        limit=request.limit,
        cursor=request.cursor,
    )
    return page if matches.is_complete else replace(page, is_truncated=True)


def sorted_page(
    issues: Iterable[IssueItem],
    place: Callable[[IssueItem], str],
    *,
    order: str,
    is_descending: bool,
    limit: int,
    cursor: str | None,
) -> Found[IssueItem]:
    """A page of issues that have all been read, for orders that no index gives."""
    ordered = sorted(issues, key=place, reverse=is_descending)
    if cursor:
        last = decode_cursor(cursor, lambda position: position.keys() == {order})[order]
        ordered = [one for one in ordered if (place(one) < last if is_descending else place(one) > last)]
    page = ordered[:limit]
    positions = {issue.key: {order: place(issue)} for issue in page}
    rest = encode_cursor(positions[page[-1].key]) if len(ordered) > limit else None
    return Found(page, rest, is_truncated=False, positions=positions)


def issues_of_agent(ctx: Context, request: AssignedIssues, agent_id: str, accepts: Test) -> Found[IssueItem]:
    """The most urgent first and then the oldest: no index has this order, so all of them are read."""
    halves = (False, True) if request.include_done else (False,)
    workspace_id = ctx.caller.workspace_id
    partitions = [issue_keys.issues_of_agent(workspace_id, agent_id, is_done=half) for half in halves]
    everything = _read_all(ctx, [Source(partition, "agent") for partition in partitions], accepts)
    page = sorted_page(
        everything.items,
        lambda issue: by_urgency(issue_keys.PRIORITIES - issue.priority.rank, issue.created_at, issue.id),
        order="assigned",
        is_descending=False,
        limit=request.limit,
        cursor=request.cursor,
    )
    return replace(page, is_truncated=everything.is_cut)


def fitting(found: Found[IssueItem]) -> Found[IssueItem]:
    """What of a page can have its names read in one request; usually all of it."""
    size = how_many_fit([keys_of(issue) for issue in found.items], most=MAX_NAMES)
    if size == len(found.items):
        return found
    return Found(
        found.items[:size], found.cursor_after(size - 1), is_truncated=True, positions=found.positions
    )


def total_of(ctx: Context, request: ListIssues, states: States, known: Sequence[StatusCopy]) -> int | None:
    """How many issues there are in all, where a count is kept of just these: on the first page, of all or a
    project, by status."""
    given = request.model_fields_set - {"order_by", "order", "limit", "fields", "include_done", "cursor"}
    narrowing = ctx.caller.narrowing
    is_counted = given <= {"status", "status_id", "status_categories", "project_id"}
    if request.cursor or not is_counted or narrowing.project_ids or narrowing.label_ids:
        return None
    name = f"issues#{request.project_id}" if request.project_id else "issues"
    counts = read_counts(ctx.table, ctx.caller.workspace_id, name, prefix="S#")
    wanted = [one.id for one in known if one.category in states.categories]
    ids = [one for one in wanted if states.status_ids is None or one in states.status_ids]
    return sum(counts[f"S#{status_id}"] for status_id in ids)


def initiatives_of_projects(ctx: Context) -> dict[str, str | None]:
    return {one.id: one.initiative_id for one in projects.list_all(ctx.table, ctx.caller.workspace_id)}


def _by_title(ctx: Context, request: ListIssues, states: States, accepts: Test) -> Found[IssueItem]:
    sources = _sources(ctx, request, states, has_priorities=False)
    if not sources:
        return NOTHING
    everything = _read_all(ctx, sources, accepts)
    if everything.is_cut:
        raise PreconditionFailed(
            f"Only up to {MAX_READ} issues can be ordered by title.", hint="Filter more, or order otherwise."
        )
    return sorted_page(
        everything.items,
        PLACES[OrderBy.TITLE],
        order=OrderBy.TITLE,
        is_descending=request.order is Order.DESC,
        limit=request.limit,
        cursor=request.cursor,
    )


class _Everything(NamedTuple):
    items: list[IssueItem]
    is_cut: bool


def _read_all(ctx: Context, sources: Sequence[Source], accepts: Test) -> _Everything:
    """As many as one call may read, in any order; and whether there are more."""
    found: list[IssueItem] = []
    left = MAX_READ
    for source in sources:
        # One more than may be read tells whether there are more.
        rows = ctx.table.query(source.partition, index=source.index, limit=left + 1, is_descending=True).rows
        if len(rows) > left:
            return _Everything([*found, *_accepted(rows[:left], accepts)], is_cut=True)
        found += _accepted(rows, accepts)
        left -= len(rows)
    return _Everything(found, is_cut=False)


def _accepted(rows: Iterable[Attributes], accepts: Test) -> list[IssueItem]:
    return [issue for row in rows if accepts(issue := IssueItem.from_attributes(row))]


def _sources(ctx: Context, request: ListIssues, states: States, *, has_priorities: bool) -> list[Source]:
    """The partitions to read; for creation order each priority of them by itself."""
    prefixes = [f"{rank}#" for rank in range(issue_keys.PRIORITIES)] if has_priorities else [""]
    driving = _driving(ctx, request, states)
    if len(driving) * len(prefixes) > _MOST_SOURCES:
        driving = _board(ctx, states)
    return [Source(partition, index, prefix) for partition, index in driving for prefix in prefixes]


def _driving(ctx: Context, request: ListIssues, states: States) -> list[tuple[str, str]]:
    workspace_id = ctx.caller.workspace_id
    if request.assigned_agent_id:
        return [
            (issue_keys.issues_of_agent(workspace_id, request.assigned_agent_id, is_done=half), "agent")
            for half in states.halves
        ]
    if request.cycle_id:
        return [(issue_keys.issues_of_cycle(workspace_id, request.cycle_id), "subject")]
    project_ids = _only_projects(ctx, request)
    if project_ids is not None:
        return [
            (issue_keys.issues_of_project(workspace_id, project_id, is_done=half), "project")
            for project_id in sorted(project_ids)
            for half in states.halves
        ]
    return _board(ctx, states)


def _board(ctx: Context, states: States) -> list[tuple[str, str]]:
    return [(issue_keys.board(ctx.caller.workspace_id, is_done=half), "board") for half in states.halves]


def _only_projects(ctx: Context, request: ListIssues) -> frozenset[str] | None:
    """The projects outside of which nothing can match, if the call or the key names some."""
    narrowing = ctx.caller.narrowing
    named = [frozenset(narrowing.project_ids)] if narrowing.project_ids and not narrowing.label_ids else []
    named += [frozenset({request.project_id})] if request.project_id else []
    named += [frozenset(request.project_ids)] if request.project_ids else []
    return frozenset.intersection(*named) if named else None
