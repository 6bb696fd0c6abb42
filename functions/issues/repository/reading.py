"""Reading issues for lists: the most selective index drives, and whatever it can't tell is filtered."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from forge.context import Context
from forge.errors import PreconditionFailed
from forge.store.cursors import Cursors
from forge.store.pages import Found, page_among, read_page
from forge.store.ranges import SortRange
from forge.store.walks import MAX_READ, Listing, Source
from forge.work.content.references.resolving import places_of, require_known
from forge.work.issues import counts as counting
from forge.work.issues.claims.rows import ClaimItem
from forge.work.issues.desks import read_issues, settings_in, settings_key
from forge.work.issues.inbox.rows import OF_AGENT
from forge.work.issues.issues import (
    BOARD,
    ISSUES_LISTED,
    ISSUES_OF_AGENT,
    ISSUES_OF_CYCLE,
    ISSUES_OF_PROJECT,
    PRIORITIES,
    Half,
    IssueItem,
)
from forge.work.record.search import search
from forge.work.record.search.words import query_of
from forge.work.workspace.people.names import Names, how_many_fit, keys_of
from forge.work.workspace.projects import projects
from forge.work.workspace.statuses import StatusCopy
from functions.issues.models.reading import AssignedIssues, IssueOrder, ListIssues, OrderBy
from functions.issues.rules.reading import PLACES, States, Test

_MOST_SOURCES = 10
_TOO_COMMON = "These words are too common for all of their issues to be looked at: add a rarer one."
_TOO_MANY = f"Only {MAX_READ} issues of an agent are looked at: issues.list with assignedAgentId has all."


def read_list(ctx: Context, request: ListIssues, states: States, accepts: Test) -> Found[IssueItem]:
    """One page of a list by index, in the order that was asked for."""
    order = request.order_by or OrderBy.PRIORITY
    if order is OrderBy.TITLE:
        return _by_title(ctx, request, states, accepts)
    if order is OrderBy.UPDATED_AT:
        sources = [Source(ISSUES_LISTED(ctx.caller.workspace_id), "updated")]
    else:
        sources = _sources(ctx, request, states, has_priorities=order is not OrderBy.PRIORITY)
    # Numbers are given in the order of creation; those given at one moment, the page puts right.
    name = OrderBy.CREATED_AT if order is OrderBy.IDENTIFIER else order
    listing = Listing(sources, _cursors(ctx, name, request.order), request.order is IssueOrder.DESC)
    return read_page(ctx.table, IssueItem, listing, request, accepts=accepts)


def search_list(ctx: Context, request: ListIssues, states: States, accepts: Test) -> Found[IssueItem]:
    """One page of what a query finds; cut short when the search could not see everything."""
    query, workspace_id = query_of(str(request.query)), ctx.caller.workspace_id
    matches = search.find(ctx.table, workspace_id, query)
    reach = read_issues(ctx, matches.issue_ids)
    issues = [issue for issue_id in matches.issue_ids if (issue := reach.find(issue_id)) and accepts(issue)]
    titles = {issue.id: issue.title for issue in issues}
    found = search.confirmed(ctx.table, workspace_id, query, titles)
    page = _sorted_page(ctx, (issue for issue in issues if issue.id in found), request)
    return page if matches.is_complete else page.cut_short(_TOO_COMMON)


def issues_of_agent(ctx: Context, request: AssignedIssues, agent_id: str, accepts: Test) -> Found[IssueItem]:
    """What an agent has been given or has claimed, the most urgent first and then the oldest.

    No index has this order, so all of them are read.
    """
    halves = Half if request.include_done else (Half.LIVE,)
    workspace_id = ctx.caller.workspace_id
    partitions = [ISSUES_OF_AGENT(workspace_id, agent_id, half) for half in halves]
    everything = _read_all(ctx, [Source(partition, "agent") for partition in partitions], accepts)
    claimed = _claimed(ctx, agent_id, accepts)
    # The heads of what is claimed are read strongly, and so win over what the index says.
    has = {issue.id: issue for issue in (*everything.items, *claimed.items)}
    page = page_among(
        has.values(),
        lambda issue: issue.precedence,
        request,
        cursors=_cursors(ctx, "assigned"),
    )
    return page.cut_short(_TOO_MANY) if everything.is_cut or claimed.is_cut else page


def _claimed(ctx: Context, agent_id: str, accepts: Test) -> "_Everything":
    """A claim that has expired, or that was ended since, leaves nothing to find here."""
    partition = OF_AGENT(ctx.caller.workspace_id, agent_id)
    rows = ctx.table.query_all(partition, sort=SortRange(prefix=ClaimItem.stored.prefix()), most=MAX_READ)
    is_cut, issue_ids = rows.next_position is not None, [row.issue_id for row in rows.of(ClaimItem)]
    reach = read_issues(ctx, issue_ids)
    found = [issue for issue_id in issue_ids if (issue := reach.find(issue_id))]
    own = [one for one in found if one.claimed_by_agent_id == agent_id and one.is_claimed(ctx.now())]
    return _Everything([one for one in own if accepts(one)], is_cut)


def fitting(found: Found[IssueItem]) -> Found[IssueItem]:
    """What of a page can have its names read in one request; usually all of it."""
    return found.first(how_many_fit([keys_of(issue) for issue in found.items]))


def names_for(ctx: Context, found: Found[IssueItem], request: ListIssues | AssignedIssues) -> Names:
    """What the issues of a page are shown with, and proof that what was asked for exists; one request."""
    wanted = dict.fromkeys(key for issue in found.items for key in keys_of(issue))
    asked_for = places_of(request, ctx)
    readings = ctx.table.read([settings_key(ctx), *asked_for, *wanted])
    require_known(ctx, asked_for, readings)
    return Names(settings_in(ctx, readings), readings)


def total_of(ctx: Context, request: ListIssues, states: States, known: Sequence[StatusCopy]) -> int | None:
    """How many issues there are in all, where a count is kept of just these: on the first page, of all or a
    project, by status."""
    given = request.model_fields_set - {"order_by", "order", "limit", "fields", "include_done", "cursor"}
    narrowing = ctx.caller.narrowing
    is_counted = given <= {"status", "status_id", "status_categories", "project_id"}
    if request.cursor or not is_counted or narrowing.project_ids or narrowing.label_ids:
        return None
    counts = counting.read_statuses(ctx.table, ctx.caller.workspace_id, request.project_id)
    wanted = [one.id for one in known if one.category in states.categories]
    ids = [one for one in wanted if states.status_ids is None or one in states.status_ids]
    return sum(counts[status_id] for status_id in ids)


def initiatives_of_projects(ctx: Context) -> dict[str, str | None]:
    return {one.id: one.initiative_id for one in projects.list_all(ctx.table, ctx.caller.workspace_id)}


def _by_title(ctx: Context, request: ListIssues, states: States, accepts: Test) -> Found[IssueItem]:
    everything = _read_all(ctx, _sources(ctx, request, states, has_priorities=False), accepts)
    if everything.is_cut:
        raise PreconditionFailed(
            f"Only up to {MAX_READ} issues can be ordered by title.", hint="Filter more, or order otherwise."
        )
    return _sorted_page(ctx, everything.items, request)


def _sorted_page(ctx: Context, issues: Iterable[IssueItem], request: ListIssues) -> Found[IssueItem]:
    order = request.order_by or OrderBy.PRIORITY
    return page_among(
        issues,
        PLACES[order],
        request,
        cursors=_cursors(ctx, "sorted", order, request.order),
        is_descending=request.order is IssueOrder.DESC,
    )


def _cursors(ctx: Context, *order: str) -> Cursors:
    return Cursors(ctx.caller.workspace_id, "issues", *order)


class _Everything(NamedTuple):
    items: list[IssueItem]
    is_cut: bool


def _read_all(ctx: Context, sources: Sequence[Source], accepts: Test) -> _Everything:
    """As many as one call may read, in any order; and whether there are more."""
    found: list[IssueItem] = []
    left = MAX_READ
    for source in sources:
        most = max(left, 1)
        rows = ctx.table.query_all(source.partition, index=source.index, most=most, is_descending=True)
        is_cut = rows.next_position is not None or len(rows) > left
        found += [issue for issue in rows.of(IssueItem)[:left] if accepts(issue)]
        if is_cut:
            return _Everything(found, is_cut)
        left -= len(rows)
    return _Everything(found, is_cut=False)


def _sources(ctx: Context, request: ListIssues, states: States, *, has_priorities: bool) -> list[Source]:
    """The partitions to read; for creation order each priority of them by itself."""
    prefixes = [f"{rank}#" for rank in range(PRIORITIES)] if has_priorities else [""]
    driving = _driving(ctx, request, states)
    if len(driving) * len(prefixes) > _MOST_SOURCES:
        driving = _board(ctx, states)
    return [Source(partition, index, prefix) for partition, index in driving for prefix in prefixes]


def _driving(ctx: Context, request: ListIssues, states: States) -> list[tuple[str, str]]:
    workspace_id = ctx.caller.workspace_id
    if request.assigned_agent_id:
        return [
            (ISSUES_OF_AGENT(workspace_id, request.assigned_agent_id, half), "agent")
            for half in states.halves
        ]
    if request.cycle_id:
        return [(ISSUES_OF_CYCLE(workspace_id, request.cycle_id), "subject")]
    project_ids = _only_projects(ctx, request)
    if project_ids is not None:
        return [
            (ISSUES_OF_PROJECT(workspace_id, project_id, half), "project")
            for project_id in sorted(project_ids)
            for half in states.halves
        ]
    return _board(ctx, states)


def _board(ctx: Context, states: States) -> list[tuple[str, str]]:
    return [(BOARD(ctx.caller.workspace_id, half), "board") for half in states.halves]


def _only_projects(ctx: Context, request: ListIssues) -> frozenset[str] | None:
    """The projects outside of which nothing can match, if the call or the key names some."""
    narrowing = ctx.caller.narrowing
    named = [frozenset(narrowing.project_ids)] if narrowing.project_ids and not narrowing.label_ids else []
    named += [frozenset({request.project_id})] if request.project_id else []
    named += [frozenset(request.project_ids)] if request.project_ids else []
    return frozenset.intersection(*named) if named else None
